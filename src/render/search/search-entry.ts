import type { PlacedPage } from '../../domain/live-page.ts'
import { localeOf } from '../../domain/locale.ts'
import { characterOf, type SearchEntry, searchPlace } from '../../domain/search-entry.ts'
import { versionAt } from '../../domain/version.ts'
import { truncateText } from '../page/truncate-text.ts'
import { isUnlisted } from '../site-files/unlisted.ts'
import { oneLine, pageText, type TextSection } from './page-text.ts'
import { createPageWords, type WordOccurrences } from './page-words.ts'

const MAX_HEADING_LENGTH = 120
const MAX_ABOUT_LENGTH = 160

/** Ranks of words, from 0 to 7; 0 to 3 are for text, by how often a word occurs in it. */
const TEXT_RANK = 0
const SECTION_HEADING_RANK = 4
const FIRST_HEADING_RANK = 5
const TITLE_RANK = 6
/** For a title of up to `SHORT_TITLE_WORDS` words: each of them describes most of the page. */
const SHORT_TITLE_RANK = 7
const SHORT_TITLE_WORDS = 3
/** Length of a text, in words, at which occurrences have full weight. */
const USUAL_LENGTH = 400

/** The fields of a page that search shows besides its text. */
export interface PageSummary {
  readonly title: string
  readonly path: string
  readonly description: string
}

/**
 * The search entry of a page, or null for a page that is not listed.
 *
 * @param html the page's finished document.
 */
export function searchEntryOf(placed: PlacedPage, html: string): SearchEntry | null {
  if (isUnlisted(placed)) return null
  const { page, path, settings } = placed
  const { title, description } = page
  const entry = searchEntry(
    { title, path, description },
    html,
    endOfCustomHead(settings.customHeadHtml ?? '', html),
  )
  const locale = localeOf(placed)
  const language = locale?.code ?? entry.language
  const version = versionAt(path, settings)?.version
  return { ...entry, language: version === undefined ? language : `${language}@${version.name}` }
}

/** Returns the language that the document states; empty for none. A stored document keeps its own language. */
function documentLanguage(html: string): string {
  const [, tag = ''] = /<html[^>]*?\slang="([\w-]+)"/.exec(html.slice(0, 1000)) ?? []
  return tag
}

/** The offset in the document where the site's own head HTML ends; 0 if there is none. */
function endOfCustomHead(customHead: string, html: string): number {
  const start = customHead === '' ? -1 : html.indexOf(customHead)
  return start === -1 ? 0 : start + customHead.length
}

/**
 * @param html the page's finished document.
 * @param start where to look for `<main>`: after HTML that the site's owner wrote.
 */
export function searchEntry({ title, path, description }: PageSummary, html: string, start = 0): SearchEntry {
  const sections = pageText(html, start)
  const words = createPageWords()
  words.read(title, TITLE_RANK, 0)
  const titleRank = words.occurrences.size <= SHORT_TITLE_WORDS ? SHORT_TITLE_RANK : TITLE_RANK
  for (const [section, { heading, headings }] of sections.entries()) {
    const rank = section === 0 ? FIRST_HEADING_RANK : SECTION_HEADING_RANK
    for (const text of [heading, ...headings]) words.read(text, rank, section)
  }
  words.read(description, TEXT_RANK, 0)
  let length = 0
  for (const [section, { text }] of sections.entries()) length += words.read(text, TEXT_RANK, section)

  return {
    title,
    path,
    language: documentLanguage(html),
    about: truncateText(description === '' ? firstText(sections) : description, MAX_ABOUT_LENGTH),
    sections: sections.slice(1).map(({ heading, anchor }) => ({
      heading: truncateText(heading, MAX_HEADING_LENGTH),
      anchor: anchor ?? '',
    })),
    words: [...words.occurrences.keys()].join(' '),
    places: [...words.occurrences.values()].map(placeOf).join(''),
  }

  function placeOf(word: WordOccurrences): string {
    return String.fromCharCode(characterOf(searchPlace(word.section, rankOf(word))))
  }

  function rankOf({ rank, times }: WordOccurrences): number {
    if (rank === TEXT_RANK) return textRank(times, length)
    return rank === TITLE_RANK ? titleRank : rank
  }
}

/**
 * From 0 to 3. Grows with the number of occurrences, ever more slowly, and less in a long text.
 *
 * @param length in words.
 */
function textRank(times: number, length: number): number {
  const frequency = times / (times + 0.4 + (0.8 * length) / USUAL_LENGTH)
  return Math.min(3, Math.floor(frequency * 5))
}

/** The first text of the page that is not blank, on one line. */
function firstText(sections: readonly TextSection[]): string {
  for (const { text } of sections) {
    const line = oneLine(text)
    if (line !== '') return line.slice(0, 4 * MAX_ABOUT_LENGTH)
  }
  return ''
}
