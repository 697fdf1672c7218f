import { breaksIn } from '../../page-text/map-prose.ts'
import { mapEnclosed } from './map-enclosed.ts'

/* A page in HTML is Markdown with HTML, once nothing in it means something else in Markdown. */

/** Elements whose blanks count. */
const VERBATIM = {
  open: /<(?:pre|textarea|script|style)\b/gi,
  close: /<\/(?:pre|textarea|script|style)\s*>/gi,
}
/** Parts of a whole document, in which a page of Markdown is put anyway. */
const DOCUMENT =
  /<!doctype[^<>]*>|<\/?(?:html|body|main)\b[^<>]*>|<head\b[^<>]*>(?:(?!<head\b)[\s\S])*?<\/head\s*>/gi

/** Without the indents by which Markdown would take lines for code. Keeps the number of lines. */
export function withoutIndents(html: string): string {
  return outsideVerbatim(html, (text) =>
    text.replace(DOCUMENT, (part) => '\n'.repeat(breaksIn(part))).replace(/^[ \t]+/gm, ''),
  )
}

/** Without the empty lines after which Markdown would begin a paragraph, within a block of HTML. */
export function asHtmlBlock(html: string): string {
  const block = outsideVerbatim(html, (text) => text.replace(/\n[ \t]*(?=\n)/g, '')).trim()
  return block === '' || block.startsWith('<') ? block : `<div>\n${block}\n</div>`
}

function outsideVerbatim(html: string, change: (text: string) => string): string {
  const kept: string[] = []
  const marked = mapEnclosed(html, VERBATIM.open, VERBATIM.close, (whole) => `\0${kept.push(whole) - 1}\0`)
  return change(marked).replace(/\0(\d+)\0/g, (_, index: string) => kept[Number(index)] ?? '')
}
