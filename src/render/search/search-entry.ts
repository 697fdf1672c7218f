import type { PlacedPage } from '../../domain/live-page.ts'
import { characterOf, type SearchEntry, searchPlace } from '../../domain/search-entry.ts'
import { cutText } from '../page/truncate-text.ts'
import { isUnlisted } from '../site-files/unlisted.ts'
import { oneLine, pageText, type TextSection } from './page-text.ts'
import { createPageWords, type SeenWord } from './page-words.ts'
import { textOf, writtenOf } from './text.ts'

const MOST_HEADING = 120
const MOST_ABOUT = 160

/** Of a word in the title. One of few there is nearly all that the page is about. */
const IN_TITLE = 6
const IN_SHORT_TITLE = 7
const SHORT_TITLE = 3
/** Of a text of so many words each occurrence counts as it is. */
const USUAL_LENGTH = 400

/** What is told of a page besides its document. */
export interface Told {
  readonly title: string
  readonly path: string
  readonly description: string
}

/**
 * What is to be found of a page; null for one that is to be left out.
 *
 * @param html its finished document.
 */
export function searchEntryOf({ page, path, settings }: PlacedPage, html: string): SearchEntry | null {
  const { title, description } = page
  if (isUnlisted(page)) return null
  return searchEntry({ title, path, description }, html, endOf(settings.customHeadHtml ?? '', html))
}

/** Of the owner's own HTML, which stands in the head as it is; 0 where there is none. */
function endOf(own: string, html: string): number {
  const start = own === '' ? -1 : html.indexOf(own)
  return start === -1 ? 0 : start + own.length
}

/** Pages are read one after the other. */
const words = createPageWords()

/**
 * @param html the page's finished document.
 * @param head where what others wrote into it ends.
 */
export function searchEntry({ title, path, description }: Told, html: string, head = 0): SearchEntry {
  const sections = pageText(html, head)
  words.begin()
  words.read(textOf(title), IN_TITLE, 0)
  const ofTitle = words.seen() <= SHORT_TITLE ? IN_SHORT_TITLE : IN_TITLE
  for (const [section, { heading, headings }] of sections.entries()) {
    for (const said of [heading, ...headings]) words.read(textOf(said), section === 0 ? 5 : 4, section)
  }
  words.read(textOf(description), 0, 0)
  let length = 0
  for (const [section, { text }] of sections.entries()) length += words.read(text, 0, section)

  return {
    title,
    path,
    about: cutText(description === '' ? firstText(sections) : description, MOST_ABOUT),
    sections: sections.slice(1).map(({ heading, anchor }) => ({
      heading: cutText(heading, MOST_HEADING),
      anchor: anchor ?? '',
    })),
    words: words.written(),
    places: writtenOf(words.map((word) => characterOf(searchPlace(word.section, rankOf(word))))),
  }

  function rankOf({ rank, times }: SeenWord): number {
    if (rank === 0) return textRank(times, length)
    return rank === IN_TITLE ? ofTitle : rank
  }
}

/** From 0 to 3: grows with how often the word stands there, ever slower, and less in a long text. @param length in words. */
function textRank(times: number, length: number): number {
  const often = times / (times + 0.4 + (0.8 * length) / USUAL_LENGTH)
  return Math.min(3, Math.floor(often * 5))
}

function firstText(sections: readonly TextSection[]): string {
  for (const { text } of sections) {
    const line = oneLine(writtenOf(text))
    if (line !== '') return line.slice(0, 4 * MOST_ABOUT)
  }
  return ''
}
