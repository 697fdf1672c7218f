import { isLinkAddress, isWebAddress, LINK_ADDRESS_RULE, WEB_ADDRESS_RULE } from './author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import type { Author, TypeFields } from './page.ts'
import { MAX_AUTHOR_LENGTH } from './page-limits.ts'
import type { DataFault } from './site-data.ts'
import { MAX_TAG_ADDRESS_BYTES, tagAddress } from './tag.ts'

/*
 * Authors that a site describes once, by a short name under `authors` of its data. Articles name them by either name,
 * and each has a list and a feed of their articles in each blog.
 */

/** An author as the site describes them. */
interface SiteAuthor extends Author {
  /** The last segment of the addresses of their lists. */
  readonly address: string
  readonly links: readonly AuthorLink[]
}

interface AuthorLink {
  readonly label: string
  readonly href: string
}

const MAX_LINKS = 20

/** Cached by the data of a site, because all articles read it. */
const known = new WeakMap<JsonObject, ReadonlyMap<string, SiteAuthor>>()

/** The author with this name, short or full; null for one that the site does not describe. */
export function siteAuthor(data: JsonObject, name: string): SiteAuthor | null {
  const authors = known.get(data) ?? authorsIn(data)
  known.set(data, authors)
  return authors.get(tagAddress(name)) ?? null
}

/** The fields of an article with what the site says about its author, where the article itself says nothing. */
export function withSiteAuthor(fields: TypeFields, data: JsonObject): TypeFields {
  const { author } = fields
  const described = author === null ? null : siteAuthor(data, author.name)
  if (author === null || described === null) return fields
  const { links: _, ...page } = described
  return { ...fields, author: { ...page, ...author, name: page.name, avatar: author.avatar ?? page.avatar } }
}

/** The folder of the list of an author's articles in a blog. @param blog the folder of the blog. */
export function authorFolder(blog: string, address: string): string {
  return blog === '' ? `authors/${address}` : `${blog}/authors/${address}`
}

/** Reports whether the folder is that of the list of an author, if articles are by them. */
export function isAuthorFolder(folder: string): boolean {
  return /(?:^|\/)authors\/[^/]+$/.test(folder)
}

/** The values under `authors` that articles cannot use. */
export function authorFaults({ authors: written }: JsonObject): readonly DataFault[] {
  if (!isJsonObject(written)) return []
  const byAddress = new Map<string, string>()
  return Object.entries(written).flatMap(([key, value]) => {
    const address = tagAddress(key)
    const other = byAddress.get(address)
    if (other === undefined) byAddress.set(address, key)
    const messages: readonly DataFault[] =
      other === undefined
        ? entryFaults(value, address)
        : [{ path: [], message: `has the same short name as ${other}.` }]
    return messages.map(({ path, message }) => ({ path: ['authors', key, ...path], message }))
  })
}

function entryFaults(value: JsonValue, address: string): readonly DataFault[] {
  if (!isJsonObject(value))
    return [{ path: [], message: 'must be an object, such as { name: Ines Marlow }.' }]
  if (address === '' || Buffer.byteLength(address) > MAX_TAG_ADDRESS_BYTES)
    return [{ path: [], message: SHORT_NAME_RULE }]
  return [
    ...textFaults(value, 'name', isOneLine, ONE_LINE_RULE),
    ...textFaults(value, 'bio'),
    ...textFaults(value, 'avatar', isWebAddress, WEB_ADDRESS_RULE),
    ...textFaults(value, 'url', isLinkAddress, LINK_ADDRESS_RULE),
    ...linkFaults(value['links'] ?? []),
  ]
}

const SHORT_NAME_RULE = `must have a short name with a letter or digit, and at most ${MAX_TAG_ADDRESS_BYTES} bytes in UTF-8.`
const ONE_LINE_RULE = `must be one line of at most ${MAX_AUTHOR_LENGTH} characters.`

function linkFaults(links: JsonValue): readonly DataFault[] {
  if (!Array.isArray(links))
    return [{ path: ['links'], message: 'must be a list of objects with label and href.' }]
  if (links.length > MAX_LINKS)
    return [{ path: ['links'], message: `must have at most ${MAX_LINKS} entries.` }]
  return links.flatMap((link: JsonValue, index) => {
    const faults = isJsonObject(link)
      ? [
          ...(textOf(link['label']) === null ? [{ path: ['label'], message: 'must be a text.' }] : []),
          ...(textOf(link['href']) === null
            ? [{ path: ['href'], message: LINK_ADDRESS_RULE }]
            : textFaults(link, 'href', isLinkAddress, LINK_ADDRESS_RULE)),
        ]
      : [{ path: [], message: 'must be an object with label and href.' }]
    return faults.map(({ path, message }) => ({ path: ['links', index, ...path], message }))
  })
}

/** Reports errors of a text that may be absent, null or blank. */
function textFaults(
  of: JsonObject,
  name: string,
  isRight: (text: string) => boolean = () => true,
  rule = 'must be a text.',
): readonly DataFault[] {
  const value = of[name] ?? ''
  if (typeof value !== 'string') return [{ path: [name], message: 'must be a text.' }]
  const text = value.trim()
  return text === '' || isRight(text) ? [] : [{ path: [name], message: rule }]
}

function isOneLine(text: string): boolean {
  return [...text].length <= MAX_AUTHOR_LENGTH && !/\p{Cc}/u.test(text)
}

/** By their addresses, and by those of their full names unless these are other authors' short ones. */
function authorsIn({ authors: written }: JsonObject): ReadonlyMap<string, SiteAuthor> {
  if (!isJsonObject(written)) return new Map()
  const authors = Object.entries(written).flatMap(([key, value]) => readAuthor(key, value))
  return new Map([
    ...authors.map((author) => [tagAddress(author.name), author] as const),
    ...authors.map((author) => [author.address, author] as const),
  ])
}

function readAuthor(key: string, value: JsonValue): readonly SiteAuthor[] {
  const address = tagAddress(key)
  if (!isJsonObject(value) || address === '' || Buffer.byteLength(address) > MAX_TAG_ADDRESS_BYTES) return []
  const text = (name: string) => textOf(value[name])
  const [bio, url] = [text('bio'), text('url')]
  const links = Array.isArray(value['links']) ? value['links'] : []
  return [
    {
      name: text('name') ?? key,
      address,
      avatar: text('avatar'),
      ...(bio !== null && { bio }),
      ...(url !== null && { url }),
      links: links.flatMap(readLink).slice(0, MAX_LINKS),
    },
  ]
}

function readLink(value: JsonValue): readonly AuthorLink[] {
  const [label, href] = isJsonObject(value) ? [textOf(value['label']), textOf(value['href'])] : [null, null]
  return label === null || href === null ? [] : [{ label, href }]
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
