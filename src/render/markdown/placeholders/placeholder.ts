import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'

/**
 * What is written in a syntax that neither parser knows, taken out of the source before it is parsed and put
 * in its place afterwards. In the source a mark stands as `\uFDD0`, its number, `\uFDD1`: characters no text
 * has, which mean nothing to a parser, so that formulas keep their backslashes and asterisks.
 */
export type Placeholder =
  | FormulaPlaceholder
  | HeadingIdPlaceholder
  | OpeningPlaceholder
  | ClosingPlaceholder
  | TabPlaceholder

export interface FormulaPlaceholder {
  readonly type: 'formula'
  readonly source: string
  readonly tex: string
  readonly isDisplay: boolean
}

/** At the end of a heading, whose id it is. */
export interface HeadingIdPlaceholder {
  readonly type: 'heading-id'
  readonly source: string
  readonly id: string
}

export interface OpeningPlaceholder {
  readonly type: 'opening'
  readonly source: string
  readonly container: ContainerName
  /** Number of the mark that closes it. */
  readonly closedBy: number
}

export interface ClosingPlaceholder {
  readonly type: 'closing'
  readonly source: string
}

/** Starts the next tab of the group it stands in. */
export interface TabPlaceholder {
  readonly type: 'tab'
  readonly source: string
}

export type ContainerName =
  | 'note'
  | 'tip'
  | 'important'
  | 'warning'
  | 'caution'
  | 'details'
  | 'steps'
  | 'tabs'
  | 'code-group'

export interface ExtractedSource {
  readonly source: string
  readonly placeholders: readonly Placeholder[]
  /** Of what stays text though it was meant to be more. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export function placeholderText(number: number): string {
  return `\uFDD0${number}\uFDD1`
}

/** Without characters that would be taken for marks, nor NUL. */
export function replaceReservedCharacters(source: string): string {
  return source.replace(/[\0\uFDD0\uFDD1]/g, '\uFFFD')
}
