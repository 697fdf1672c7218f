import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { humanised } from '../page-text/humanise.ts'
import type { PageTarget } from './conversion.ts'
import { readSourceDate } from './source-date.ts'

export interface ConvertedFields {
  readonly fields: JsonObject
  readonly body: string
  /** What front matter said that has no place in the new page. */
  readonly lost: readonly string[]
  /** Names of fields that stayed in `config`, where nothing reads them. */
  readonly unread: readonly string[]
}

/** When the text was last edited, in the words of Quoin, Hugo, Jekyll, others and VitePress. */
const UPDATED_FIELDS: readonly string[] = [
  ...['last_updated', 'lastmod', 'last_modified_at', 'last_modified', 'modified', 'updated', 'lastUpdated'],
]
/** When an article was published, in the words of all of them. */
const PUBLISHED_FIELDS = ['date', 'publishDate'] as const
/** The picture of a page, in the words of Hugo, Jekyll and their themes; the first that there is. */
const IMAGE_FIELDS = [
  'og_image',
  'image',
  'images',
  'cover',
  'featured_image',
  'featuredImage',
  'cover_image',
  'thumbnail',
]
/** What Quoin reads of `config` by the same name. */
const CONFIG_FIELDS_READ = new Set(['edit_url', 'badge'])
/** Where a page stands among others, in the words of Hugo, Jekyll and others. */
const ORDER_FIELDS = ['weight', 'nav_order', 'order', 'sidebar_position'] as const
/** Fields that are carried over under a name of their own, or only say where a page is and how it is drawn. */
const CONVERTED = new Set([
  ...['title', 'linkTitle', 'description', 'summary', 'excerpt', 'date', 'publishDate', 'author', 'authors'],
  ...['draft', 'published', 'lang', 'slug', 'url', 'aliases', 'redirect_from', ...ORDER_FIELDS],
  ...['permalink', 'layout', 'type', 'toc', 'outline', 'aside'],
  ...['sidebar', 'sidebar_label', 'navbar', 'editLink', 'eleventyNavigation', ...UPDATED_FIELDS],
])
/** Fields that do something which a page of Quoin does in another way. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  redirect_to: 'a redirect to another address',
  head: 'elements of the head',
  pagination: 'pages made from data',
  cascade: 'fields for the pages beneath it',
  prev: 'a page before it that does not follow from the order',
  menu: 'an entry of a menu; nav_links of site.yaml are the links above all pages',
  menus: 'an entry of a menu; nav_links of site.yaml are the links above all pages',
  next: 'a page after it that does not follow from the order',
}
const HEADING =
  /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\{(?:[^{}\n]*[ \t:])?(#[^\s{}]+)?[^{}\n]*\}[ \t]*)?(?:\r?\n|$)/
const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 500

/**
 * The fields of a page in the words of a content folder. What has no word there stays in `config`, for themes and
 * machines.
 *
 * @param dated when the name of the file says so, ISO 8601.
 */
export function convertFields(
  former: JsonObject,
  body: string,
  { type, lang }: PageTarget,
  {
    name,
    dated,
    order,
    redirectFrom,
    linkTo,
  }: {
    readonly name: string
    readonly dated: string | null
    readonly order: number | null
    readonly redirectFrom: readonly string[]
    readonly linkTo: (target: string) => string | null
  },
): ConvertedFields {
  const heading = HEADING.exec(body)
  const title =
    textOf(former['title']) ?? textOf(former['linkTitle']) ?? plainText(heading?.[1]) ?? humanised(name)
  const description = textOf(former['description']) ?? textOf(former['summary']) ?? textOf(former['excerpt'])
  const picture = imageOf(former, linkTo)
  const others = Object.entries(former).filter(
    ([field, value]) => !CONVERTED.has(field) && !Object.hasOwn(UNSUPPORTED, field) && !isImage(field, value),
  )
  const config = { ...(type === 'article' && coverOf(picture)), ...Object.fromEntries(others) }
  const fields = {
    type: type === 'docs' ? undefined : type,
    title: title.slice(0, LONGEST_TITLE),
    description: description?.slice(0, LONGEST_DESCRIPTION),
    lang: textOf(former['lang']) ?? lang,
    og_image_url: picture?.url ?? undefined,
    redirect_from: redirectFrom.length === 0 ? undefined : redirectFrom,
    draft: former['draft'] === true || former['published'] === false ? true : undefined,
    ...(type === 'article' && {
      publish_date: dateIn(former, PUBLISHED_FIELDS) ?? readSourceDate(dated ?? undefined) ?? undefined,
      author: authorOf(former),
    }),
    ...((type === 'article' || type === 'docs') && { last_updated: dateIn(former, UPDATED_FIELDS) }),
    ...(type === 'docs' && { nav_order: orderOf(former) ?? order ?? undefined }),
    config: Object.keys(config).length === 0 ? undefined : config,
  }
  // A page shows its title itself.
  const isTitle = heading !== null && (plainText(heading[1]) === title || former['title'] === undefined)
  return {
    fields: Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    ) as JsonObject,
    body: isTitle ? body.slice(heading[0].length).replace(/^(\r?\n)+/, '') : body,
    unread: others.map(([field]) => field).filter((field) => !CONFIG_FIELDS_READ.has(field)),
    lost: [
      ...Object.keys(former).flatMap((field) =>
        Object.hasOwn(UNSUPPORTED, field) ? [`${field}: ${UNSUPPORTED[field]}`] : [],
      ),
      ...(type === 'article'
        ? ORDER_FIELDS.filter((field) => former[field] !== undefined).map(
            (field) => `${field}: articles are listed by their dates`,
          )
        : []),
      ...(isTitle && heading[2] !== undefined ? [`${heading[2]}: the title of a page has no anchor`] : []),
      ...imageMessages(picture, former),
      ...dateMessages(former, type),
      ...truncationMessages('title', title, LONGEST_TITLE),
      ...truncationMessages('description', description ?? '', LONGEST_DESCRIPTION),
    ],
  }
}

function truncationMessages(field: string, text: string, longest: number): readonly string[] {
  return text.length > longest ? [`${field}: what is beyond ${longest} characters`] : []
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined
}

function plainText(heading: string | undefined): string | undefined {
  return textOf(heading?.replace(/<[^<>]*>/g, '').replace(/[`*_]/g, ''))
}

function authorOf({ author, authors }: JsonObject): string | undefined {
  const [first] = [authors ?? author].flat()
  return textOf(isJsonObject(first) ? first['name'] : (first as JsonValue | undefined))
}

interface SourceImage {
  readonly field: string
  /** Null where a page cannot have it. */
  readonly url: string | null
  /** What it shows, in words; empty where they are not known. */
  readonly alt: string
}

function imageOf(former: JsonObject, linkTo: (target: string) => string | null): SourceImage | null {
  const field = IMAGE_FIELDS.find((name) => isImage(name, former[name]))
  const address = field && addressIn(former[field])
  if (field === undefined || address === undefined) return null
  // Many themes take a relative one to be of the site, not of the page.
  const url = linkTo(address) ?? linkTo(`/${address}`) ?? address
  const [first] = [former[field]].flat()
  return {
    field,
    url: /^(?:\/(?!\/)|https?:\/\/[^/])[^\s\\]*$/i.test(url) ? url : null,
    alt: (isJsonObject(first) ? textOf(first['alt']) : undefined) ?? '',
  }
}

function isImage(field: string, value: JsonValue | undefined): boolean {
  return IMAGE_FIELDS.includes(field) && addressIn(value) !== undefined
}

/** Only here are words for a picture read; without them the one for sharing is shown. */
function coverOf(picture: SourceImage | null): JsonObject {
  if (picture === null || picture.url === null || picture.alt === '') return {}
  return { image: { src: picture.url, alt: picture.alt } }
}

function imageMessages(picture: SourceImage | null, former: JsonObject): readonly string[] {
  if (picture === null) return []
  const { field, url } = picture
  const others = Object.keys(former).filter((name) => name !== field && isImage(name, former[name]))
  return [
    ...(url === null ? [`${field}: it leads to no picture`] : []),
    ...([former[field]].flat().length > 1 ? [`${field}: a page has one; the others are left out`] : []),
    ...others.map((name) => `${name}: a page has one picture, which ${field} names`),
  ]
}

/** Of a list the first; of an object what it calls the address. */
function addressIn(value: JsonValue | undefined): string | undefined {
  const [first] = [value].flat()
  if (!isJsonObject(first)) return textOf(first)
  return textOf(first['path'] ?? first['src'] ?? first['url'] ?? first['image'])
}

function dateIn(former: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => readSourceDate(former[name])).find((date) => date !== null) ?? undefined
}

/** Dates that the page will not have: those that are none, and when a page came out that is no article. */
function dateMessages(former: JsonObject, type: PageTarget['type']): readonly string[] {
  return [...PUBLISHED_FIELDS, ...UPDATED_FIELDS].flatMap((name) => {
    const value = former[name] ?? ''
    // VitePress switches it off by a boolean.
    if (typeof value === 'boolean' || (typeof value === 'string' && value.trim() === '')) return []
    if (readSourceDate(value) === null) return [`${name}: ${quoted(value)} is no date that can be read`]
    const isShown = type === 'article' || (type === 'docs' && UPDATED_FIELDS.includes(name))
    return isShown
      ? []
      : [
          `${name}: only articles have a date${type === 'docs' ? ', and docs pages one of their last edit' : ''}`,
        ]
  })
}

function quoted(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : JSON.stringify(value).slice(0, 80)
}

function orderOf(former: JsonObject): number | undefined {
  const navigation = isJsonObject(former['eleventyNavigation'])
    ? former['eleventyNavigation']['order']
    : undefined
  const given = [...ORDER_FIELDS.map((name) => former[name]), navigation]
  return given.find((value): value is number => Number.isInteger(value))
}
