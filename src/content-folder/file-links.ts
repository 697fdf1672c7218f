import { decoded } from '../domain/author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { literalPattern } from '../domain/literal-pattern.ts'
import { normalForm } from '../domain/normal-form.ts'
import { isFilePath, publicPath, relativeFile, type SiteRoutes, urlPath } from '../domain/route.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapProse } from '../page-text/map-prose.ts'
import { assetPath, isAssetFile, readAsset } from './asset-file.ts'
import { fileKind, PAGE_FILE, STATIC_FOLDER } from './file-kind.ts'
import { folderOf, isIndexFile, isReadme } from './page-name.ts'
import type { SiteAsset, SitePage } from './site.ts'

/**
 * Maps the path of each file in the content folder, composed (NFC), to its path on the site as links write it. The path of
 * a folder with an index ends with a slash.
 */
export interface Addresses extends Pick<ReadonlyMap<string, string>, 'get'> {
  /** Reports whether a file next to pages is at one of the addresses, unchanged. */
  isAttachment(file: string): boolean
  /** All of them lead to files, including paths in the form of a page; absent when such paths lead to pages. */
  readonly areFiles?: boolean
  /** A cheap test that every text with a link to one of the files passes; absent: none. */
  readonly hint?: RegExp
}

/** @param assets files of `static/`, and all attachments. */
export function addressesOf(
  pages: readonly Pick<SitePage, 'source' | 'subroute' | 'slug'>[],
  assets: readonly Pick<SiteAsset, 'source' | 'path'>[],
  routes: SiteRoutes,
): Addresses & ReadonlyMap<string, string> {
  const addresses = new Map([
    ...assets.map(({ source, path }) => [normalForm(source), assetPath(path)] as const),
    ...pages
      .filter(({ source }) => isIndexFile(source))
      .map((page) => [normalForm(folderKey(page.source)), pageAddress(publicPath(page, routes))] as const),
    ...pages.map((page) => [normalForm(page.source), pageAddress(publicPath(page, routes))] as const),
  ])
  const sources = assets.map(({ source }) => source)
  const attachments = new Set(
    sources.filter((source) => fileKind(source) !== 'static').map((source) => normalForm(source)),
  )
  return Object.assign(addresses, {
    hint: hintOf(sources),
    isAttachment: (file: string) => attachments.has(file),
  })
}

/** The path on the site of an asset or attachment; undefined if it cannot be served. */
export function assetAddress(source: string): string | undefined {
  const { asset } = readAsset(source)
  return asset === null ? undefined : assetPath(asset.path)
}

/** The end of a link to a folder. */
const FOLDER_END = '/[\\s)>#?"\']'

/** Matches the endings of the files, the folder of assets, and escapes. @param files all files, or all but pages. */
export function hintOf(files: readonly string[]): RegExp {
  const endings = new Set<string>()
  for (const file of files) {
    if (file.startsWith(STATIC_FOLDER) || PAGE_FILE.test(file)) continue
    const name = file.slice(file.lastIndexOf('/') + 1)
    endings.add(name.slice(Math.max(0, name.lastIndexOf('.'))))
  }
  const all = ['.md', '.markdown', '.yaml', '.json', STATIC_FOLDER, '%', ...[...endings].sort()]
  const named = all.map(literalPattern).join('|')
  return new RegExp(`${named}|${FOLDER_END}`, 'i')
}

/**
 * The path of a page as links write it: with a trailing slash where the path looks like that of a file, and encoded,
 * because Markdown ends a target at a blank.
 */
export function pageAddress(path: string): string {
  return urlPath(path.includes('.') ? `${path}/` : path)
}

/**
 * Resolves links to files of the content folder, which GitHub and editors follow, to paths on the site: in
 * `docs/a.md`, `../blog/one.md#part` becomes `/blog/one#part`, and `tram.png` becomes `/docs/tram.png`. Resolves
 * links in Markdown outside of code and in props of sections, and other fields that consist of the path of an asset.
 *
 * @returns the page, with the attachments that it names.
 */
export function withFileLinks(page: Omit<SitePage, 'attachments'>, addresses: Addresses): SitePage {
  const { source, markdown, config, ogImageUrl, ownFields } = page
  const { addresses: own, named } = noting(addresses)
  const field = <Value extends JsonValue>(value: Value) => assetsIn(value, source, own) as Value
  const { author } = ownFields
  const resolvedConfig = Object.entries(config).map(([name, value]) => {
    return [name, name === 'sections' ? resolvedIn(value, source, own) : field(value)]
  })
  const resolvedPage = {
    ...page,
    markdown: linksResolved(markdown, source, own),
    config: Object.fromEntries(resolvedConfig),
    ogImageUrl: field(ogImageUrl),
    ownFields: author?.avatar
      ? { ...ownFields, author: { ...author, avatar: field(author.avatar) } }
      : ownFields,
  }
  const attachments = named()
  return attachments.length === 0 ? resolvedPage : { ...resolvedPage, attachments }
}

/** Records the attachments that are looked up in addresses. `named` returns them sorted. */
export function noting(addresses: Addresses): {
  readonly addresses: Addresses
  readonly named: () => readonly string[]
} {
  const found = new Set<string>()
  const get = (file: string) => {
    const address = addresses.get(file)
    if (address !== undefined && addresses.isAttachment(file)) found.add(file)
    return address
  }
  return { addresses: { ...addresses, get }, named: () => [...found].sort() }
}

/** Resolves the file links of Markdown. Line breaks stay where they are. */
export function linksResolved(markdown: string, source: string, addresses: Addresses): string {
  if (addresses.hint?.test(markdown) === false) return markdown
  return mapProse(markdown, (text) => mapLinks(text, (target) => linkResolved(target, source, addresses)))
}

/** Resolves the texts in a value that consist of the path of an asset. Unchanged values stay the same objects. */
export function assetsIn(value: JsonValue, source: string, addresses: Addresses): JsonValue {
  if (typeof value === 'string')
    return /[./]/.test(value) && isAsset(linkedFile(value, source) ?? '', addresses)
      ? linkResolved(value, source, addresses)
      : value
  if (typeof value !== 'object' || value === null) return value
  const inner = Array.isArray(value) ? value : Object.values(value)
  const next = inner.map((one) => assetsIn(one, source, addresses))
  if (next.every((one, index) => one === inner[index])) return value
  if (Array.isArray(value)) return next
  return Object.fromEntries(Object.keys(value).map((name, index) => [name, next[index] ?? null]))
}

function resolvedIn(value: JsonValue, source: string, addresses: Addresses): JsonValue {
  if (typeof value === 'string') {
    // A single word may be the name of a file by accident.
    const whole = /[./]/.test(value) ? linkResolved(value, source, addresses) : value
    return whole === value ? linksResolved(value, source, addresses) : whole
  }
  if (Array.isArray(value)) return value.map((inner) => resolvedIn(inner, source, addresses))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, resolvedIn(inner, source, addresses)])
  return Object.fromEntries(entries) as JsonObject
}

/**
 * The path on the site of the file or folder that the target names, with its query and fragment; otherwise the target
 * itself.
 */
export function linkResolved(target: string, source: string, addresses: Addresses): string {
  const path = target.replace(/[?#].*$/s, '')
  const file = linkedFile(target, source)
  if (file === null) return target
  const address = path.endsWith('/')
    ? folderAddress(path, file, source, addresses)
    : fileAddress(file, addresses)
  if (address === undefined) return target
  const [rest = ''] = /[?#].*$/s.exec(target) ?? []
  const isFile = isFilePath(address) || addresses.areFiles === true
  if (path.endsWith('/') || !isAsset(file, addresses) || isFile) return `${address}${rest}`
  // Rendering would take an absolute path without an extension for that of a page.
  // Addresses are encoded already.
  const from = (addresses.get(normalForm(source)) ?? '/').replace(/(?<=.)\/$/, '')
  return `${relativeFile(from, '')}${address.slice(1)}${rest}`
}

function isAsset(file: string, { isAttachment }: Addresses): boolean {
  return isAssetFile(file) || isAttachment(file)
}

/** The path in the content folder that a target names, composed (NFC); null for a URL, a fragment and a query. */
export function linkedFile(target: string, source: string): string | null {
  if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target)) return null
  const path = target.replace(/[?#].*$/s, '')
  return normalForm(joined(path.startsWith('/') ? '' : folderOf(source), decoded(path)))
}

/** The address of a file. A readme that is not a page leads to the index of its folder instead. */
function fileAddress(file: string, addresses: Addresses): string | undefined {
  return addresses.get(file) ?? (isReadme(file) ? addresses.get(folderKey(file)) : undefined)
}

/**
 * Only of a folder next to the file or below, such as `./guides/`: other links already have a meaning as addresses, where
 * `../` of `/docs/a` is `/docs`. A folder that is named for the page has one too.
 */
function folderAddress(
  path: string,
  folder: string,
  source: string,
  addresses: Addresses,
): string | undefined {
  const isBelow = !path.startsWith('/') && !path.startsWith('..')
  const own = joined(source.replace(/(\.page)?\.[^./]+$/, ''), path)
  return isBelow && addresses.get(`${own}/`) === undefined ? addresses.get(`${folder}/`) : undefined
}

/** The folder of a file as a key of `Addresses`. */
export function folderKey(file: string): string {
  return `${folderOf(file)}/`
}

/** Joins paths. `..` never leaves the root, as in URLs. */
function joined(folder: string, path: string): string {
  const segments: string[] = []
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}
