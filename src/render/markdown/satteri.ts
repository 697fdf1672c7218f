import type { Root } from 'mdast'
import { type Features, markdownToMdast } from 'satteri'
import type { MarkdownParser, Syntax } from './markdown-parser.ts'

const FEATURES: Readonly<Record<Syntax, Features>> = {
  commonmark: { gfm: false, frontmatter: false },
  gfm: { gfm: true, frontmatter: false },
}

/** The native parser. Importing this module throws when there is no binary for the platform. */
export function satteriParser(syntax: Syntax): MarkdownParser {
  const features = FEATURES[syntax]
  return (source) => markdownToMdast(source, { position: false, features }) as Root
}
