import { byPosition, type Diagnostic } from '../domain/diagnostic.ts'

/** A diagnostic about a theme. Its `file` is an absolute path. */
export interface ThemeDiagnostic extends Diagnostic {
  /** Describes the page that was being rendered; null if the check needs no page. */
  readonly on: string | null
}

/** Sorts by position and removes repetitions: of equal diagnostics on several pages the first stays. */
export function sortDiagnostics(diagnostics: readonly ThemeDiagnostic[]): readonly ThemeDiagnostic[] {
  const distinct = new Map(
    diagnostics
      .toReversed()
      .map((found) => [JSON.stringify([found.file, found.line, found.code, found.message]), found]),
  )
  return [...distinct.values()].sort(byPosition)
}
