import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetKey } from '../content-folder/asset-file.ts'
import { SITE_FILE, STATIC_FOLDER } from '../content-folder/file-kind.ts'
import {
  type Addresses,
  assetAddress,
  folderKey,
  linksResolved,
  pageAddress,
} from '../content-folder/file-links.ts'
import { textIfReadable } from '../content-folder/file-text.ts'
import { isIndexFile, isMarkdownFile } from '../content-folder/page-name.ts'
import { byPosition, type Diagnostic, diagnostic, type PageWarning } from '../domain/diagnostic.ts'
import type { PageId } from '../domain/ids.ts'
import { listedArticles } from '../domain/listed-articles.ts'
import { pathFolder } from '../domain/route.ts'
import { type Anchors, type DeadLink, deadLinks } from '../publish/pipeline/dead-links.ts'
import { mayReplaceList, replacedListWarning } from '../publish/pipeline/replaced-lists.ts'
import { SEARCH_MANIFEST, SEARCH_SHARDS } from '../render/search/search-index.ts'
import { type LineFinder, lineFinder } from './line-finder.ts'
import { siteLinks } from './site-links.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltPage } from './state/built-page.ts'
import { extractOf } from './state/page-extract.ts'

/** The warnings of the previous build, and the files that were edited since. */
interface PreviousWarnings {
  readonly warnings: readonly Diagnostic[]
  readonly edited: readonly string[]
}

/**
 * The warnings of the pages of a site after a build, sorted by position. In an incremental build, warnings of pages
 * that the edits cannot affect are copied from the previous build.
 *
 * @param next the state after the build. Its search index may be missing.
 * @param since null for a full build.
 */
export function currentWarnings(
  folder: string,
  previous: BuildState,
  next: BuildState,
  since: PreviousWarnings | null,
): readonly Diagnostic[] {
  if (since === null) return warningsOf(folder, next)
  const edited = since.edited.flatMap((source) => next.pages.get(idOf('page', source)) ?? [])
  const pages = new Set([
    ...edited,
    ...linkingTo(pagesWithOtherAnchors(edited, previous), next),
    ...[...next.pages.values()].filter(({ facts }) => mayReplaceList(facts.path)),
  ])
  const sources = new Set([...since.edited, ...[...pages].map(({ source }) => source)])
  const unaffected = since.warnings.filter(
    ({ code, file }) => !CHECKED_AGAIN.has(code) && file !== SITE_FILE && !sources.has(file),
  )
  return [...unaffected, ...warningsOf(folder, next, [...pages])].sort(byPosition)
}

/** Warnings that each build finds for the whole site. */
const CHECKED_AGAIN: ReadonlySet<string> = new Set(['QN-UNREAD-FIELD', 'QN-DEAD-REDIRECT'])

/** Keys of edited pages whose set of anchors changed. */
function pagesWithOtherAnchors(edited: readonly BuiltPage[], { pages }: BuildState): ReadonlySet<string> {
  const hasOtherAnchors = (page: BuiltPage) => {
    const previous = pages.get(page.facts.id)
    const anchors = previous && extractOf(previous).anchors
    return JSON.stringify(extractOf(page).anchors) !== JSON.stringify(anchors)
  }
  return new Set(edited.filter(hasOtherAnchors).map(({ facts }) => `${pathFolder(facts.path)}index.html`))
}

/** Pages with a link to a `#fragment` of one of these pages. */
function linkingTo(keys: ReadonlySet<string>, { pages }: BuildState): readonly BuiltPage[] {
  if (keys.size === 0) return []
  return [...pages.values()].filter((page) => page.details().fragmentTargets.some((key) => keys.has(key)))
}

/** Warnings of the given pages and of `site.yaml`, sorted by position. */
export function warningsOf(
  folder: string,
  state: BuildState,
  pages: readonly BuiltPage[] = [...state.pages.values()],
): readonly Diagnostic[] {
  const known = linkTargets(state)
  // In Data Mode the client that decrypts the pages decides where links lead.
  const isSealed = state.site?.site.hostingMode === 'data_mode'
  const addresses = addressesOf(state)
  const files = filesOf(state)
  const cards = [...state.pages.values()].map(({ card }) => card)
  const found: Diagnostic[] = isSealed
    ? []
    : [...frontPageWarnings(state), ...settingsWarnings(folder, state, known)]
  for (const page of pages) {
    const { warnings, links } = extractOf(page)
    const dead = isSealed ? [] : deadLinks(page.facts.path, links, known, files, page.source)
    const replaced = mayReplaceList(page.facts.path)
      ? replacedListWarning(page.facts.path, listedArticles(cards))
      : null
    if (replaced !== null) found.push(diagnostic(replaced.code, page.source, replaced.message))
    if (dead.length + warnings.length === 0) continue
    // A generated page has no file.
    const text = textIfReadable(join(folder, page.source)) ?? ''
    const lineOf = lineFinder(page.source, linksResolved(text, page.source, addresses))
    found.push(
      ...warnings.map((warning) => locateWarning(page.source, warning, lineOf)),
      ...deadLinkWarnings(page.source, dead, lineOf),
    )
  }
  return found.sort(byPosition)
}

/** The diagnostic for a warning about the page in `file`. */
export function locateWarning(
  file: string,
  { code, at, message, written }: PageWarning,
  lineOf: LineFinder,
): Diagnostic {
  const field = at === null || at === 'markdown_content' ? null : fieldInFile(at)
  return diagnostic(code, file, field === null ? message : `${field}: ${message}`, {
    line: at === null ? null : lineOf(at, written),
    field,
  })
}

/** `sections` and `layout` of a page's `config` are top-level fields of its file. */
function fieldInFile(at: string): string {
  return at.replace(/^config\.(?=(?:sections|layout)\b)/, '')
}

/** A front page may also be a file of `static/`, a list or a redirect. */
function frontPageWarnings({ pages, files }: BuildState): readonly Diagnostic[] {
  return pages.size === 0 || files.has(FRONT_PAGE)
    ? []
    : [diagnostic('QN-NO-FRONT-PAGE', SITE_FILE, NO_FRONT_PAGE)]
}

const FRONT_PAGE = 'index.html'

const NO_FRONT_PAGE =
  'The site has no front page: visitors of / get the page for unknown paths. Add an index.md or an index.yaml at the top of the folder.'

/** Dead links of the settings, which are resolved from the root of the site. */
function settingsWarnings(
  folder: string,
  state: BuildState,
  known: Lookup<Anchors | null>,
): readonly Diagnostic[] {
  const { site } = state
  const dead = site === null ? [] : deadLinks('/', siteLinks(site.settings), known, filesOf(state))
  if (dead.length === 0) return []
  const text = readFileSync(join(folder, SITE_FILE), 'utf8')
  return deadLinkWarnings(SITE_FILE, dead, lineFinder(SITE_FILE, text))
}

function deadLinkWarnings(
  file: string,
  dead: readonly DeadLink[],
  lineOf: LineFinder,
): readonly Diagnostic[] {
  return dead.map(({ code, link: { at, href }, message }) =>
    locateWarning(file, { code, at, message, written: href }, lineOf),
  )
}

/** Keys of all files. Files of the search index count as present: it is written in parallel. */
function filesOf({ files }: BuildState): Pick<ReadonlySet<string>, 'has'> {
  return { has: (key) => files.has(key) || key === SEARCH_MANIFEST || key.startsWith(SEARCH_SHARDS) }
}

/** The anchors of the page at each key; null for a file that is not a page. */
function linkTargets({ pages, files }: BuildState): Lookup<Anchors | null> {
  return {
    get(key) {
      const file = files.get(key)
      if (file?.owner?.kind !== 'page') return file && null
      const page = pages.get(file.owner.id as PageId)
      // Reads the page extract lazily: few links have a fragment.
      return page === undefined ? null : { includes: (place) => extractOf(page).anchors.includes(place) }
    },
  }
}

/** The path of each file of the content folder on the site, and of each folder with an index. */
function addressesOf({ pages, files }: BuildState): Addresses {
  // The files of pages are generated.
  const isAsset = (source: string) => !isMarkdownFile(source) && files.get(assetKey(source))?.owner === null
  const indexes = new Map(
    [...pages.values()]
      .filter(({ source }) => isIndexFile(source))
      .map(({ source, facts }) => [folderKey(source), facts.path] as const),
  )
  return {
    get(source) {
      const path = pages.get(idOf('page', source))?.facts.path ?? indexes.get(source)
      if (path !== undefined) return pageAddress(path)
      return isAsset(source) ? assetAddress(source) : undefined
    },
    isAttachment: (source) => !source.startsWith(STATIC_FOLDER) && isAsset(source),
  }
}

interface Lookup<Value> {
  get(key: string): Value | undefined
}
