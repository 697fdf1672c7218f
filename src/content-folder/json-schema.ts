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
  const described = { ...converted, ...TITLES[kind], properties: withDescriptions(kind, converted) }
  if (kind === 'page') return withSections(described)
  // The fields of an item may stand beside its title.
  return kind === 'item' ? { ...described, additionalProperties: true } : described
}

function withDescriptions(kind: FileKind, { properties }: JsonObject): JsonObject {
  const of = kind === 'site' ? SITE : PAGE
  return Object.fromEntries(
    Object.entries(objectOf(properties)).map(([name, schema]) => [
      name,
      { description: of[name] ?? '', ...objectOf(schema) },
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

const SITE: Readonly<Record<string, string>> = {
  name: 'What the site is called.',
  url: 'Where the site is read, e.g. `https://example.com`: it stands in canonical links, sitemap and feeds.',
  theme: 'The look of the site: `default`, `dark`, `minimal`, or one of your own.',
  meta_title: 'The title of pages that have none of their own for search engines.',
  meta_description: 'The description of pages that have none.',
  og_image_url: 'The picture of pages that have none, where somebody shares a link.',
  favicon_url: 'The small picture in the tab of a browser: .ico, .png or .svg.',
  logo: 'The picture at the top of each page: .png, .jpg or .svg.',
  google_analytics_id: 'A measurement id, e.g. `G-ABC1234567`.',
  nav_links: 'The links at the top of each page.',
  footer_text: 'One text at the foot of each page.',
  shared_footer: 'The foot of each page: links, or groups of them, and a copyright line.',
  docs_nav: 'The sidebar of the docs, where it is not to follow from the pages.',
  branding: '`primary_color`, `font`, and `lang`: the language of pages that do not say theirs.',
  site_routes: 'Subroutes, and the paths they are served under instead.',
  custom_css: 'CSS that follows that of the theme.',
  custom_head_html: "HTML at the end of each page's head.",
  edit_base: 'Where the files of the folder are edited: articles and docs pages link there.',
  types: 'Folders, and the type of the pages in them.',
}
