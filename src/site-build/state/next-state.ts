import type { PageId } from '../../domain/ids.ts'
import { orphanedAssets } from '../../domain/orphaned-assets.ts'
import type { LivePageRow } from '../../publish/ledger/live-state.ts'
import { fragmentTargets } from '../../publish/pipeline/dead-links.ts'
import type { Plan } from '../../publish/pipeline/plan.ts'
import { feedDateOf, inFeeds } from '../feed-entries.ts'
import type { PreparedSite } from '../prepare-site.ts'
import type { RecordedPage } from '../recording-renderer.ts'
import type { StaticPlan } from '../static-files.ts'
import type { BuildState } from './build-state.ts'
import type { BuiltFile, BuiltPage, PageDetails } from './built-page.ts'
import { extractOf, type PageExtract, packedExtract } from './page-extract.ts'

/** Inputs of the next state besides the prepared site. */
export interface NextStateInputs {
  readonly engine: string
  readonly now: string
  readonly statics: StaticPlan
  readonly recorded: ReadonlyMap<PageId, RecordedPage>
}

/** The state after the prepared changes are written. */
export function nextState(
  before: BuildState,
  { plan, commit, sources, entries }: PreparedSite,
  built: NextStateInputs,
): BuildState {
  const pages = new Map(before.pages)
  for (const id of commit?.removed ?? []) pages.delete(id)
  for (const page of commit?.pages ?? []) {
    const source = sources.get(page.pageId) ?? ''
    pages.set(page.pageId, builtPage(page, source, built))
  }
  for (const { pageId, digests } of commit?.confirmed ?? []) {
    const page = pages.get(pageId)
    if (page !== undefined) pages.set(pageId, confirmedPage(page, digests, built))
  }
  const named = before.files.with(fileChanges(before, plan, commit?.pages ?? [], built.statics))
  const files = named.with([...orphansOf(named, pages.values(), plan)].map((key) => [key, null]))
  return {
    engine: built.engine,
    site: commit?.site ?? before.site,
    pages,
    slots: [...before.slots, ...(commit?.slots ?? [])],
    feed: commit === null ? before.feed : nextFeed(entries, commit.pages, pages),
    files,
    search: before.search,
  }
}

/** Later changes of a key override earlier ones. */
function* fileChanges(
  before: BuildState,
  { deletes, uploads }: Plan,
  live: readonly LivePageRow[],
  statics: StaticPlan,
): Generator<readonly [key: string, file: BuiltFile | null]> {
  for (const [key, { owner }] of before.files.others)
    if (owner === null && !statics.files.has(key)) yield [key, null]
  for (const { key } of deletes) yield [key, null]
  for (const { artifact, digest } of uploads) yield [artifact.key, { owner: artifact.owner, digest }]
  // An identical file of another page is not written again; it now belongs to this page.
  for (const { pageId, objects } of live) {
    for (const { key, stage, digest } of objects)
      if (stage === 'page') yield [key, { owner: { kind: 'page', id: pageId }, digest }]
  }
  yield* statics.files
}

/** @param entries of pages that did not change. */
function nextFeed(
  entries: BuildState['feed'],
  changed: readonly LivePageRow[],
  pages: BuildState['pages'],
): BuildState['feed'] {
  const known = new Map(entries)
  for (const { pageId, feed } of changed) if (feed !== null) known.set(pageId, feed)
  const named = inFeeds(pages.values())
  return new Map(
    [...named].flatMap((id) => {
      const entry = known.get(id)
      return entry === undefined ? [] : [[id, entry] as const]
    }),
  )
}

/** Keys of theme assets that neither a page nor an index references. */
function orphansOf(
  files: BuildState['files'],
  pages: Iterable<BuiltPage>,
  { uploads, keeps }: Plan,
): ReadonlySet<string> {
  return orphanedAssets(themeFiles(), references())

  function* themeFiles(): Generator<string> {
    for (const [key, { owner }] of files.others) if (owner !== null) yield key
  }

  function* references(): Generator<Iterable<string>> {
    yield keeps
    yield uploads.map(({ artifact }) => artifact.key)
    for (const page of pages) yield page.details().assets
  }
}

function builtPage(page: LivePageRow, source: string, { recorded: seen }: NextStateInputs): BuiltPage {
  const { pageId, facts, card, digests, redirects, lines, objects } = page
  const recorded = seen.get(pageId)
  if (recorded === undefined) throw new Error(`Page ${pageId} goes live and was not rendered.`)
  const details: PageDetails = {
    digests,
    redirects,
    line: lines.line,
    sitemap: lines.sitemap,
    llms: lines.llms,
    assets: objects.filter(({ stage }) => stage === 'asset').map(({ key }) => key),
    // The dates of its file, so that two builds of a site write the same bytes.
    publishedAt: recorded.updatedAt,
    updatedAt: recorded.updatedAt,
    fragmentTargets: recorded.fragmentTargets,
  }
  return {
    facts,
    card,
    source,
    fed: feedDateOf(card),
    isFound: recorded.isFound,
    details: () => details,
    extractText: recorded.extractText,
  }
}

/** A rendered page with unchanged files. Its warnings and links may have changed. */
function confirmedPage(
  page: BuiltPage,
  digests: PageDetails['digests'],
  { recorded: seen }: Pick<NextStateInputs, 'recorded'>,
): BuiltPage {
  const recorded = seen.get(page.facts.id)
  const { warnings, links }: Pick<PageExtract, 'warnings' | 'links'> =
    recorded === undefined ? { warnings: [], links: [] } : extractOf(recorded)
  const details = { ...page.details(), digests, fragmentTargets: fragmentTargets(page.facts.path, links) }
  return {
    ...page,
    details: () => details,
    extractText: packedExtract({ ...extractOf(page), warnings, links }),
  }
}
