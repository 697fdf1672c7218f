import type { PageId, ReleaseId } from '../../src/domain/ids.ts'
import type { Snapshot } from '../../src/domain/live-page.ts'
import type { Release } from '../../src/domain/release.ts'
import type { ClaimedRelease } from '../../src/publish/decide/claimed-release.ts'
import type { ListingSlot, LiveObject, LivePageRow, LiveSite } from '../../src/publish/ledger/live-state.ts'
import { prepareBatch } from '../../src/publish/pipeline/batch.ts'
import { pageKeys, redirectPaths } from '../../src/publish/pipeline/page-keys.ts'
import type { PreparedBatch } from '../../src/publish/pipeline/prepare.ts'
import type { PreparePorts } from '../../src/publish/ports.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'
import { livePage } from './live-page.ts'
import { createPlainTheme } from './plain-theme.ts'

/** One change of a batch. `wasClaimed` marks a release that an interrupted attempt claimed before. */
export interface Change {
  readonly op: 'publish' | 'unpublish'
  readonly snapshot: Snapshot
  readonly wasClaimed?: boolean
}

/** A live site in memory: prepares batches with the real pipeline, deploys and commits them. */
export interface InMemorySite {
  /** Prepares a batch without deploying it. */
  prepare(changes: readonly Change[]): Promise<PreparedBatch>
  /** Prepares, deploys and commits a batch. */
  run(changes: readonly Change[]): Promise<PreparedBatch>
  /** Bodies by key, as visitors get them. */
  readonly files: ReadonlyMap<string, string>
  /** The live pages by id. */
  readonly pages: ReadonlyMap<PageId, LivePageRow>
}

const settings = { theme: 'plain' }

/** The snapshot of a page of that site. The title also is its Markdown text. */
export function snapshotFor(
  id: string,
  page: Partial<Snapshot['page']> = {},
  fields: Partial<Snapshot['fields']> = {},
): Snapshot {
  const slug = page.slug ?? id
  const own = { id: id.padEnd(16, 'a') as PageId, slug, title: slug, ...page }
  const live = livePage({ page: own, fields, settings })
  return { page: live.page, fields: live.fields, settings: live.settings, site: live.site }
}

/** @param ports a renderer in place of one with the theme `plain`, and `findDamaged` as of `PreparePorts`. */
export function createInMemorySite({
  findDamaged,
  renderer = createInProcessRenderer(new Map([['plain', createPlainTheme()]])),
}: Partial<Pick<PreparePorts, 'findDamaged' | 'renderer'>> = {}): InMemorySite {
  const objects = new Map<string, LiveObject>()
  const files = new Map<string, string>()
  const pages = new Map<PageId, LivePageRow>()
  const publishedAt = new Map<PageId, string>()
  const firstPublishedAt = new Map<PageId, string>()
  const slots: ListingSlot[] = []
  let site: LiveSite | null = null
  let seq = 0

  const rows = () => [...pages.values()]
  const ports = {
    liveState: {
      site: async () => site,
      facts: async (_: unknown, type: string) =>
        rows()
          .map(({ facts }) => facts)
          .filter(ofType(type)),
      pagesAt: async (_: unknown, paths: readonly string[]) =>
        rows()
          .map(({ facts }) => facts)
          .filter(({ path }) => paths.includes(path)),
      translations: async (_: unknown, keys: readonly string[]) =>
        rows()
          .map(({ facts }) => facts)
          .filter(({ translated }) => keys.includes(translated?.key ?? '')),
      cards: async (_: unknown, type: string) =>
        rows()
          .map(({ card }) => card)
          .filter(ofType(type)),
      indexLines: async () =>
        rows().map(({ pageId, facts: { subroute, slug, translated }, lines }) => ({
          pageId,
          subroute,
          slug,
          ...(translated !== undefined && { translated }),
          ...lines,
        })),
      feedEntries: async () =>
        rows().flatMap(({ pageId, feed }) => (feed === null ? [] : [{ pageId, entry: feed }])),
      slotsOf: async (_: unknown, ids: readonly PageId[]) =>
        slots.filter(({ pageId }) => ids.includes(pageId)),
      nextSlots: async (_: unknown, folders: readonly string[]) =>
        new Map(folders.map((folder) => [folder, slots.filter((slot) => slot.folder === folder).length])),
      objectsOfPages: async (_: unknown, ids: readonly PageId[]) =>
        all().filter(({ owner }) => isOfPage(owner.kind) && ids.includes(owner.id as PageId)),
      objectsOfKinds: async (_: unknown, kinds: readonly string[]) =>
        all().filter(({ owner }) => kinds.includes(owner.kind)),
      objectsAt: async (_: unknown, keys: readonly string[]) => keys.flatMap((key) => objects.get(key) ?? []),
      objectsClaimedBy: async () => [],
      formersAt: async () => [],
      linkTargets: async () => new Map(),
    },
    storedArtifacts: { find: async () => null, contentsOf: async () => null, contentKeys: async () => [] },
    searchRows: { pages: async () => [], entries: async () => [], base: async () => null },
    renderer,
    masterKey: parseMasterKey(newMasterKey()),
    ...(findDamaged && { findDamaged }),
    now: () => new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString(),
  }

  return { prepare, run, files, pages }

  async function prepare(changes: readonly Change[]): Promise<PreparedBatch> {
    const [first] = changes
    if (first === undefined) throw new RangeError('A batch has at least one change.')
    const { prepared, failed } = await prepareBatch(first.snapshot.site, changes.map(claimed), ports)
    if (prepared === null) throw new Error(`Nothing was prepared: ${JSON.stringify(failed)}`)
    return prepared
  }

  async function run(changes: readonly Change[]): Promise<PreparedBatch> {
    const batch = await prepare(changes)
    const now = ports.now()
    for (const { artifact, digest, headerDigest, keyId, writtenBy } of batch.plan.uploads) {
      const { key, owner, body } = artifact
      objects.set(key, { key, owner, digest, headerDigest, keyId, writtenBy })
      files.set(key, Buffer.from(body).toString())
    }
    for (const { key } of batch.plan.deletes) {
      objects.delete(key)
      files.delete(key)
    }
    for (const row of batch.commit.pages) {
      pages.set(row.pageId, row)
      publishedAt.set(row.pageId, now)
      if (!firstPublishedAt.has(row.pageId)) firstPublishedAt.set(row.pageId, now)
    }
    for (const id of batch.commit.removed) pages.delete(id)
    slots.push(...batch.commit.slots)
    site = batch.commit.site
    return batch
  }

  function claimed({ op, snapshot, wasClaimed = false }: Change): ClaimedRelease {
    seq += 1
    const { id } = snapshot.page
    const row = pages.get(id)
    const at = publishedAt.get(id)
    const live =
      row === undefined || at === undefined
        ? null
        : {
            releaseId: row.releaseId,
            publishedAt: at,
            facts: row.facts,
            line: row.lines.line,
            feedId: row.card.feedId ?? null,
          }
    return {
      release: releaseOf(op, snapshot, wasClaimed),
      file: op === 'publish' ? (pageKeys(snapshot)[0]?.[0] ?? '') : '',
      replaces: null,
      redirectFrom: op === 'publish' ? redirectPaths(snapshot) : [],
      formerPaths:
        live === null || row === undefined ? [] : [...new Set([live.facts.path, ...row.redirects])],
      live,
      firstPublishedAt: firstPublishedAt.get(id) ?? null,
    }
  }

  function releaseOf(op: Change['op'], snapshot: Snapshot, wasClaimed: boolean): Release {
    return {
      id: `release${seq}`.padEnd(16, 'a') as ReleaseId,
      projectId: snapshot.page.projectId,
      seq,
      pageId: snapshot.page.id,
      op,
      state: wasClaimed ? 'claimed' : 'queued',
      snapshot,
      statusAfter: op === 'publish' ? 'published' : 'draft',
      lenient: false,
      strict: false,
      restores: null,
      outcome: null,
      failure: null,
      createdAt: ports.now(),
      finishedAt: null,
      deadlineAt: null,
    }
  }

  function all(): readonly LiveObject[] {
    return [...objects.values()]
  }
}

function ofType(type: string) {
  return (page: { readonly type: string }) => page.type === type
}

function isOfPage(kind: string): boolean {
  return kind === 'page' || kind === 'redirect'
}
