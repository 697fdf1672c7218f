import { hash } from 'node:crypto'
import {
  type Derived,
  type Page,
  type PageContent,
  sectionsOf,
  type TypeFields,
  typeFieldsOf,
} from '../domain/page.ts'
import { normalizeSection } from '../sections/normalize.ts'
import { sectionText } from '../sections/text.ts'
import { countWords } from './count-words.ts'
import { bodyOf, splitFrontMatter } from './front-matter.ts'
import { itemText } from './item-text.ts'
import { visibleText } from './visible-text.ts'

/** In UTF-16 code units: a book of 200 pages in ten parts has parts so long. */
const COUNTED = 65_536

/** What is worked out from a page's content whenever it is written. */
export function derive(content: PageContent): Derived {
  return { wordCount: wordsOf(content), contentDigest: contentDigest(content) }
}

/** The same of a page that is only rendered: articles alone show how many words they have. */
export function deriveShown(content: PageContent): Derived {
  if (content.type === 'article') return derive(content)
  return { wordCount: 0, contentDigest: contentDigest(content) }
}

/** The type's own fields as they hold; front matter is read only for the types that have it. */
export function resolvedFields(
  page: Pick<Page, 'type' | 'ownFields' | 'config' | 'markdown' | 'firstPublishedAt'>,
): TypeFields {
  const hasFrontMatter = page.type === 'article' || page.type === 'docs'
  return typeFieldsOf(page, hasFrontMatter ? splitFrontMatter(page.markdown).frontMatter : {})
}

/** Words of the content a visitor reads, the title apart; near enough where there are very many. */
function wordsOf(page: PageContent): number {
  const sections = sectionsOf(page).map((section) => sectionText(normalizeSection(section)))
  const fields = page.type === 'item' ? itemText(page.config) : ''
  const markdown = page.type === 'page' ? '' : bodyOf(page.markdown)
  return (
    countedAtFirst([...sections, fields].join('\n'), countWords) +
    countedAtFirst(markdown, (text) => countWords(visibleText(text)))
  )
}

/**
 * All of a text that long is taken to be like its beginning: whoever writes one waits for the count, and
 * so does everybody else.
 */
function countedAtFirst(text: string, count: (text: string) => number): number {
  if (text.length <= COUNTED) return count(text)
  return Math.round(count(text.slice(0, COUNTED)) * (text.length / COUNTED))
}

/**
 * Of what an author can change of a page, in whatever order and by whichever of its ways it was written; of the
 * type's own fields as they hold, the date of the first publish left aside.
 */
function contentDigest(page: PageContent): string {
  const { title, slug, subroute, type, description, ogImageUrl, meta, config, markdown, ownFields } = page
  const fields = resolvedFields({ type, ownFields, config, markdown, firstPublishedAt: null })
  const { publishDate, author, navOrder, parentPage, badge } = fields
  const own = [publishDate, author, navOrder, parentPage, badge]
  const sortedMeta = Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1))
  const values = [title, slug, subroute, type, description, ogImageUrl, config, sortedMeta, own]
  // JSON has no line ends of its own. The longest by far, Markdown takes three times as long as a text in it.
  return hash('sha256', `${JSON.stringify(values)}\n${markdown}`, 'base64url')
}
