import { posix } from 'node:path'
import { stringify } from 'yaml'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { humanise } from '../page-text/humanise.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { convertPage, fileOf } from './convert-page.ts'
import { createResolver, type ResolveLink } from './link-resolver.ts'
import { foldersOf } from './page-route.ts'
import { docsNavOf } from './site-nav.ts'
import { servedAssets } from './source-assets.ts'
import { splitSourcePage } from './source-front-matter.ts'

/** The longest text that a page may include in all. Texts that include others would multiply. */
const MAX_INCLUDED_LENGTH = 20 * 1024 * 1024

/** A site of another generator as the files of a content folder. */
export interface Conversion {
  readonly from: Generator
  /** Texts to write, by path in the new folder. */
  readonly texts: ReadonlyMap<string, string>
  /** Files to copy: the path in the source folder, by path in the new one. */
  readonly copies: ReadonlyMap<string, string>
  /** The folder of the source pages, with a slash at its end. Empty when pages are anywhere. */
  readonly contentRoot: string
  /** The path of each page in the new folder, by its path in the source folder. */
  readonly pages: ReadonlyMap<string, string>
  /** Everything that is left out or converted in part, sorted by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * @param name of the site when its configuration has none.
 * @param now decides which pages are future or expired.
 */
export function convertSite(files: SourceFiles, from: Generator, name: string, now: Date): Conversion {
  const site = from.read(files, now)
  const assets = servedAssets(site)
  const resolve = createResolver(site, assets.served, baseOf(site))
  const texts = new Map<string, string>()
  const pages = new Map<string, string>()
  const titles = new Map<string, string>()
  const redirects = redirectsByRoute(site, resolve)
  const diagnostics = [...files.diagnostics, ...site.diagnostics, ...assets.diagnostics]
  const folders = new Set([...site.pages.values()].flatMap(({ route }) => foldersOf(route)))
  const routes = new Set<string>()
  /** Files that have a field which no template reads, by the name of the field. */
  const filesWith = new Map<string, string[]>()
  const taken = new Set([
    ...[...site.pages.values()].map(({ route }) => `/${route}`),
    ...[...assets.served.values()].map((at) => `/${at}`),
  ])

  for (const [path, target] of [...site.pages].sort(publishedFirst)) {
    const text = files.text(path)
    const skipped = reasonToSkip(path, text, target, routes)
    if (skipped !== null || text === null) {
      if (skipped !== null) diagnostics.push(skipped)
      continue
    }
    routes.add(target.route)
    const own = splitSourcePage(text)
    const source = { ...own, fields: { ...site.defaults?.(path), ...own.fields, ...site.overrides?.(path) } }
    if (source.error !== null)
      diagnostics.push(
        diagnostic('QN-SOURCE-UNREADABLE', path, `Front matter cannot be read: ${source.error}`, { line: 1 }),
      )
    const context = {
      path,
      target,
      folders,
      taken,
      site,
      formerPaths: redirects.get(target.route) ?? [],
      body: source.body,
      linkTo: (link: string) => resolve(link, path, target),
      pathOf: (name: string, from: string) => pathNamed(site, from, name),
      textOf: includedTexts(files, (name, from = path) => pathNamed(site, from, name)),
    }
    const page = convertPage(source, context, from)
    diagnostics.push(...page.diagnostics)
    texts.set(page.file, page.text)
    pages.set(path, page.file)
    if (target.type === 'docs' && target.hidden === undefined) titles.set(target.route, page.title)
    for (const field of page.unreadFields) {
      const others = filesWith.get(field)
      if (others === undefined) filesWith.set(field, [path])
      else others.push(path)
    }
  }
  const docsNav = docsNavOf(site.nav ?? [], (route) => {
    const title = titles.get(route)
    return title === undefined ? null : { title, address: fileOf(route, folders) }
  })
  texts.set('site.yaml', siteFile(site, name, docsNav, resolve))
  const copies = new Map([...assets.served].map(([path, at]) => [`static/${at}`, path]))
  diagnostics.push(...[...filesWith].map(([field, paths]) => unreadField(field, paths)))
  return {
    from,
    texts,
    copies,
    pages,
    contentRoot: site.contentRoot,
    diagnostics: diagnostics.sort(byPosition),
  }
}

/** Sorts by path, with hidden pages last, so that they take no address from a published one. */
function publishedFirst([a, one]: [string, PageTarget], [b, other]: [string, PageTarget]): number {
  const [first, second] = [one.hidden === undefined ? 0 : 1, other.hidden === undefined ? 0 : 1]
  return first - second || (a < b ? -1 : 1)
}

function baseOf({ base, fields }: SourceSite): string {
  const url = readSiteUrl(String(fields['url'] ?? ''))
  const path = base ?? (url === null ? '/' : new URL(url).pathname)
  return path.replace(/\/$/, '') || '/'
}

/** Why a file of the source site gets no page, or null. */
function reasonToSkip(
  path: string,
  text: string | null,
  { type, route }: PageTarget,
  routes: ReadonlySet<string>,
): Diagnostic | null {
  if (type === 'list') {
    const message = `The list of articles at /${route} is generated. The text and fields of this file are left out.`
    return diagnostic('QN-NOT-CONVERTED', path, message)
  }
  if (text === null)
    return diagnostic('QN-SOURCE-UNREADABLE', path, 'The file is larger than 5 MiB. It is left out.')
  if (routes.has(route))
    return diagnostic('QN-NOT-CONVERTED', path, `Another page has the path /${route}. This one is left out.`)
  return null
}

/** One diagnostic for a field, however many files have it. */
function unreadField(field: string, [file = '', ...others]: readonly string[]): Diagnostic {
  const rest =
    others.length === 0
      ? ''
      : others.length === 1
        ? ' 1 other file has it too.'
        : ` ${others.length} other files have it too.`
  const message = `\`${field}\` is copied to \`config\`, where no template reads it.${rest}`
  return diagnostic('QN-UNREAD-FIELD', file, message, { line: 1, field })
}

/** The paths that the configuration redirects to each page. */
function redirectsByRoute(site: SourceSite, resolve: ResolveLink): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  for (const [from, to] of site.redirects ?? []) {
    const route = resolve(to, '', { route: '', type: 'page' })?.replace(/^\/|[?#].*$/g, '')
    if (route !== undefined) paths.set(route, [...(paths.get(route) ?? []), from])
  }
  return paths
}

/** The path of a file that another file names. */
function pathNamed({ contentRoot, aliases }: SourceSite, from: string, name: string): string {
  for (const [alias, folder] of aliases ?? [])
    if (name.startsWith(alias)) return posix.join(folder, name.slice(alias.length))
  return /^@?\//.test(name) ? contentRoot + name.replace(/^@?\//, '') : posix.join(posix.dirname(from), name)
}

/** Reads the texts that a page includes. Null for those beyond what a page may include. */
function includedTexts(
  files: SourceFiles,
  pathOf: (name: string, from?: string) => string,
): (name: string, from?: string) => string | null {
  let length = 0
  return (name, from) => {
    if (length > MAX_INCLUDED_LENGTH) return null
    const text = files.text(pathOf(name, from))
    length += text?.length ?? 0
    return length > MAX_INCLUDED_LENGTH ? null : text
  }
}

function siteFile(
  { fields }: SourceSite,
  name: string,
  docsNav: readonly JsonObject[],
  resolve: ResolveLink,
): string {
  const links = Array.isArray(fields['nav_links'])
    ? { nav_links: fields['nav_links'].map((link) => resolvedLink(link, resolve)) }
    : {}
  const written: JsonObject = {
    name: humanise(name),
    ...fields,
    ...links,
    ...(docsNav.length > 0 && { docs_nav: docsNav }),
  }
  return stringify(written)
}

function resolvedLink(link: JsonValue, resolve: ResolveLink): JsonValue {
  if (!isJsonObject(link) || typeof link['href'] !== 'string') return link
  return { ...link, href: resolve(link['href'], '', { route: '', type: 'page' }) ?? link['href'] }
}
