import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import type { AssetId, PageId } from '../../domain/ids.ts'
import type { Page, PageSummary } from '../../domain/page.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import { publicUrlPath } from '../../domain/route.ts'
import type { FieldDigests, Source } from '../../domain/source.ts'
import { resolvedFields } from '../../page-text/derive.ts'
import { pageDigests } from '../../page-text/page-digests.ts'
import { accessProject } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import { schedulesOf } from '../publishing/scheduling.ts'
import type { LiveDifference, Staleness } from '../publishing/staleness.ts'

/** Ids per statement. */
const PER_STATEMENT = 500

/** A page as a push needs it to decide. */
interface PushedPage {
  readonly page: PageSummary
  readonly url: string
  readonly scheduledAt: string | null
  readonly difference: LiveDifference
}

/** A record as a folder pushed it, and as it is stored now. */
export interface PushedRecord {
  readonly source: Source
  /** The digest of the stored record; null for settings. */
  readonly current: string | null
  /** Version of the stored record; null for settings. */
  readonly version: number | null
  /** The stored page; null for assets and settings. */
  readonly page: PushedPage | null
}

export type SourceService = ReturnType<typeof createSourceService>

/** Lists the records that content folders pushed. */
export function createSourceService({
  db,
  staleness,
}: Pick<ServiceContext, 'db'> & { readonly staleness: Staleness }) {
  return {
    async list(caller: Caller, ref: string, folder: string, slice: Slice): Promise<Listed<PushedRecord>> {
      const home = await accessProject(db.read, caller, ref, ['read'])
      const found = await db.read.sources.list(home.project.id, folder, slice)
      const { items } = found
      const idsOf = (record: Source['record']) =>
        items.filter((source) => source.record === record).map(({ recordId }) => recordId)
      const pages = await inSteps(idsOf('page') as PageId[], (ids) =>
        db.read.pages.findSummaries(home.project.id, ids),
      )
      const assets = await inSteps(idsOf('asset') as AssetId[], (ids) =>
        db.read.assets.findWithin(home.project.id, ids),
      )
      const differences = await staleness(pages, home, caller.reserve)
      const schedules = await schedulesOf(db.read, pages)
      const pageOf = new Map<string, PageSummary>(pages.map((page) => [page.id, page]))
      const assetOf = new Map<string, (typeof assets)[number]>(assets.map((asset) => [asset.id, asset]))
      const records: PushedRecord[] = []
      for (const source of items) {
        const page = pageOf.get(source.recordId)
        const asset = assetOf.get(source.recordId)
        if (page !== undefined) {
          const difference = differences.get(page.id)
          if (difference === undefined) throw new RangeError(`Page ${page.id} was not compared.`)
          records.push({
            source,
            current: await currentDigest(db.read, source, page, caller),
            version: page.version,
            page: {
              page,
              url: publicUrlPath(page, home.siteRoutes),
              scheduledAt: schedules.get(page.id) ?? null,
              difference,
            },
          })
        } else if (asset !== undefined) {
          records.push({ source, current: asset.digest, version: asset.version, page: null })
        } else if (source.record === 'settings') {
          records.push({ source, current: null, version: null, page: null })
        }
        // Other pages and assets were deleted meanwhile.
      }
      const shown = new Set(records.map(({ source }) => source.recordId))
      const positions = found.positions.filter(({ id }) => shown.has(id as Source['recordId']))
      return { ...found, items: records, positions }
    },
  }
}

/** The digest of the page as it is stored. Reads its content only when it was edited since it was pushed. */
async function currentDigest(
  repositories: Repositories,
  { storedVersion, storedDigest }: Source,
  { id, version }: PageSummary,
  { reserve }: Caller,
): Promise<string> {
  if (version === storedVersion) return storedDigest
  const found = await repositories.pages.find(id, reserve)
  return found === null ? storedDigest : (await digestsOfPage(repositories, found.page)).digest
}

/** The digests of a stored page, in which its parent counts with its address. */
export async function digestsOfPage(repositories: Repositories, page: Page): Promise<FieldDigests> {
  const { parentPage } = resolvedFields(page)
  const parent = parentPage === null ? null : await repositories.pages.find(parentPage)
  const isOfProject = parent?.page.projectId === page.projectId && parent.page.type === 'docs'
  return pageDigests(page, isOfProject ? parent.page : null)
}

async function inSteps<Id, Found>(
  ids: readonly Id[],
  find: (some: readonly Id[]) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (let start = 0; start < ids.length; start += PER_STATEMENT)
    found.push(...(await find(ids.slice(start, start + PER_STATEMENT))))
  return found
}
