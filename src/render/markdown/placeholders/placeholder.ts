import type { MarkdownFault } from '../markdown-fault.ts'

/**
 * What is written in a syntax that neither parser knows, taken out of the source before it is parsed and put
 * in its place afterwards. In the source a mark stands as `\uFDD0`, its number, `\uFDD1`: characters no text
 * has, which mean nothing to a parser, so that formulas keep their backslashes and asterisks.
 */
export type Mark = FormulaMark | HeadingIdMark | OpeningMark | ClosingMark | TabMark

export interface FormulaMark {
  readonly type: 'formula'
  readonly source: string
  readonly tex: string
  readonly isDisplay: boolean
}

/** At the end of a heading, whose id it is. */
export interface HeadingIdMark {
  readonly type: 'heading-id'
  readonly source: string
  readonly id: string
}

export interface OpeningMark {
  readonly type: 'opening'
  readonly source: string
  readonly container: ContainerName
  /** Number of the mark that closes it. */
  readonly closedBy: number
}

export interface ClosingMark {
  readonly type: 'closing'
  readonly source: string
}

/** Starts the next tab of the group it stands in. */
export interface TabMark {
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

export interface MarkedSource {
  readonly source: string
  readonly marks: readonly Mark[]
  /** Of what stays text though it was meant to be more. */
  readonly faults: readonly MarkdownFault[]
}

export function placeholder(number: number): string {
  return `\uFDD0${number}\uFDD1`
}

/** Without characters that would be taken for marks, nor NUL. */
export function withoutPlaceholders(source: string): string {
  return source.replace(/[\0\uFDD0\uFDD1]/g, '\uFFFD')
}
