import { safeUrl } from '../domain/author-url.ts'

/* Writes plain text as Markdown (CommonMark with tables, strikethrough and footnotes). */

/** Characters with a meaning in Markdown anywhere in a line. */
const MARK = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|[a-z][a-z0-9]*;)/iu
/** Also breaks autolinks, because parsers would treat an escape inside one as part of the URL. */
const MARK_OR_ADDRESS = new RegExp(`${MARK.source}|(?<=https?):(?=//)|(?<=www)\\.`, 'giu')
/** Starts a heading, quote, list or rule; for a numbered list, the number before the mark. */
const LINE_START = /^(?:#{1,6}(?= |$)|>|[-+](?= |$)|-(?=-)|\d{1,9}(?=[.)](?: |$)))/
/** A run of `#` after a space closes a heading. */
const HEADING_END = /(?<=^| )#+$/

/**
 * Escapes a text as a paragraph that reads back as the same text, with white space collapsed as in browsers.
 */
export function paragraph(text: string): string {
  return phrase(text).replace(LINE_START, (mark) => (/\d$/.test(mark) ? `${mark}\\` : `\\${mark}`))
}

/**
 * @param level from 1; levels above 6 become 6.
 * @param url target of a link around the text; an unsafe one is left out.
 */
export function heading(level: number, text: string, url: string | null = null): string {
  const linked = url === null ? null : link(text, url)
  const title = linked ?? phrase(text).replace(HEADING_END, (marks) => `\\${marks}`)
  return `${'#'.repeat(Math.min(level, 6))} ${title}`
}

/** Returns null when the URL is unsafe. */
export function link(label: string, url: string): string | null {
  const safe = safeUrl(url, 'link')
  return safe === null ? null : `[${phrase(label)}](${destination(safe)})`
}

/** Returns null when the URL is unsafe. */
export function image(alt: string, url: string): string | null {
  const safe = safeUrl(url, 'image')
  return safe === null ? null : `![${phrase(alt)}](${destination(safe)})`
}

/** An image inside a link if `url` is safe; null when the image's URL is unsafe or missing. */
export function linkedImage(alt: string, src: string | null, url: string | null): string | null {
  const picture = src === null ? null : image(alt, src)
  const safe = url === null ? null : safeUrl(url, 'link')
  return picture === null || safe === null ? picture : `[${picture}](${destination(safe)})`
}

/** Escapes a text for use within a line. */
export function phrase(text: string): string {
  const line = text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '')
  return line.replace(/[^ ]+/g, (word) => (MARK.test(word) ? word.replace(MARK_OR_ADDRESS, '\\$&') : word))
}

/** A safe URL has no spaces, backslashes or angle brackets. */
function destination(url: string): string {
  const literal = url.replace(/&(?=#|[a-z][a-z0-9]*;)/gi, '\\&')
  return /[()]/.test(literal) ? `<${literal}>` : literal
}
