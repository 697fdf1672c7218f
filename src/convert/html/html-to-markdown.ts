import type { ElementContent, Root } from 'hast'
import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import { withAnchors } from './anchors.ts'
import {
  citations,
  columnBlocks,
  definitions,
  layoutTables,
  linkedCode,
  plainMarks,
  tableCaptions,
  verses,
} from './blocks.ts'
import { bookmarks, callouts, toggles } from './cards.ts'
import { embeds, frames, players } from './embeds.ts'
import { figures, galleries, linkedPictures } from './figures.ts'
import { withFootnotes } from './footnotes.ts'
import { attributeBlocks, pullQuotes } from './newsletter-blocks.ts'
import { parseHtml } from './parse-html.ts'
import { plainTextOf } from './plain-text.ts'
import { type HtmlOptions, type Rewriter, rewriteWith } from './rewrite.ts'
import { tidyMarkdown } from './tidy.ts'
import { htmlToMdast } from './to-mdast.ts'
import { SUBSCRIPTION, visibleHtml } from './visible-html.ts'
import { writeMarkdown } from './write-markdown.ts'

/** A part of a page that its Markdown does not have, or has in another form. */
export interface HtmlLoss {
  readonly code: DiagnosticCode
  readonly message: string
}

export interface HtmlPage {
  /** Ends with a line break, unless it is empty. */
  readonly markdown: string
  readonly losses: readonly HtmlLoss[]
}

/** Asked in this order: the most specific elements come first. */
const REWRITERS: readonly Rewriter[] = [
  bookmarks,
  callouts,
  toggles,
  pullQuotes,
  attributeBlocks,
  players,
  embeds,
  frames,
  galleries,
  figures,
  linkedPictures,
  columnBlocks,
  citations,
  verses,
  linkedCode,
  plainMarks,
  definitions,
  tableCaptions,
  layoutTables,
]

const TOP = { containers: 0, isInCell: false, isInList: false }

/** Converts the HTML of an article to Markdown that reads as if written by hand. Takes linear time. */
export function htmlToMarkdown(html: string, options: HtmlOptions): HtmlPage {
  const parsed = parseHtml(html)
  if (parsed === null) {
    const message =
      'The HTML has too many elements, or too many inside of each other. Its text stays, without markup.'
    return { markdown: plainTextOf(html), losses: [{ code: 'QN-PARTLY-CONVERTED', message }] }
  }
  const { tree, removed } = visibleHtml(parsed)
  const counts = new Map<string, number>()
  const codes = new Map<string, DiagnosticCode>()
  const report = (code: DiagnosticCode, message: string) => {
    codes.set(message, code)
    counts.set(message, (counts.get(message) ?? 0) + 1)
  }
  for (const [name, count] of removed)
    for (let each = 0; each < count; each++) report('QN-NOT-CONVERTED', leftOut(name))
  const noted = withAnchors(withFootnotes(tree, options.footnotes ?? new Map()))
  const rewrite = rewriteWith(REWRITERS, options, report)
  const mdast = htmlToMdast(rewrite(contentOf(noted), TOP), options, report)
  const losses = [...counts].map(([message, count]) => ({
    code: codes.get(message) ?? 'QN-NOT-CONVERTED',
    message: count === 1 ? message : `${message} ${count} times on this page.`,
  }))
  return { markdown: writeMarkdown(tidyMarkdown(mdast)), losses }
}

function contentOf({ children }: Root): readonly ElementContent[] {
  return children.filter((child) => child.type === 'element' || child.type === 'text')
}

function leftOut(name: string): string {
  if (name === SUBSCRIPTION) return 'A box to subscribe is left out: no mail is sent.'
  return name === 'form'
    ? '`<form>` becomes its text: pages have no forms.'
    : `\`<${name}>\` is left out: pages cannot contain it.`
}
