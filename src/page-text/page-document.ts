import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Collections } from '../domain/live-page.ts'
import { type Page, sectionsOf } from '../domain/page.ts'
import { sectionsDocument } from '../sections/document.ts'
import { normalizeImage } from '../sections/image.ts'
import { withMarkdown } from '../sections/markdown-section.ts'
import { heading, image } from '../sections/markdown-text.ts'
import { firstHeading } from './first-heading.ts'
import { type FrontMatter, splitFrontMatter } from './front-matter.ts'
import { itemMarkdown } from './item-markdown.ts'
import { writeFrontMatter } from './write-front-matter.ts'

/** The part of a page that its Markdown document shows. */
export type DocumentContent = Pick<Page, 'type' | 'title' | 'config' | 'markdown'>

const CONFIG_OMITTED = 'config is left out: front matter cannot hold it. The JSON of the page has it.'

/**
 * A page as one Markdown document: YAML front matter with its config, then its Markdown as written, with sections and
 * the fields of items in readable form.
 *
 * Keeps the author's own front matter, except names in `stated`. A comment replaces a config that exceeds the
 * limits of `splitFrontMatter`.
 *
 * @param collections pages that its `posts` sections show.
 * @param stated front matter about the page, by wire name; nulls are left out.
 * @param config what the front matter has of the page's config.
 */
export function pageDocument(
  page: DocumentContent,
  stated: JsonObject,
  collections: Collections,
  config: JsonObject = page.config,
): string {
  const source = splitFrontMatter(page.markdown)
  const values = { ...withoutNulls(stated), ...withoutNames(source.frontMatter, stated) }
  const body = documentBody(page, source.body, collections)
  const comments = commentsOn(source)
  if (Object.keys(config).length === 0) return writeFrontMatter(values, body, comments)

  const whole = writeFrontMatter({ ...values, config }, body, comments)
  if (splitFrontMatter(whole).error === null) return whole
  return writeFrontMatter(values, body, [...comments, CONFIG_OMITTED])
}

/** @param markdown of the page, without front matter. */
function documentBody(page: DocumentContent, markdown: string, collections: Collections): string {
  switch (page.type) {
    case 'page':
      return plainDocument(page, markdown, collections)
    case 'item':
      return `${itemDocument(page, markdown)}\n`
    default:
      return markdown
  }
}

/** The Markdown of a page below its sections, or in its place among them. */
function plainDocument(page: DocumentContent, markdown: string, collections: Collections): string {
  const heading = firstHeading(markdown)
  const text = heading?.text === page.title ? heading.rest : markdown
  const { sections, below } = withMarkdown(sectionsOf(page), text)
  const parts = [sectionsDocument(page.title, sections, collections), below.trim()]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function itemDocument({ title, config }: DocumentContent, markdown: string): string {
  const cover = normalizeImage(config['image'] ?? null)
  const parts = [
    heading(1, title),
    cover === null ? null : image(String(cover['alt'] ?? ''), String(cover['src'])),
    itemMarkdown(config),
    markdown.trim(),
  ]
  return parts.filter((part) => part !== null && part !== '').join('\n\n')
}

function withoutNames(frontMatter: JsonObject, stated: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(frontMatter).filter(([name]) => !Object.hasOwn(stated, name)))
}

/** Also removes objects that contain only nulls. */
function withoutNulls(object: JsonObject): JsonObject {
  const told: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(object)) {
    const kept = isJsonObject(value) ? withoutNulls(value) : value
    const isEmpty = kept === null || (isJsonObject(kept) && Object.keys(kept).length === 0)
    if (!isEmpty) told.push([name, kept])
  }
  return Object.fromEntries(told)
}

function commentsOn({ error }: FrontMatter): readonly string[] {
  if (error === null) return []
  const message = error.message.replace(/\s+/g, ' ')
  return [`The author's own front matter is left out. Line ${error.line}: ${message}`]
}
