import type { SitePage } from '../content-folder/site.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Addressed } from '../domain/route.ts'
import { writtenValueFields } from '../fields/page-fields.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import { writeYaml } from '../page-text/write-yaml.ts'
import { matchesAddress } from './file-name.ts'

/** Options for writing the file of a page. */
export interface WriteOptions {
  /** The parent of the docs page when its file has no `parent`. */
  readonly impliedParent: Addressed | null
  /** Names of fields that the file cannot have. */
  readonly omitted: ReadonlySet<string>
}

/** The text of a page's file. Fields with their default value are left out. */
export function pageText(page: SitePage, options: WriteOptions): string {
  const fields = Object.entries(pageFields(page, options))
  const values: JsonObject = Object.fromEntries(
    fields.filter(([name, value]) => value !== null && (name === 'title' || !options.omitted.has(name))),
  )
  const parent = parentField(page, options)
  const all = { ...values, ...parent }
  return page.source.endsWith('.md') ? writeFrontMatter(all, page.markdown) : writeYaml(all)
}

/** The fields of the file. Null fields are left out. */
function pageFields(page: SitePage, { omitted }: WriteOptions): JsonObject {
  const { source, type, title, subroute, slug, description, ogImageUrl, meta, draft } = page
  const { redirect_from: redirectFrom = null, ...config } = page.config
  const { layout = null, ...unnamed } = config
  const isNamed = typeof layout === 'string'
  const matches = matchesAddress(source, page)
  return {
    title: omitted.has('title') ? slug : title,
    type: type === (source.endsWith('.md') ? 'docs' : 'page') ? null : type,
    subroute: matches.folder ? null : subroute,
    slug: matches.name ? null : slug,
    redirect_from: redirectFrom,
    layout: isNamed ? layout : null,
    draft: draft ? true : null,
    description: description === '' ? null : description,
    meta: unlessEmpty({ ...meta }),
    og_image_url: ogImageUrl,
    ...writtenValueFields(page.ownFields),
    ...configFields(type, isNamed ? unnamed : config),
  }
}

/** Splits a config into the fields that a file has for its parts. */
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

/** The full address, because a slug alone could match a closer page. */
function parentText({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}

function unlessEmpty(value: JsonObject): JsonValue {
  return Object.keys(value).length === 0 ? null : value
}
