import type { PageId } from '../domain/ids.ts'
import type { IncludedPage } from '../domain/live-page.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { pathOfUrl } from '../domain/route.ts'
import { expandIncludes, type IncludeFault, type IncludeSources, mayInclude } from './includes.ts'
import { mapLinks } from './map-links.ts'
import { mapProse } from './map-prose.ts'

/*
 * Includes of other pages in a page of the service. The cost grows with the texts and the number of their lines, so
 * that all but short texts are for a child process.
 */

/** A page, the published pages that its lines name, and where it is itself. */
export interface PageWithSources {
  readonly id: PageId
  /** Its path on the site. */
  readonly path: string
  readonly markdown: string
  readonly sources: readonly PublishedText[]
}

/** A published page that another one names. */
export interface PublishedText {
  readonly page: IncludedPage
  readonly markdown: string
}

export interface WholeText {
  readonly markdown: string
  /** The pages that are part of it. */
  readonly includes: readonly IncludedPage[]
  /** The first line that names a page and cannot be resolved; null for none. One that names a file stays text. */
  readonly fault: IncludeFault | null
}

/** UTF-16 code units that are read and written for includes in the main process: less than 2 ms. */
const SHORT = 4_096

const LINES = /^[ \t>]*::[ \t]*(?:include|code)[ \t]*\{/gm

/** Reports whether `wholeText` is fast enough to run without a process of its own. */
export function isShortWhole({ markdown, sources }: PageWithSources): boolean {
  if (markdown.length > SHORT || sources.some((source) => mayInclude(source.markdown))) return false
  const lines = markdown.match(LINES)?.length ?? 0
  const named = sources.reduce((sum, source) => sum + source.markdown.length, 0)
  return markdown.length + lines * named <= SHORT
}

/** The same for `includedPaths`. */
export function isShortText(markdown: string): boolean {
  return markdown.length <= SHORT
}

/** Paths of the pages that lines of a text name, each once. */
export function includedPaths(path: string, markdown: string): readonly string[] {
  const paths = new Set<string>()
  const page = (written: string, from: string) => {
    const named = namedPath(written, from)
    if (named !== null) paths.add(named)
    return ''
  }
  expandIncludes(path, markdown, { page, file: () => '', links: (text) => text })
  return [...paths]
}

/** The text of a page with the texts of its included pages. */
export function wholeText({ id, path, markdown, sources }: PageWithSources): WholeText {
  const named = new Map(sources.map((source) => [source.page.path, source]))
  const { text, included, faults } = expandIncludes(path, markdown, sourcesOf(path, id, named))
  return {
    markdown: text,
    includes: included.flatMap((one) => named.get(one)?.page ?? []),
    fault: faults.find(({ source }) => /[\s{]page\s*=/.test(source)) ?? null,
  }
}

/** @param written a path of the site, or one that is relative to the page `from`. */
function namedPath(written: string, from: string): string | null {
  const url = parseUrl(written, `https://site.invalid${from}`)
  return url === null || url.host !== 'site.invalid' ? null : pathOfUrl(url.pathname)
}

function sourcesOf(own: string, id: PageId, named: ReadonlyMap<string, PublishedText>): IncludeSources {
  return {
    file: () => 'files are included in content folders only.',
    page(written, from) {
      const path = namedPath(written, from)
      if (path === own) return { name: own, text: '' }
      const source = path === null ? undefined : named.get(path)
      if (source === undefined) return `no published page is at ${path ?? written}. Publish it first.`
      const chain = chainTo(id, source.page)
      if (chain !== null) return `the pages include each other: ${[own, ...chain].join(' → ')}.`
      return { name: source.page.path, text: source.markdown }
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

/** A link that is relative to the included page, from the top of the site. */
function fromTop(target: string, from: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/#?]|$)/i.test(target)) return target
  const url = parseUrl(target, `https://site.invalid${from === '/' ? '' : from}/`)
  return url === null ? target : url.pathname + url.search + url.hash
}
