import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { includedTexts, pathNamed } from './body/included-texts.ts'
import { writeSiteFile } from './config/site-file.ts'
import { docsNavOf } from './config/site-nav.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { convertPage, fileOf } from './convert-page.ts'
import { outsideOfSite } from './files/outside-of-site.ts'
import { servedAssets } from './files/source-assets.ts'
import { configRedirects } from './links/config-redirects.ts'
import { withHostRedirects } from './links/host-redirects.ts'
import { createResolver } from './links/link-resolver.ts'
import type { ListedArticle } from './links/listed-addresses.ts'
import { redirectsFile, siteRedirects } from './links/site-redirects.ts'
import { distinctRoutes } from './page/distinct-routes.ts'
import type { FieldNotice } from './page/field-problems.ts'
import { frontLists } from './page/front-lists.ts'
import { withOriginalAddresses } from './page/original-addresses.ts'
import { foldersOf } from './page/page-route.ts'
import { authorsFile } from './page/site-authors.ts'
import { splitSourcePage } from './page/source-front-matter.ts'

/** A site of another generator as the files of a content folder. */
export interface Conversion {
  readonly from: Generator
  readonly source: SourceSite
  /** Live articles of the new site, with their former front matter. */
  readonly articles: readonly ListedArticle[]
  /** The fates of changed and lost fields, by file and name. */
  readonly fieldFates: ReadonlyMap<string, ReadonlyMap<string, FieldFate>>
  /** Texts to write, by path in the new folder. */
  readonly texts: ReadonlyMap<string, string>
  /** Files to copy: the path in the source folder, by path in the new one. */
  readonly copies: ReadonlyMap<string, string>
  /** The folder of the source pages, with a trailing slash. Empty when pages are anywhere. */
  readonly contentRoot: string
  /** The path of each page in the new folder, by its path in the source folder. */
  readonly pages: ReadonlyMap<string, string>
  /** Paths of the texts that pages include. */
  readonly included: ReadonlySet<string>
  /** Everything that is left out or converted in part, sorted by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The fate of a field of front matter that is changed or lost. */
export type FieldFate = 'lost' | { readonly changed: string }

/**
 * @param name of the site when its configuration has none.
 * @param now decides which pages are future or expired.
 */
export function convertSite(files: SourceFiles, from: Generator, name: string, now: Date): Conversion {
  const read = withHostRedirects(from.read(files, now), files)
  const site = withOriginalAddresses({ ...read, pages: distinctRoutes(read.pages) })
  const assets = servedAssets(site)
  const resolve = createResolver(site, assets.served, baseOf(site))
  const texts = new Map<string, string>()
  const pages = new Map<string, string>()
  const titles = new Map<string, string>()
  const redirects = configRedirects(site, resolve)
  const diagnostics = [
    ...files.diagnostics,
    ...site.diagnostics,
    ...assets.diagnostics,
    ...redirects.diagnostics,
  ]
  const folders = new Set([...site.pages.values()].flatMap(({ route }) => foldersOf(route)))
  const routes = new Set<string>()
  const articles: ListedArticle[] = []
  const fieldFates = new Map<string, ReadonlyMap<string, FieldFate>>()
  const included = new Set<string>()
  /** Notices of fields, by their messages, with the files that have the field. */
  const notices = new Map<string, { readonly notice: FieldNotice; readonly files: string[] }>()
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
    const own = site.readPage?.(path, text) ?? splitSourcePage(text)
    const fields = from.fieldsOf?.(own.fields) ?? own.fields
    const source = { ...own, fields: { ...site.defaults?.(path), ...fields, ...site.overrides?.(path) } }
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
      linkTo: (link: string, from = path) => resolve(link, from, target),
      pathOf: (name: string, from: string) => pathNamed(site, from, name),
      textOf: includedTexts(files, (name, from = path) => pathNamed(site, from, name), included),
    }
    const page = convertPage(source, context, from)
    diagnostics.push(...page.diagnostics)
    texts.set(page.file, page.text)
    pages.set(path, page.file)
    fieldFates.set(path, fieldFatesOf([...page.diagnostics, ...page.notices]))
    if (target.type === 'article' && !page.isDraft)
      articles.push({
        file: path,
        ...(target.blog !== undefined && { blog: target.blog }),
        route: target.route,
        fields: source.fields,
      })
    if (target.type === 'docs' && target.hidden === undefined) titles.set(target.route, page.title)
    for (const notice of page.notices) {
      const known = notices.get(notice.message)
      if (known === undefined) notices.set(notice.message, { notice, files: [path] })
      else known.files.push(path)
    }
  }
  const titled = (route: string) => {
    const title = titles.get(route)
    return title === undefined ? null : { title, address: fileOf(route, folders) }
  }
  const authors = authorsFile(site, articles)
  if (authors !== null) texts.set('data/authors.yaml', authors)
  for (const [file, text] of frontLists(site, name, routes, articles)) texts.set(file, text)
  const docsNav = docsNavOf(site.nav ?? [], titled, (route) => routes.has(route))
  const siteFile = writeSiteFile(site, name, docsNav, resolve)
  texts.set('site.yaml', siteFile.text)
  diagnostics.push(...siteFile.diagnostics, ...outsideOfSite(files, site, included))
  const ofSite = siteRedirects(site, redirects.ofSite, articles, taken)
  if (ofSite.lines.size > 0) texts.set('redirects.yaml', redirectsFile(ofSite.lines))
  diagnostics.push(...ofSite.diagnostics)
  const copies = new Map([...assets.served].map(([path, at]) => [`static/${at}`, path]))
  diagnostics.push(...[...notices.values()].map(({ notice, files }) => fieldDiagnostic(notice, files)))
  return {
    from,
    source: site,
    articles,
    fieldFates,
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

/** The diagnostic of a file that gets no page, or null. */
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

/** The fates of fields, by their diagnostics: omitted fields are lost. */
function fieldFatesOf(
  said: readonly Pick<FieldNotice | Diagnostic, 'code' | 'field'>[],
): ReadonlyMap<string, FieldFate> {
  const fates = new Map<string, FieldFate>()
  for (const { code, field } of said) {
    if (field === null) continue
    if (code === 'QN-NOT-CONVERTED') fates.set(field, 'lost')
    else if (fates.get(field) !== 'lost')
      fates.set(field, {
        changed: code === 'QN-UNREAD-FIELD' ? 'in `config`, where no template reads them' : 'in part',
      })
  }
  return fates
}

/** One diagnostic for a field, however many files have it. */
function fieldDiagnostic(
  { field, code, message }: FieldNotice,
  [file = '', ...others]: readonly string[],
): Diagnostic {
  const rest =
    others.length === 0
      ? ''
      : others.length === 1
        ? ' 1 other file has it too.'
        : ` ${others.length} other files have it too.`
  return diagnostic(code, file, `${message}${rest}`, { line: 1, field })
}
