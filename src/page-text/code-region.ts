/*
 * Parts of files: lines by number, and regions between two comments. A region begins with `#region name`, `[START name]`,
 * `[start:name]` or `[name]` in a comment of any language, and ends with `#endregion`, `[END name]`, `[end:name]` or
 * `[/name]`.
 */

/** The start of a comment, on a line without surrounding blanks. */
const COMMENT = String.raw`^(?:\/\/+|\/\*+|#|--|;+|%+|<!--|\{?\/\*|"|')?[ \t]*`
const MARKER = new RegExp(
  `${COMMENT}(?:#?(region|endregion)\\b[ \\t]*([\\w.-]{0,100})|(?:--8<--[ \\t]*)?\\[(start|end)[ :]([\\w.-]{1,100})\\]|\\[(\\/?)([\\w.-]{1,100})\\])[ \\t]*(?:-->|\\*\\/\\}?)?$`,
  'i',
)

/** A longer line is no marker. */
const MAX_MARKER = 500
/** Lines that numbers may select, repeated ones included. */
const MAX_LINES = 100_000

interface Marker {
  readonly isEnd: boolean
  /** Empty for the end of the innermost region. */
  readonly name: string
}

/** A line that begins or ends a region; null for any other. `[name]` counts in a comment only. */
function markerIn(written: string): Marker | null {
  if (!/region|\[/i.test(written)) return null
  const line = written.trim()
  if (line.length > MAX_MARKER) return null
  const [match, word, region = '', side, sided = '', slash, plain = ''] = MARKER.exec(line) ?? []
  if (match === undefined) return null
  if (word !== undefined) return { isEnd: word.toLowerCase() === 'endregion', name: region }
  if (side !== undefined) return { isEnd: side.toLowerCase() === 'end', name: sided }
  return line.startsWith('[') ? null : { isEnd: slash === '/', name: plain }
}

/** The lines of a region, without markers; null for one that the text does not have, or does not end. */
export function regionOf(text: string, name: string): string | null {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => {
    const marker = markerIn(line)
    return marker?.isEnd === false && marker.name === name
  })
  if (start === -1) return null
  const taken: string[] = []
  let depth = 0
  for (const line of lines.slice(start + 1)) {
    const marker = markerIn(line)
    if (marker === null) taken.push(line)
    else if (marker.name === name || (marker.isEnd && marker.name === '' && depth === 0))
      return taken.join('\n')
    else if (marker.name === '' || /region/i.test(line)) depth += marker.isEnd ? -1 : 1
  }
  return null
}

/** The text without lines that begin or end regions. */
export function withoutMarkers(text: string): string {
  if (!/region|\[/i.test(text)) return text
  return text
    .split('\n')
    .filter((line) => markerIn(line) === null)
    .join('\n')
}

/** Lines by number, from 1: `3-9`, `3`, `3-`, `-9`, separated by commas. Null when none of them exists, or for another form. */
export function linesOf(text: string, written: string): string | null {
  const lines = text.replace(/\n$/, '').split('\n')
  let left = MAX_LINES
  const taken = written.split(',').map((part) => {
    const [match, first = '', dash, last = ''] = /^(\d{0,6})(?:\s*(-)\s*(\d{0,6}))?$/.exec(part.trim()) ?? []
    if (match === undefined || (first === '' && last === '')) return null
    const start = first === '' ? 1 : Number(first)
    const end = dash === undefined ? start : last === '' ? lines.length : Math.min(Number(last), lines.length)
    left -= end - start + 1
    return start < 1 || start > lines.length || end < start || left < 0 ? null : lines.slice(start - 1, end)
  })
  return taken.some((part) => part === null) ? null : taken.flatMap((part) => part ?? []).join('\n')
}

/** Removes empty lines at both ends, and the indentation that all lines share. */
export function dedented(text: string): string {
  const lines = text
    .trimEnd()
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n')
  const filled = lines.filter((line) => line.trim() !== '')
  const indents = filled.map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  const [first = ''] = indents
  const shared = indents.reduce((common, indent) => {
    let length = 0
    while (length < common.length && common[length] === indent[length]) length += 1
    return common.slice(0, length)
  }, first)
  return lines
    .map((line) => (line.startsWith(shared) ? line.slice(shared.length) : line.trimStart()))
    .join('\n')
}
