import type { SitePage } from '../content-folder/site.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Addressed } from '../domain/route.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import { writeYaml } from '../page-text/write-yaml.ts'
import { matchesAddress } from './file-name.ts'

/** How a page is to be written. */
export interface WriteOptions {
  /** The docs page it would stand beneath if its file did not say. */
  readonly impliedParent: Addressed | null
  /** Names of fields that the file cannot hold. */
  readonly omitted: ReadonlySet<string>
}

/** The file of a page, as far as a content folder can say it: what can be left out is. */
export function pageText(page: SitePage, writing: WriteOptions): string {
  const fields = Object.entries(pageFields(page, writing))
  const values: JsonObject = Object.fromEntries(
    fields.filter(([name, value]) => value !== null && (name === 'title' || !writing.omitted.has(name))),
  )
  const told = parentField(page, writing)
  const all = { ...values, ...told }
  return page.source.endsWith('.md') ? writeFrontMatter(all, page.markdown) : writeYaml(all)
}

/** Null is what is left out. */
function pageFields(page: SitePage, { omitted }: WriteOptions): JsonObject {
  const { source, type, title, subroute, slug, description, ogImageUrl, meta, draft } = page
  const { redirect_from: redirectFrom = null, ...config } = page.config
  const { publishDate = null, author = null, navOrder = null } = page.ownFields
  const says = matchesAddress(source, page)
  return {
    title: omitted.has('title') ? slug : title,
    type: type === (source.endsWith('.md') ? 'docs' : 'page') ? null : type,
    subroute: says.folder ? null : subroute,
    slug: says.name ? null : slug,
    redirect_from: redirectFrom,
    draft: draft ? true : null,
    description: description === '' ? null : description,
    meta: unlessEmpty({ ...meta }),
    og_image_url: ogImageUrl,
    publish_date: publishDate,
    author: author?.avatar === null ? author.name : author && { ...author },
    nav_order: navOrder,
    ...configFields(type, config),
  }
}

/** The parts of a config that have a field of their own. */
function configFields(type: SitePage['type'], config: JsonObject): JsonObject {
  if (type === 'item') return { fields: unlessEmpty(config) }
  if (type !== 'page') return { config: unlessEmpty(config) }
  const { theme = null, sections = null, ...others } = config
  const isNamed = typeof theme === 'string'
  return {
    theme: isNamed ? theme : null,
    config: unlessEmpty({
      ...others,
      ...('theme' in config && !isNamed && { theme }),
      ...('sections' in config && sections === null && { sections }),
    }),
    sections,
  }
}

function parentField(
  { type, parent }: SitePage,
  { impliedParent: usualParent, omitted }: WriteOptions,
): JsonObject {
  const wanted = omitted.has('parent') ? null : parent
  if (type !== 'docs' || isSame(wanted, usualParent)) return {}
  return { parent: wanted && parentText(wanted) }
}

function isSame(a: Addressed | null, b: Addressed | null): boolean {
  return a?.slug === b?.slug && a?.subroute === b?.subroute
}

/** Never a slug alone, which could be that of a page nearer by. */
function parentText({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}

function unlessEmpty(value: JsonObject): JsonValue {
  return Object.keys(value).length === 0 ? null : value
}
