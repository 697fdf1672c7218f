import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'

/**
 * Syntax that no Markdown parser knows, taken out of the source before parsing and restored in the tree
 * afterwards. The source contains `\uFDD0`, the placeholder's number and `\uFDD1` instead. These
 * noncharacters mean nothing to a parser, so that formulas keep their backslashes and asterisks.
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

/** Sets the id of the heading it ends. */
export interface HeadingIdPlaceholder {
  readonly type: 'heading-id'
  readonly source: string
  readonly id: string
}

export interface OpeningPlaceholder {
  readonly type: 'opening'
  readonly source: string
  readonly container: ContainerName
  /** Number of the placeholder that closes it. */
  readonly closedBy: number
}

export interface ClosingPlaceholder {
  readonly type: 'closing'
  readonly source: string
}

/** Starts the next tab of the surrounding group. */
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
  /** Containers that stay text. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export function placeholderText(number: number): string {
  return `\uFDD0${number}\uFDD1`
}

/** Replaces NUL and the characters that delimit placeholders. */
export function replaceReservedCharacters(source: string): string {
  return source.replace(/[\0\uFDD0\uFDD1]/g, '\uFFFD')
}
