import { wordsIn } from '../../../../templates/scripts/search/words.js'
import type { LivePage } from '../../../domain/live-page.ts'
import { type SearchEntry, searchPlace } from '../../../domain/search-entry.ts'
import { cutText } from '../../cut-text.ts'
import { isUnlisted } from '../unlisted.ts'
import { pageText, type TextSection } from './page-text.ts'

/** Words of a page that are read, and different ones that are kept; what comes later is not found. */
const MOST_WORDS = 50_000
const MOST_DIFFERENT = 8_000
const MOST_HEADING = 120
const MOST_ABOUT = 160

/** A short title that has the word is nearly all about it. */
const SHORT_TITLE = 3
/** Of a text of so many words each occurrence counts as it is. */
const USUAL_LENGTH = 400

/** What is told of a page besides its document. */
export interface Told {
  readonly title: string
  readonly path: string
  readonly description: string
}

interface Seen {
  times: number
  rank: number
  section: number
}

/**
 * What is to be found of a page; null for one that is to be left out.
 *
 * @param file its finished document.
 */
export function searchEntryOf({ page, path }: LivePage, file: Uint8Array): SearchEntry | null {
  const { title, description } = page
  return isUnlisted(page) ? null : searchEntry({ title, path, description }, Buffer.from(file).toString())
}

/** @param html the page's finished document. */
export function searchEntry({ title, path, description }: Told, html: string): SearchEntry {
  const sections = pageText(html)
  const seen = new Map<string, Seen>()
  let left = MOST_WORDS

  const titleWords = wordsIn(title)
  read(titleWords, new Set(titleWords).size <= SHORT_TITLE ? 7 : 6, 0)
  sections.forEach(({ heading, headings }, section) => {
    for (const text of [heading, ...headings]) read(wordsIn(text), section === 0 ? 5 : 4, section)
  })
  read(wordsIn(description), 0, 0)
  let length = 0
  sections.forEach(({ text }, section) => {
    const words = wordsIn(text)
    length += words.length
    read(words, 0, section)
  })

  const words = [...seen.keys()].sort()
  return {
    title,
    path,
    about: cutText(description === '' ? firstText(sections) : description, MOST_ABOUT),
    sections: sections.slice(1).map(({ heading, anchor }) => ({
      heading: cutText(heading, MOST_HEADING),
      anchor: anchor ?? '',
    })),
    words,
    places: words.map((word) => placeOf(seen.get(word) as Seen)),
  }

  function placeOf({ times, rank, section }: Seen): number {
    return searchPlace(section, rank === 0 ? textRank(times, length) : rank)
  }

  /** A word leads to where it was read first with this rank or a higher one. */
  function read(words: readonly string[], rank: number, section: number): void {
    for (const word of words) {
      if (left-- <= 0) return
      const known = seen.get(word)
      if (known !== undefined) known.times++
      else if (seen.size < MOST_DIFFERENT) seen.set(word, { times: 1, rank, section })
    }
  }
}

/** From 0 to 3: grows with how often the word stands there, ever slower, and less in a long text. */
function textRank(times: number, length: number): number {
  const often = times / (times + 0.4 + (0.8 * length) / USUAL_LENGTH)
  return Math.min(3, Math.floor(often * 5))
}

function firstText(sections: readonly TextSection[]): string {
  return sections.find(({ text }) => text !== '')?.text.slice(0, 4 * MOST_ABOUT) ?? ''
}
