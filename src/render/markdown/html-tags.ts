import { isStrippedTag } from './schema.ts'

/** Source: HTML Standard. */
const VOID = new Set('br col hr img input source track wbr'.split(' '))
const OPTIONAL_END = new Set('caption colgroup dd dt li p rp rt tbody td tfoot th thead tr'.split(' '))
/** Open elements are followed up to this number, because each tag is compared with all of them. */
export const MAX_OPEN_TAGS = 1_000

/** Reports whether the element has no end tag. */
export function isVoidTag(name: string): boolean {
  return VOID.has(name)
}

/** Reports whether HTML without an end tag of the element is correct. */
export function mayStayOpen(name: string): boolean {
  return VOID.has(name) || OPTIONAL_END.has(name)
}

export interface Tag {
  /** In lower case. */
  readonly name: string
  readonly isEnd: boolean
  /** Offsets of the tag's start and of the text after it. */
  readonly start: number
  readonly end: number
}

/** Tags of a piece of HTML, except tags in comments and stripped elements, and an unfinished tag. */
export function* tagsIn(html: string): Generator<Tag> {
  let at = html.indexOf('<')
  while (at !== -1) {
    const [, slash, written] = tagStart(html, at)
    const after = written === undefined ? afterComment(html, at) : afterTag(html, at)
    if (after === null) return
    if (written !== undefined) {
      const name = written.toLowerCase()
      yield { name, isEnd: slash === '/', start: at, end: after }
      if (slash === '' && isStrippedTag(name)) {
        const ended = html.slice(after).search(new RegExp(`</${name}`, 'i'))
        if (ended === -1) return
        at = after + ended
        continue
      }
    }
    at = html.indexOf('<', after)
  }
}

const TAG = /<(\/?)([a-z][^\s/>]*)/iy

function tagStart(html: string, at: number): readonly (string | undefined)[] {
  TAG.lastIndex = at
  return TAG.exec(html) ?? []
}

/** Offset after the comment; null when it does not end. Other text is skipped by one character. */
function afterComment(html: string, at: number): number | null {
  if (!html.startsWith('<!--', at)) return at + 1
  const end = html.indexOf('-->', at)
  return end === -1 ? null : end + 3
}

/** A `>` inside quotes does not end a tag. */
function afterTag(html: string, at: number): number | null {
  for (let place = at; place < html.length; place += 1) {
    const sign = html[place]
    if (sign === '>') return place + 1
    if (sign === '"' || sign === "'") {
      place = html.indexOf(sign, place + 1)
      if (place === -1) return null
    }
  }
  return null
}
