import type { MarkKind } from '../../../page-text/inline-marks.ts'
import type { PlayerKind } from '../../../page-text/player-directive.ts'
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
  | DividerPlaceholder
  | BadgePlaceholder
  | MarkPlaceholder
  | TextPlaceholder
  | DefinitionPlaceholder
  | PlayerPlaceholder
  | ComponentPlaceholder

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
  readonly container: ContainerName | 'component'
  /** The line of a component as JSON. */
  readonly component?: string
  /** Number of the placeholder that closes it. */
  readonly closedBy: number
}

export interface ClosingPlaceholder {
  readonly type: 'closing'
  readonly source: string
}

/** Starts the next part of the surrounding group: a tab, a card, a column or a field. */
export interface DividerPlaceholder {
  readonly type: 'divider'
  readonly source: string
  /** URL of a card's link. */
  readonly href?: string
  /** The name of a card's icon. */
  readonly icon?: string
  /** The type of a field and the value that it has when it is left out. */
  readonly valueType?: string
  readonly defaultValue?: string
  /** `required`, `deprecated`, both or neither, separated by a blank. */
  readonly flags?: string
}

/** A short label in a line of text. */
export interface BadgePlaceholder {
  readonly type: 'badge'
  readonly source: string
  readonly text: string
  readonly tone: string
}

/** A delimiter of marked, lowered or raised text. It has an effect only together with the other one. */
export interface MarkPlaceholder {
  readonly type: 'mark'
  readonly source: string
  readonly kind: MarkKind
  readonly opens: boolean
}

/** Shows another text in place of its source, e.g. an emoji for its name. */
export interface TextPlaceholder {
  readonly type: 'text'
  readonly source: string
  readonly shown: string
}

/** Starts a definition of the term before it, as an item of a list. */
export interface DefinitionPlaceholder {
  readonly type: 'definition'
  readonly source: string
}

/** A video or sound, in its own paragraph. */
export interface PlayerPlaceholder {
  readonly type: 'player'
  readonly source: string
  readonly kind: PlayerKind
  /** The URL as the author wrote it, like the files below. */
  readonly src: string
  /** Empty for none. */
  readonly name: string
  readonly title: string | null
  readonly poster: string | null
  /** Files, separated by commas. */
  readonly captions: string | null
  /** `loop`, `muted`, both or neither, separated by a blank. */
  readonly playback: string
}

/** A component of the theme without a body, on a line of its own. */
export interface ComponentPlaceholder {
  readonly type: 'component'
  readonly source: string
  /** The line as JSON. */
  readonly component: string
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
  | 'cards'
  | 'columns'
  | 'fields'
  | 'file-tree'
  | 'code-group'

export interface ExtractedSource {
  readonly source: string
  readonly placeholders: readonly Placeholder[]
  /** Containers and directives that stay text, and attributes without an effect. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export function placeholderText(number: number): string {
  return `\uFDD0${number}\uFDD1`
}

/**
 * The placeholder of a mark or a text. The sign around it is punctuation as its source is, so that emphasis next to it
 * begins and ends as next to the source; it means nothing else to a parser.
 */
export function signedPlaceholder(number: number, source: string): string {
  const sign = source.startsWith('~') ? '^' : source.charAt(0)
  return `${sign}\uFDD3${number}\uFDD4${sign}`
}

/** The first group is the number. */
export const SIGNED_PLACEHOLDER = /[=^:]\uFDD3(\d{1,7})\uFDD4[=^:]/

/** Replaces NUL and the characters that delimit placeholders. */
export function replaceReservedCharacters(source: string): string {
  return source.replace(/[\0\uFDD0\uFDD1\uFDD3\uFDD4]/g, '\uFFFD')
}
