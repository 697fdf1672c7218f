import { moment } from './fields.ts'
import { isAbove, LEGACY_TYPES, parentOf, shownFields } from './page-shapes.ts'
import {
  type Author,
  type Content,
  type Json,
  type OwnFields,
  type PageType,
  pageAt,
  pagesOf,
  type World,
} from './world.ts'

/* The changes of a request body to a page, and its errors. */

export type Surface = 'current' | 'legacy'

/** Fields of a body under the names of the current surface. */
export interface PageFields {
  readonly title?: string
  readonly slug?: string
  readonly subroute?: string
  readonly type?: PageType
  readonly description?: string
  readonly og_image_url?: string | null
  readonly meta?: Json
  readonly config?: Json
  readonly markdown_content?: string
  readonly tags?: readonly string[]
  readonly publish_date?: string | null
  readonly author?: Author | string | null
  readonly nav_order?: number
  /** A page by number; null for none. */
  readonly parent?: number | null
}

/** How a body spells what has two names. */
export interface Spelling {
  readonly title: 'title' | 'page_name'
  /** Types under their legacy names, where they have one. */
  readonly legacyTypes: boolean
}

/** The body that is sent, as JSON would have it. */
export function bodyOf(world: World, fields: PageFields, spelling: Spelling): Record<string, unknown> {
  const { title, parent, type, ...others } = fields
  const parentId = typeof parent === 'number' ? (world.pages[parent]?.id ?? 'zzzzzzzzzzzzzzzz') : null
  return {
    ...others,
    ...(title !== undefined && { [spelling.title]: title }),
    ...(type !== undefined && { type: spelling.legacyTypes && type !== 'item' ? LEGACY_TYPES[type] : type }),
    ...(parent !== undefined && { parent_page: parentId === null ? null : `page_${parentId}` }),
  }
}

const LEGACY_FIELDS = ['title', 'slug', 'subroute', 'type', 'config', 'markdown_content']

/** The fields that a surface reads from a body; the legacy surface ignores unknown ones. */
export function readBy(surface: Surface, fields: PageFields): PageFields {
  if (surface === 'current') return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => LEGACY_FIELDS.includes(name)))
}

/** The page that a create makes. */
export function newContent(fields: PageFields): Content {
  const { title = '', slug = '', subroute = '', type = 'page', ...others } = fields
  return {
    title,
    slug: slug.toLowerCase(),
    subroute: trimmed(subroute),
    type,
    description: others.description ?? '',
    og_image_url: others.og_image_url ?? null,
    meta: withoutNulls(others.meta ?? {}),
    config: others.config ?? {},
    markdown_content: others.markdown_content ?? '',
    own: ownFields(others),
  }
}

/**
 * The page after an update; the very same object when it writes nothing.
 *
 * A field of the type that is sent back as it is shown is no write: it goes on coming from where it comes.
 */
export function editedContent(world: World, index: number, surface: Surface, fields: PageFields): Content {
  const { content } = pageAt(world, index)
  const given = readBy(surface, withoutEchoes(world, index, fields))
  const { title, slug, subroute, type, description, og_image_url, meta, config, markdown_content } = given
  // The legacy surface shows an item as a page, and may change the type of the others.
  const newType = surface === 'legacy' && content.type !== 'item' && type !== content.type ? type : undefined
  const written = {
    ...(title !== undefined && { title }),
    ...(slug !== undefined && { slug: slug.toLowerCase() }),
    ...(subroute !== undefined && { subroute: trimmed(subroute) }),
    ...(newType !== undefined && { type: newType }),
    ...(description !== undefined && { description }),
    ...(og_image_url !== undefined && { og_image_url }),
    ...(meta !== undefined && { meta: withoutNulls({ ...content.meta, ...meta }) }),
    ...(config !== undefined && { config }),
    ...(markdown_content !== undefined && { markdown_content }),
  }
  const own = ownFields(given)
  if (Object.keys(written).length === 0 && Object.keys(own).length === 0) return content
  return { ...content, ...written, own: { ...content.own, ...own } }
}

/** Whether each field holds to the rules for writing it. */
export function areValid(
  world: World,
  at: { index: number; project: number; surface: Surface },
  fields: PageFields,
): boolean {
  const { surface, index } = at
  const stored = world.pages[index]?.content
  const { slug, subroute, type, config, parent } = readBy(surface, fields)
  const typeAfter =
    stored === undefined || (surface === 'legacy' && stored.type !== 'item')
      ? (type ?? stored?.type ?? 'page')
      : stored.type
  const configAfter =
    config ?? (stored !== undefined && typeAfter !== stored.type ? stored.config : undefined)
  const isUpdate = stored !== undefined && surface === 'current'
  const written =
    stored === undefined ? parent : ownFields(withoutEchoes(world, index, { parent: parent ?? null })).parent
  return (
    (slug === undefined ||
      (isUpdate ? slug === stored.slug || isUpdateSlug(slug) : isSlug(slug.toLowerCase()))) &&
    (subroute === undefined || trimmed(subroute) === '' || trimmed(subroute).split('/').every(isSlug)) &&
    (!isUpdate || type === undefined || type === stored.type) &&
    (configAfter === undefined || typeAfter !== 'page' || isPageConfig(configAfter)) &&
    (typeAfter !== 'docs' ||
      typeof parent !== 'number' ||
      written == null ||
      (world.pages[written]?.project === at.project && isAbove(world, written, index)))
  )
}

/** Another page of the project that has the address. */
export function isTaken(world: World, project: number, index: number, { slug, subroute }: Content): boolean {
  return pagesOf(world, project).some(
    (page) => page.index !== index && page.content.slug === slug && page.content.subroute === subroute,
  )
}

function withoutEchoes(world: World, index: number, fields: PageFields): PageFields {
  const echoes = shownFields(world, index)
  const parent = 'parent_page' in echoes ? parentOf(world, index) : undefined
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) =>
      name === 'parent'
        ? parent === undefined || value !== parent
        : !(name in echoes) || JSON.stringify(echoes[name]) !== JSON.stringify(value),
    ),
  )
}

function ownFields({ tags, publish_date, author, nav_order, parent }: PageFields): OwnFields {
  return {
    ...(tags !== undefined && { tags }),
    ...(publish_date !== undefined && { publish_date: moment(publish_date) }),
    ...(author !== undefined && {
      author: typeof author === 'string' ? { name: author, avatar: null } : author,
    }),
    ...(nav_order !== undefined && { nav_order }),
    ...(parent !== undefined && { parent }),
  }
}

const isSlug = (text: string) => /^[a-z0-9-]{1,100}$/.test(text) && /[a-z0-9]/.test(text)
const isUpdateSlug = (text: string) => isSlug(text) && text.length >= 3

function isPageConfig({ sections = [], theme = 'default' }: Json): boolean {
  return Array.isArray(sections) && ['default', 'dark', 'minimal'].includes(String(theme))
}

function trimmed(subroute: string): string {
  return subroute.replace(/^\/+|\/+$/g, '').toLowerCase()
}

function withoutNulls(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
