import type { Root } from 'mdast'

/** Turns Markdown, front matter already taken off, into its syntax tree. Never refuses a text. */
export type MarkdownParser = (source: string) => Root

/** Pages are written in `gfm`; plain `commonmark` is there to be held against the specification. */
export type Syntax = 'commonmark' | 'gfm'
