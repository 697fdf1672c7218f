import { safeUrl } from '../domain/author-url.ts'

/* Writes plain values as Markdown (CommonMark with tables, strikethrough and footnotes). */

/** Could begin or end something anywhere in a line. */
const MARK = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|[a-z][a-z0-9]*;)/iu
/** Readers who make links of bare addresses take an escape in one for a part of it. */
const MARK_OR_ADDRESS = new RegExp(`${MARK.source}|(?<=https?):(?=//)|(?<=www)\\.`, 'giu')
/** What makes a heading, a quote, a list or a rule of a line; in a number, the mark after it. */
const LINE_START = /^(?:#{1,6}(?= |$)|>|[-+](?= |$)|-(?=-)|\d{1,9}(?=[.)](?: |$)))/
/** A run of these after a space closes a heading. */
const HEADING_END = /(?<=^| )#+$/

/** The text as a line of its own: it reads back as it is, white space collapsed as browsers do. */
export function paragraph(text: string): string {
  return phrase(text).replace(LINE_START, (mark) => (/\d$/.test(mark) ? `${mark}\\` : `\\${mark}`))
}

/**
 * @param level 1 to 6; deeper ones are as deep as there is.
 * @param url where it leads; one that is not safe to follow counts as none.
 */
export function heading(level: number, text: string, url: string | null = null): string {
  const linked = url === null ? null : link(text, url)
  const title = linked ?? phrase(text).replace(HEADING_END, (marks) => `\\${marks}`)
  return `${'#'.repeat(Math.min(level, 6))} ${title}`
}

/** Null when the URL is not safe to follow. */
export function link(label: string, url: string): string | null {
  const safe = safeUrl(url, 'link')
  return safe === null ? null : `[${phrase(label)}](${destination(safe)})`
}

/** Null when the URL is not safe to load. */
export function image(alt: string, url: string): string | null {
  const safe = safeUrl(url, 'image')
  return safe === null ? null : `![${phrase(alt)}](${destination(safe)})`
}

/** An image that leads somewhere, if it does; null when it has no URL that is safe to load. */
export function linkedImage(alt: string, src: string | null, url: string | null): string | null {
  const picture = src === null ? null : image(alt, src)
  const safe = url === null ? null : safeUrl(url, 'link')
  return picture === null || safe === null ? picture : `[${picture}](${destination(safe)})`
}

/** The text within a line. */
export function phrase(text: string): string {
  const line = text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '')
  return line.replace(/[^ ]+/g, (word) => (MARK.test(word) ? word.replace(MARK_OR_ADDRESS, '\\$&') : word))
}

/** A safe URL has no spaces, backslashes or angle brackets. */
function destination(url: string): string {
  const literal = url.replace(/&(?=#|[a-z][a-z0-9]*;)/gi, '\\&')
  return /[()]/.test(literal) ? `<${literal}>` : literal
}
