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

/** Prints within the native parser, of which no tree comes here: sources that are tame, which hold no text twice. */
export const satteriPrinter: MarkdownPrinter = (source) => {
  const { html } = markdownToHtml(source, { features: FEATURES.gfm })
  return isAllText(source, html) || !holdsHtml(source) ? html : null
}

/** References that come to a `<`, and some more. */
const OPENING_REFERENCE = /&(?:#|lt|LT|nvlt)/

/**
 * Whether each `<` of a source is shown as one: it begins no HTML then, for whatever is printed of a text is printed
 * once. False of some that are all text.
 */
function isAllText(source: string, html: string): boolean {
  const count = timesIn(source, '<')
  return count === 0 || (count === timesIn(html, '&lt;') && !OPENING_REFERENCE.test(source))
}

function timesIn(text: string, sought: string): number {
  let times = 0
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length)) times += 1
  return times
}

/** By a look at its nodes, which takes longer than to print them. */
function holdsHtml(source: string): boolean {
  let hasHtml = false
  const look = {
    name: 'look',
    html() {
      hasHtml = true
    },
  }
  markdownToHtml(source, { features: FEATURES.gfm, mdastPlugins: [look] })
  return hasHtml
}
