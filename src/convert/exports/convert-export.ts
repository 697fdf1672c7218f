import { stringify } from 'yaml'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Comparison } from '../comparison/compare.ts'
import { plainAddress, readNewSite } from '../comparison/new-site.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { writeSiteFile } from '../config/site-file.ts'
import { defined } from '../config/source-config.ts'
import type { ListedArticle } from '../links/listed-addresses.ts'
import { redirectsFile, siteRedirects } from '../links/site-redirects.ts'
import type { RenderText } from './compare-entry.ts'
import { convertEntry, entryDiagnostic } from './convert-entry.ts'
import { createDeadLinks } from './dead-links.ts'
import { entryRoutes, foldedPath } from './entry-routes.ts'
import { exportAccounts } from './export-accounts.ts'
import type { ExportedSite } from './exported-site.ts'
import { createPageTally } from './page-tally.ts'
import { remoteFiles } from './remote-files.ts'
import { type SiteLinks, siteLinks } from './site-links.ts'

/** The new folder, and the folder of the export. */
export interface ExportFolders {
  /** Writes a file of the new folder. Does nothing when both sides are only compared. */
  readonly write: (path: string, text: string) => void
  /** Adds a line to a file of the new folder. */
  readonly append: (path: string, line: string) => void
  /** Copies a file next to the export into the new folder. */
  readonly copy: (from: string, to: string) => void
  /** Reads a file of the new folder. Null when there is none. */
  readonly textOf: (path: string) => string | null
  /** Reports whether a file is next to the export. */
  readonly hasSource: (path: string) => boolean
}

export interface ExportConversion {
  /** The number of pages, drafts included. */
  readonly pages: number
  readonly files: number
  readonly diagnostics: readonly Diagnostic[]
  readonly comparison: Comparison
  readonly remote: SiteLinks['remote']
}

/** A page of a content folder is at most 5 MiB. */
const MAX_HTML = 4 * 1024 * 1024

/** Converts an export, one entry at a time, and compares each with its page. */
export function convertExport(
  site: ExportedSite,
  name: string,
  { write, append, copy, textOf, hasSource }: ExportFolders,
  render: RenderText,
): ExportConversion {
  const routes = entryRoutes(site.outlines)
  const links = siteLinks(site, routes, hasSource)
  const diagnostics: Diagnostic[] = [...site.diagnostics]
  const articles: ListedArticle[] = []
  const files: string[] = []
  let entries = 0
  let hidden = 0
  let comments = 0
  const tally = createPageTally({ links, render, textOf })
  const live = new Set([...routes.byAddress.values()].map((route) => `/${route}`))
  const deadLinks = createDeadLinks(site, links, (path) => live.has(path))
  const taken = new Set([...routes.byId.values()].map(({ route }) => `/${route}`))

  for (const entry of site.entries()) {
    const place = routes.byId.get(entry.id)
    if (place === undefined) continue
    entries += 1
    if (entry.html.length > MAX_HTML) {
      diagnostics.push(
        entryDiagnostic(
          site.file,
          entry,
          'QN-SOURCE-UNREADABLE',
          'The text is larger than 4 MiB. It is left out.',
        ),
      )
      tally.missingPages.push(entry.address)
      continue
    }
    const page = convertEntry(entry, place, {
      file: site.file,
      blog: routes.blog,
      links: deadLinks.linksOf(entry),
    })
    write(place.file, page.text)
    files.push(place.file)
    diagnostics.push(...page.diagnostics)
    for (const comment of entry.comments ?? []) {
      append('comments.jsonl', JSON.stringify({ page: `/${place.route}`, ...comment }))
      comments += 1
    }
    if (entry.hidden !== undefined) hidden += 1
    if (entry.type === 'article' && entry.hidden === undefined)
      articles.push({
        file: site.file,
        blog: routes.blog,
        route: place.route,
        fields: entry.terms ?? listFields(page.fields),
      })
    tally.compare(entry, place.file)
  }

  const fronts = frontPage(site, name, routes.blog, taken)
  if (fronts !== null) write('index.md', fronts)
  if (Object.keys(site.authors).length > 0)
    write('data/authors.yaml', stringify(withAvatars(site.authors, links.addressOf)))
  const fields = withSiteFiles(site.fields, links.addressOf)
  const nav = { entries: [], leftOut: 0, others: 0 }
  const siteFile = writeSiteFile({ fields }, name, nav, (href) => links.addressOf(href, 'link'))
  write('site.yaml', siteFile.text)
  const stated = statedRedirects(site, links.addressOf)
  const redirects = siteRedirects({ lists: site.lists, fields: site.fields }, stated, articles, taken)
  if (redirects.lines.size > 0) write('redirects.yaml', redirectsFile(redirects.lines))
  for (const path of links.copied) copy(path, `static/${path}`)
  diagnostics.push(...siteFile.diagnostics, ...redirects.diagnostics, ...remoteFiles(site, links.remote))
  const { sums, losses, missingPages, unmeasured } = tally
  const found = readNewSite([...files, ...(textOf('index.md') === null ? [] : ['index.md'])], textOf)
  const isKnown = (path: string) =>
    [found.addresses, found.redirects].some((paths) => paths.has(plainAddress(path))) ||
    links.copied.has(path.slice(1)) ||
    links.remote.has(path.slice(1))
  diagnostics.push(...deadLinks.diagnostics(isKnown))
  const partly = (message: string) => diagnostics.push(diagnostic('QN-PARTLY-CONVERTED', site.file, message))
  if (comments > 0)
    partly(
      `${comments} comments are in comments.jsonl, without the addresses of their authors: pages show no comments.`,
    )
  if (unmeasured.length > 0)
    partly(`${unmeasured.length} pages are too complex to be compared: ${unmeasured.slice(0, 5).join(', ')}.`)
  const reported = diagnostics.filter(({ code }) => code !== 'QN-HIDDEN-PAGE' && code !== 'QN-UNREAD-FIELD')
  return {
    pages: files.length,
    files: links.copied.size,
    diagnostics,
    remote: links.remote,
    comparison: {
      ...sums,
      pages: { total: entries, missing: missingPages.length },
      accounts: exportAccounts(site, { articles, found, sums, links, textOf }),
      losses: losses.toSorted((one, other) => other.words.length - one.words.length),
      missingPages,
      unaccounted: [],
      unread: [],
      hidden,
      leftOut: 0,
      reported: reported.length,
    },
  }
}

/** The front page of a site whose theme lists the posts there, where a page is at `/`. Null where Quoin makes one. */
function frontPage(
  site: ExportedSite,
  name: string,
  blog: string,
  taken: ReadonlySet<string>,
): string | null {
  // A blog without a folder has its list at the front page.
  return blog === '' || taken.has('/')
    ? null
    : `---\ntype: page\ntitle: ${JSON.stringify(String(site.fields['name'] ?? name))}\nsections:\n  - type: posts\n    subroute: ${blog}\n---\n`
}

/** Settings with the new addresses of their pictures. */
function withSiteFiles(fields: JsonObject, addressOf: SiteLinks['addressOf']): JsonObject {
  const pictures = ['logo', 'favicon_url', 'og_image_url'].flatMap((name) => {
    const written = textOf(fields[name])
    return written === undefined ? [] : [[name, addressOf(written, 'file') ?? undefined] as const]
  })
  return defined({ ...fields, ...Object.fromEntries(pictures) })
}

function withAvatars(authors: JsonObject, addressOf: SiteLinks['addressOf']): JsonObject {
  return Object.fromEntries(
    Object.entries(authors).map(([key, author]) => {
      const avatar = textOf(objectOf(author)['avatar'])
      if (avatar === undefined) return [key, author]
      return [key, defined({ ...objectOf(author), avatar: addressOf(avatar, 'file') ?? undefined })]
    }),
  )
}

/** The fields by which lists have articles. The rest of a page need not stay in memory. */
function listFields({ tags, author }: JsonObject): JsonObject {
  return { ...(tags !== undefined && { tags }), ...(author !== undefined && { author }) }
}

function statedRedirects(
  { redirects, outlines }: ExportedSite,
  addressOf: (address: string, kind: 'link') => string | null,
): ReadonlyMap<string, string> {
  const own = new Set(outlines.map(({ address }) => foldedPath(address)))
  return new Map(
    [...redirects].flatMap(([from, to]): [string, string][] => {
      const target = addressOf(to, 'link')
      return target === null || own.has(foldedPath(from)) ? [] : [[from, target]]
    }),
  )
}
