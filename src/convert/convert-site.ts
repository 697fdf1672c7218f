import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { convertPage, fileOf } from './convert-page.ts'
import { includedTexts, pathNamed } from './included-texts.ts'
import { createResolver, type ResolveLink } from './link-resolver.ts'
import { foldersOf } from './page-route.ts'
import { writeSiteFile } from './site-file.ts'
import { docsNavOf } from './site-nav.ts'
import { servedAssets } from './source-assets.ts'
import { splitSourcePage } from './source-front-matter.ts'

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
  /** Paths of the texts that pages include. */
  readonly included: ReadonlySet<string>
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
  const diagnostics = [
    ...files.diagnostics,
    ...site.diagnostics,
    ...assets.diagnostics,
    ...redirects.leftOut.map(([from, to]) => redirectLeftOut(from, to)),
  ]
  const folders = new Set([...site.pages.values()].flatMap(({ route }) => foldersOf(route)))
  const routes = new Set<string>()
  const included = new Set<string>()
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
      formerPaths: redirects.byRoute.get(target.route) ?? [],
      body: source.body,
      linkTo: (link: string) => resolve(link, path, target),
      pathOf: (name: string, from: string) => pathNamed(site, from, name),
      textOf: includedTexts(files, (name, from = path) => pathNamed(site, from, name), included),
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
  const siteFile = writeSiteFile(site, name, docsNav, resolve)
  texts.set('site.yaml', siteFile.text)
  diagnostics.push(...siteFile.diagnostics, ...outsideOfSite(files, site, included))
  const copies = new Map([...assets.served].map(([path, at]) => [`static/${at}`, path]))
  diagnostics.push(...[...filesWith].map(([field, paths]) => unreadField(field, paths)))
  return {
    from,
    texts,
    copies,
    pages,
    contentRoot: site.contentRoot,
    included,
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

/** The paths that the configuration redirects to each page, and the redirects that lead to no page. */
function redirectsByRoute(site: SourceSite, resolve: ResolveLink) {
  const routes = new Set([...site.pages.values()].map(({ route }) => route))
  const byRoute = new Map<string, readonly string[]>()
  const leftOut: (readonly [from: string, to: string])[] = []
  for (const [from, to] of site.redirects ?? []) {
    const route = resolve(to, '', { route: '', type: 'page' })?.replace(/^\/|[?#].*$/g, '')
    if (route === undefined || !routes.has(route)) leftOut.push([from, to])
    else byRoute.set(route, [...(byRoute.get(route) ?? []), from])
  }
  return { byRoute, leftOut }
}

function redirectLeftOut(from: string, to: string): Diagnostic {
  const message = `The redirect from ${from} is left out: ${to} is no page of the new site.`
  return diagnostic('QN-UNUSED-REDIRECT', 'site.yaml', message, { field: 'redirects' })
}

/** Markdown that is in none of the site's folders, by the folder at the top that it is in. */
function outsideOfSite(
  { paths }: SourceFiles,
  { contentRoot, pages }: SourceSite,
  included: ReadonlySet<string>,
): readonly Diagnostic[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (
      path.startsWith(contentRoot) ||
      pages.has(path) ||
      included.has(path) ||
      !/\.(mdx?|markdown)$/.test(path)
    )
      continue
    const [top = ''] = path.split('/')
    counts.set(top, (counts.get(top) ?? 0) + 1)
  }
  return [...counts].map(([top, count]) => {
    const subject = count === 1 ? '1 Markdown file is' : `${count} Markdown files are`
    return diagnostic('QN-NOT-CONVERTED', top, `${subject} outside of the folders of the site, and left out.`)
  })
}
