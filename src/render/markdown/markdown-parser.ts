import type { Root } from 'mdast'

/** Parses Markdown without front matter into a syntax tree. Accepts every text. */
export type MarkdownParser = (source: string) => Root

/** Pages use `gfm`. `commonmark` exists to test against the specification. */
export type Syntax = 'commonmark' | 'gfm'
