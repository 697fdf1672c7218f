import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import { sectionsJsonSchema } from '../sections/json-schema.ts'
import { PAGE_SCHEMAS } from './page-fields.ts'
import { SITE_SCHEMA } from './site-fields.ts'

/** `site` is `site.yaml`; the others are the file of a page of that type. */
export const FILE_KINDS = ['site', ...PAGE_TYPES] as const
export type FileKind = (typeof FILE_KINDS)[number]

/**
 * What a file of a content folder may say, as JSON Schema 2020-12: an editor completes and checks with
 * it what is written in YAML, JSON or front matter. What it refuses, reading the folder refuses too.
 */
export function fileJsonSchema(kind: FileKind): JsonObject {
  const schema = kind === 'site' ? SITE_SCHEMA : PAGE_SCHEMAS[kind]
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const described = {
    ...converted,
    ...TITLES[kind],
    ...(kind !== 'site' && { properties: withDescriptions(converted) }),
  }
  if (kind === 'page') return withSections(described)
  // The fields of an item may stand beside its title.
  return kind === 'item' ? { ...described, additionalProperties: true } : described
}

function withDescriptions({ properties }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(properties)).map(([name, schema]) => [
      name,
      { description: PAGE[name] ?? '', ...objectOf(schema) },
    ]),
  )
}

/** Editors know references to the top of the document alone. */
function withSections(schema: JsonObject): JsonObject {
  const { $schema: _, $defs, title: __, ...sections } = sectionsJsonSchema()
  return {
    ...schema,
    properties: { ...objectOf(schema['properties']), sections },
    $defs: { ...objectOf(schema['$defs']), ...objectOf($defs) },
  }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

const TITLES: Readonly<Record<FileKind, { readonly title: string; readonly description: string }>> = {
  site: { title: 'site.yaml', description: 'The name and the settings of a site.' },
  page: { title: 'A page', description: 'A page made of sections, or of Markdown.' },
  article: { title: 'An article', description: 'A page with a date and an author, listed with its like.' },
  docs: { title: 'A docs page', description: 'A page with a place in the tree of the docs.' },
  item: { title: 'An item', description: 'A page that shows fields of your own, written beside its title.' },
}

const PAGE: Readonly<Record<string, string>> = {
  title: 'What the page is called.',
  type: 'What kind of page this is; where nothing is said, the folder decides.',
  description: 'One or two sentences for search engines, previews and lists.',
  slug: 'The last part of the address, instead of the name of the file.',
  subroute: 'The first part of the address, instead of the folder.',
  og_image_url: 'The picture that is shown where somebody shares a link to the page.',
  meta: 'What search engines are told instead of title and description.',
  lang: 'The language of the page, e.g. `en` or `zh-Hans`.',
  redirect_from:
    'Paths that lead to this page besides its own, e.g. where it was before: `/old/page` or `/old/page.html`.',
  draft: '`true` keeps the page from being published.',
  sections: 'What the page is made of, from the top down.',
  theme: 'A theme for this page alone.',
  publish_date: 'When the article is dated, e.g. `2026-03-01`.',
  author: 'Who wrote it: a name, or `name` and `avatar`.',
  nav_order: 'The place among the pages beside it; lower comes first.',
  badge: 'A short mark beside the title in the sidebar, e.g. `new`.',
  parent: 'The page this stands beneath: its slug, or its subroute and slug. `null` for the top of the tree.',
  edit_url: 'Where this page is edited.',
  last_updated: 'When the text was last edited, e.g. `2026-03-01`.',
  fields: 'Fields of your own, shown as a list.',
  config: "Anything else that the page's config is to hold.",
}
