import type { Root } from 'mdast'
import { type Features, markdownToHtml, markdownToMdast } from 'satteri'
import type { MarkdownParser, MarkdownPrinter, Syntax } from './markdown-parser.ts'

const FEATURES: Readonly<Record<Syntax, Features>> = {
  commonmark: { gfm: false, frontmatter: false },
  gfm: { gfm: true, frontmatter: false },
}

/** The native parser. Importing this module throws where there is no binary for the platform. */
export function satteriParser(syntax: Syntax): MarkdownParser {
  const features = FEATURES[syntax]
  return (source) => markdownToMdast(source, { position: false, features }) as Root
}

/** Prints within the native parser, of which no tree comes here. */
export const satteriPrinter: MarkdownPrinter = (source) => {
  const features = FEATURES.gfm
  // To look at the nodes takes half as long again, and HTML takes at least this one character.
  if (!source.includes('<')) return markdownToHtml(source, { features }).html
  let hasHtml = false
  const look = {
    name: 'look',
    html() {
      hasHtml = true
    },
  }
  const { html } = markdownToHtml(source, { features, mdastPlugins: [look] })
  return hasHtml ? null : html
}
