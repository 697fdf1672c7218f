import { hash } from 'node:crypto'
import {
  type Derived,
  type Page,
  type PageContent,
  sectionsOf,
  type TypeFields,
  typeFieldsOf,
} from '../domain/page.ts'
import { NO_TAGS } from '../domain/tag.ts'
import { withMarkdown } from '../sections/markdown-section.ts'
import { normalizeSection } from '../sections/normalize.ts'
import { sectionText } from '../sections/text.ts'
import { countWords } from './count-words.ts'
import { bodyOf, splitFrontMatter } from './front-matter.ts'
import { itemText } from './item-text.ts'
import { visibleText } from './visible-text.ts'

/** In UTF-16 code units; one tenth of a book of 200 pages. Longer texts are estimated. */
const MAX_COUNTED_LENGTH = 65_536

/** Values derived from a page's content on every write. */
export function derive(content: PageContent): Derived {
  const { tags, feedGuid = null } = resolvedFields({ ...content, firstPublishedAt: null })
  return { wordCount: pageWordCount(content), tags, feedGuid, contentDigest: contentDigest(content) }
}

/**
 * Does the same as `derive` for a page that is only rendered. Only articles show their word count, and no page its
 * derived tags.
 */
export function deriveForRendering(content: PageContent): Derived {
  if (content.type === 'article') return derive(content)
  return { wordCount: 0, tags: NO_TAGS, feedGuid: null, contentDigest: contentDigest(content) }
}

/** The fields of the page's type, with front matter for the types that have it. */
export function resolvedFields(
  page: Pick<Page, 'type' | 'ownFields' | 'config' | 'markdown' | 'firstPublishedAt'>,
): TypeFields {
  const hasFrontMatter = page.type === 'article' || page.type === 'docs'
  return typeFieldsOf(page, hasFrontMatter ? splitFrontMatter(page.markdown).frontMatter : {})
}

/** Number of words that visitors read, without the title. An estimate for very long texts. */
function pageWordCount(page: PageContent): number {
  const { sections: placed, below } = withMarkdown(sectionsOf(page), bodyOf(page.markdown))
  const sections = placed.map((section) => sectionText(normalizeSection(section)))
  const fields = page.type === 'item' ? itemText(page.config) : ''
  return (
    estimateCount([...sections, fields].join('\n'), countWords) +
    estimateCount(below, (text) => countWords(visibleText(text)))
  )
}

/** Estimates long texts from their beginning, because counting delays the write and every other request. */
function estimateCount(text: string, count: (text: string) => number): number {
  if (text.length <= MAX_COUNTED_LENGTH) return count(text)
  return Math.round(count(text.slice(0, MAX_COUNTED_LENGTH)) * (text.length / MAX_COUNTED_LENGTH))
}

/**
 * Digest of everything an author can change on a page, independent of key order and of where a field was set.
 * The fields of the type count with their effective values, except the date of the first publish.
 */
function contentDigest(page: PageContent): string {
  const { title, slug, subroute, type, description, ogImageUrl, meta, config, markdown, ownFields } = page
  const fields = resolvedFields({ type, ownFields, config, markdown, firstPublishedAt: null })
  const { publishDate, author, navOrder, parentPage, badge, tags } = fields
  // Values of the front matter and of `config` count with the text and the config.
  const { locale = null, translationKey = null, feedGuid = null } = ownFields
  const isTranslated = locale !== null || translationKey !== null
  // Later fields are left out when the page does not have them, so that older pages keep their digests.
  const later = [
    ...(tags.length === 0 ? [] : [tags]),
    ...(isTranslated ? [{ locale, translationKey }] : []),
    ...(feedGuid === null ? [] : [{ feedGuid }]),
  ]
  const own = [publishDate, author, navOrder, parentPage, badge, ...later]
  const sortedMeta = Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1))
  const values = [title, slug, subroute, type, description, ogImageUrl, config, sortedMeta, own]
  // JSON escapes line breaks, so the separator is unambiguous. The Markdown, by far the longest part, would
  // take three times as long as a JSON string.
  return hash('sha256', `${JSON.stringify(values)}\n${markdown}`, 'base64url')
}
