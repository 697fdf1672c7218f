import { createHash } from 'node:crypto'
import type { Repositories } from '../../db/repositories.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { PageId } from '../../domain/ids.ts'
import type { IncludedPage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { pathOfUrl, publicPath } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import {
  expandIncludes,
  type IncludedText,
  type IncludeSources,
  mayInclude,
} from '../../page-text/includes.ts'
import { mapLinks } from '../../page-text/map-links.ts'
import { mapProse } from '../../page-text/map-prose.ts'

/** Pages that a page includes, with those that they include. */
const MAX_PAGES = 200

/** A page with what it includes, and the pages that this is from. */
export interface WithIncluded {
  readonly page: Page
  /** Absent for none. */
  readonly includes?: readonly IncludedPage[]
}

/**
 * The page with the texts of the pages that it includes, as they are published: a draft is part of no site. Their texts hold
 * what they include themselves.
 *
 * @param isStrict whether a line whose page cannot be included is an error. It stays text otherwise, as in a preview.
 * @throws {ServiceError} `validation_error` for such a line.
 */
export async function withIncludedPages(
  { pages, releases }: Pick<Repositories, 'pages' | 'releases'>,
  page: Page,
  { siteRoutes }: Pick<Settings, 'siteRoutes'>,
  isStrict: boolean,
): Promise<WithIncluded> {
  if (!mayInclude(page.markdown)) return { page }
  const own = publicPath(page, siteRoutes)
  const wanted = wantedPaths(own, page.markdown)
  const live = await pages.liveAt(page.projectId, wanted)
  const digests = await pages.liveDigests([...live.values()])
  const found = new Map<string, Found>()
  for (const [path, id] of live) {
    const snapshot = (await releases.findLive(id))?.snapshot
    const digest = digests.get(id)
    if (snapshot === undefined || digest === undefined) continue
    const included = { id, path, digest: includedDigest(digest), includes: snapshot.includes ?? [] }
    found.set(path, { text: { name: path, text: snapshot.page.markdown }, included })
  }
  const { text, included, faults } = expandIncludes(own, page.markdown, sourcesOf(own, page.id, found))
  // A line that names a file stays text, and its page is published with a warning.
  const fault = faults.find(({ source }) => /[\s{]page\s*=/.test(source))
  if (isStrict && fault !== undefined) {
    const message = `Line ${fault.line}: ${fault.message} (${fault.code})`
    throw fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'not_allowed' }])
  }
  const includes = included.flatMap((path) => found.get(path)?.included ?? [])
  if (isStrict && countOf(includes) > MAX_PAGES) {
    const message = `includes more than ${MAX_PAGES} pages, with those that they include.`
    throw fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'out_of_range' }])
  }
  return { page: { ...page, markdown: text }, ...(includes.length > 0 && { includes }) }
}

interface Found {
  readonly text: IncludedText
  readonly included: IncludedPage
}

/** Identifies the text that a live page has to include. */
export function includedDigest({ content, includes }: Pick<LiveDigests, 'content' | 'includes'>): string {
  return createHash('sha256')
    .update(JSON.stringify([content, includes ?? null]))
    .digest('base64url')
}

/** Paths of the pages that lines of the text name. */
function wantedPaths(own: string, markdown: string): readonly string[] {
  const paths = new Set<string>()
  const page = (written: string, from: string) => {
    const path = namedPath(written, from)
    if (path !== null) paths.add(path)
    return ''
  }
  expandIncludes(own, markdown, { page, file: () => '', links: (text) => text })
  return [...paths]
}

/** @param written a path of the site, or one that is relative to the page `from`. */
function namedPath(written: string, from: string): string | null {
  const url = parseUrl(written, `https://site.invalid${from}`)
  return url === null || url.host !== 'site.invalid' ? null : pathOfUrl(url.pathname)
}

function sourcesOf(own: string, id: PageId, found: ReadonlyMap<string, Found>): IncludeSources {
  return {
    file: () => 'files are included in content folders only.',
    page(written, from) {
      const path = namedPath(written, from)
      if (path === own) return { name: own, text: '' }
      const page = path === null ? undefined : found.get(path)
      if (page === undefined) return `no published page is at ${path ?? written}. Publish it first.`
      const chain = chainTo(id, page.included)
      if (chain !== null) return `the pages include each other: ${[own, ...chain].join(' → ')}.`
      return page.text
    },
    links: (text, from) => mapProse(text, (prose) => mapLinks(prose, (target) => fromTop(target, from))),
  }
}

/** Paths from an included page to this one; null where it does not include it. */
function chainTo(id: PageId, page: IncludedPage): readonly string[] | null {
  if (page.id === id) return [page.path]
  for (const next of page.includes) {
    const chain = chainTo(id, next)
    if (chain !== null) return [page.path, ...chain]
  }
  return null
}

function countOf(pages: readonly IncludedPage[]): number {
  return pages.reduce((sum, { includes }) => sum + 1 + countOf(includes), 0)
}

/** A link that is relative to the included page, from the top of the site. */
function fromTop(target: string, from: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/#?]|$)/i.test(target)) return target
  const url = parseUrl(target, `https://site.invalid${from === '/' ? '' : from}/`)
  return url === null ? target : url.pathname + url.search + url.hash
}
