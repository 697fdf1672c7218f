import type { PageId } from '../domain/ids.ts'
import type { GoneLive } from '../publish/ledger.ts'
import type { Plan } from '../publish/plan.ts'
import type { BuildState, BuiltPage } from './build-state.ts'
import type { PreparedSite } from './prepare-site.ts'
import type { StaticFiles } from './static-files.ts'
import type { Seen } from './watched-renderer.ts'

/** What is known besides of the pages that were rendered. */
export interface BuiltWith {
  readonly engine: string
  readonly now: string
  readonly statics: StaticFiles
  readonly seen: ReadonlyMap<PageId, Seen>
}

/** The pages and files once a batch is written. */
export function stateAfter(
  before: BuildState,
  { plan, commit, sources }: PreparedSite,
  built: BuiltWith,
): BuildState {
  const pages = new Map(Object.entries(before.pages))
  for (const id of commit?.gone ?? []) pages.delete(id)
  for (const page of commit?.pages ?? []) {
    const source = sources.get(page.pageId) ?? ''
    pages.set(page.pageId, builtPage(page, source, pages.get(page.pageId), built))
  }
  for (const { pageId, digests } of commit?.confirmed ?? []) {
    const page = pages.get(pageId)
    if (page !== undefined) pages.set(pageId, { ...page, ...saidOf(pageId, built), digests })
  }
  const files = new Map(Object.entries(before.files))
  for (const [key, { owner }] of files) if (owner === null) files.delete(key)
  for (const { key } of plan.deletes) files.delete(key)
  for (const { artifact, digest } of plan.uploads) files.set(artifact.key, { owner: artifact.owner, digest })
  // What another page left at this very path was not written again, and is this page's now.
  for (const { pageId, objects } of commit?.pages ?? []) {
    for (const { key, stage, digest } of objects)
      if (stage === 'page') files.set(key, { owner: { kind: 'page', id: pageId }, digest })
  }
  for (const [key, file] of Object.entries(built.statics.files)) files.set(key, file)
  const named = namedAssets([...pages.values()], plan)
  for (const [key, { owner }] of files) {
    if (owner !== null && isAsset(key) && !named.has(key)) files.delete(key)
  }
  return {
    engine: built.engine,
    site: commit?.site ?? before.site,
    pages: Object.fromEntries(pages),
    slots: [...before.slots, ...(commit?.slots ?? [])],
    files: Object.fromEntries(files),
  }
}

/** Assets of themes that a page or an index names. */
function namedAssets(pages: readonly BuiltPage[], { uploads, keeps }: Plan): ReadonlySet<string> {
  const byPages = pages.flatMap(({ assets }) => assets)
  return new Set([...byPages, ...keeps, ...uploads.map(({ artifact }) => artifact.key)])
}

function isAsset(key: string): boolean {
  return key.startsWith('_assets/')
}

function builtPage(
  page: GoneLive,
  source: string,
  before: BuiltPage | undefined,
  built: BuiltWith,
): BuiltPage {
  const { pageId, releaseId: _, lines, objects, ...row } = page
  return {
    ...row,
    ...lines,
    ...saidOf(pageId, built),
    assets: objects.filter(({ stage }) => stage === 'asset').map(({ key }) => key),
    source,
    publishedAt: built.now,
    firstPublishedAt: before?.firstPublishedAt ?? built.now,
    updatedAt: built.seen.get(pageId)?.page.updatedAt ?? built.now,
  }
}

/** What rendering the page had to say. */
function saidOf(id: PageId, { seen }: BuiltWith): Pick<BuiltPage, 'warnings' | 'links'> {
  const { warnings = [], links = [] } = seen.get(id) ?? {}
  return { warnings, links }
}
