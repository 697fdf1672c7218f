import type { Knex } from 'knex'
import type { OwnerKind } from '../../domain/artifact.ts'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { AnyRelease, Release } from '../../domain/release.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import { rowsOf } from '../dialect.ts'
import { freeClaims } from './finish-releases.ts'
import { inChunks, selectInChunks } from './objects.ts'

/* Claims of keys. Call the claiming functions inside a transaction under the project's lease. */

/** The result of a claim: the key of the page's own file, or the conflict. */
export type KeyClaim =
  | { readonly file: string; readonly conflict: null }
  | { readonly file: null; readonly conflict: KeyConflict }

export interface KeyConflict {
  readonly key: string
  /** Id of the page that owns the key. */
  readonly owner: string
}

/**
 * Claims one name of each key for a page, or nothing when one of the keys has no free name. Prefers a name that the
 * page owns already over better ones.
 *
 * @param claimer the release that is about to write the objects.
 * @param keys each key as a list of possible names, best first.
 * @param vacated keys that other pages of the batch give up.
 */
export async function claimKeys(
  trx: Knex,
  claimer: Pick<AnyRelease, 'id'>,
  page: Pick<Release, 'projectId' | 'pageId'>,
  keys: readonly (readonly string[])[],
  vacated: ReadonlySet<string> = new Set(),
): Promise<KeyClaim> {
  const wanted: (readonly string[])[] = []
  for (const names of keys) wanted.push(await ownFirst(trx, page, names))
  // The best name of each is nearly always free, so one statement claims all of them.
  const best = await claimNames(trx, claimer, page, wanted.map(firstOf), vacated)
  const claimed: string[] = []
  for (const names of wanted) {
    const [first = '', ...others] = names
    const name = best.has(first) ? first : await claimOne(trx, claimer, page, others, vacated)
    if (name === null) {
      await freeClaims(trx, page.projectId, [claimer.id])
      const key = names.at(-1) ?? ''
      const row = await trx('live_objects').where({ project_id: page.projectId, key }).first('owner_id')
      return { file: null, conflict: { key, owner: row.owner_id } }
    }
    claimed.push(name)
  }
  return { file: claimed[0] ?? '', conflict: null }
}

function firstOf([first = '']: readonly string[]): string {
  return first
}

async function ownFirst(
  trx: Knex,
  { projectId, pageId }: Pick<Release, 'projectId' | 'pageId'>,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 1) return names
  const own = await trx('live_objects')
    .where({ project_id: projectId, owner_kind: 'page', owner_id: pageId })
    .whereIn('key', [...names])
    .pluck<string[]>('key')
  return [...names.filter((name) => own.includes(name)), ...names]
}

async function claimOne(
  trx: Knex,
  claimer: Pick<AnyRelease, 'id'>,
  page: Pick<Release, 'projectId' | 'pageId'>,
  names: readonly string[],
  vacated: ReadonlySet<string>,
): Promise<string | null> {
  for (const name of names) {
    if ((await claimNames(trx, claimer, page, [name], vacated)).has(name)) return name
  }
  return null
}

/** Claims the names that are free or vacated, and returns them. A row keeps its owner until the commit. */
async function claimNames(
  trx: Knex,
  { id }: Pick<AnyRelease, 'id'>,
  { projectId, pageId }: Pick<Release, 'projectId' | 'pageId'>,
  names: readonly string[],
  vacated: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const free = names.filter((name) => vacated.has(name))
  // PostgreSQL has no empty list. Nothing equals NULL.
  const anyFree = free.length === 0 ? 'NULL' : free.map(() => '?').join(', ')
  const claimed = rowsOf<{ readonly key: string }>(
    await trx.raw(
      `INSERT INTO live_objects (project_id, key, owner_kind, owner_id, claimed_by)
       VALUES ${names.map(() => "(?, ?, 'page', ?, ?)").join(', ')}
       ON CONFLICT (project_id, key) DO UPDATE SET claimed_by = excluded.claimed_by
       WHERE (live_objects.owner_kind = 'page' AND live_objects.owner_id = excluded.owner_id)
          OR ((live_objects.owner_kind <> 'page' OR live_objects.key IN (${anyFree}))
              AND (live_objects.claimed_by IS NULL OR live_objects.claimed_by = excluded.claimed_by))
       RETURNING key`,
      [...names.flatMap((name) => [projectId, name, pageId, id]), ...free],
    ),
  )
  return new Set(claimed.map(({ key }) => key))
}

/**
 * Claims keys for redirects to a page, except where another owner has an object. Call it after claiming the keys of
 * all pages of the batch, which take precedence.
 *
 * @param keys without the keys of the page itself.
 * @param beforeLists whether they take precedence over lists, as those do that an author names.
 * @returns the claimed keys.
 */
export async function claimRedirects(
  trx: Knex,
  { id }: Pick<AnyRelease, 'id'>,
  { projectId, pageId }: Pick<Release, 'projectId' | 'pageId'>,
  keys: readonly string[],
  beforeLists: boolean,
): Promise<ReadonlySet<string>> {
  const claimed = new Set<string>()
  await inChunks(keys, async (chunk) => {
    const rows = rowsOf<{ readonly key: string }>(
      await trx.raw(
        `INSERT INTO live_objects (project_id, key, owner_kind, owner_id, claimed_by)
         VALUES ${chunk.map(() => "(?, ?, 'redirect', ?, ?)").join(', ')}
         ON CONFLICT (project_id, key) DO UPDATE SET claimed_by = excluded.claimed_by
         WHERE (live_objects.owner_kind IN ('page', 'redirect') AND live_objects.owner_id = excluded.owner_id
                ${beforeLists ? "OR live_objects.owner_kind = 'listing'" : ''})
           AND (live_objects.claimed_by IS NULL OR live_objects.claimed_by = excluded.claimed_by)
         RETURNING key`,
        chunk.flatMap((key) => [projectId, key, pageId, id]),
      ),
    )
    for (const { key } of rows) claimed.add(key)
  })
  return claimed
}

/** The keys that `claimRedirects` would claim now. */
export async function checkRedirects(
  db: Knex,
  { projectId, pageId }: Pick<Release, 'projectId' | 'pageId'>,
  keys: readonly string[],
  beforeLists: boolean,
): Promise<ReadonlySet<string>> {
  const existing = await selectInChunks(keys, (chunk) =>
    db('live_objects')
      .where({ project_id: projectId })
      .whereIn('key', chunk)
      .select<{ key: string; owner_kind: OwnerKind; owner_id: string }[]>('key', 'owner_kind', 'owner_id'),
  )
  const taken = new Set(
    existing
      .filter(({ owner_kind: kind, owner_id: id }) => !(beforeLists && kind === 'listing') && id !== pageId)
      .map(({ key }) => key),
  )
  return new Set(keys.filter((key) => !taken.has(key)))
}

/** Marks releases as claimed under the lease. @param isDeploying whether their deploy starts with the claim. */
export async function markClaimed(
  trx: Knex,
  { fence }: Lease,
  ids: readonly ReleaseId[],
  { isDeploying }: { readonly isDeploying: boolean },
): Promise<void> {
  await trx('releases')
    .whereIn('id', [...ids])
    .update({
      state: 'claimed',
      fence,
      attempts: trx.raw('attempts + 1'),
      ...(isDeploying && { is_deploying: true }),
    })
}

/** The result that `claimKeys` would have now. */
export async function checkKeys(
  db: Knex,
  page: Pick<Release, 'projectId' | 'pageId'>,
  keys: readonly (readonly string[])[],
): Promise<KeyClaim> {
  const free: string[] = []
  for (const names of keys) {
    const others = await db('live_objects')
      .where({ project_id: page.projectId, owner_kind: 'page' })
      .whereNot({ owner_id: page.pageId })
      .whereIn('key', [...names])
      .select<{ key: string; owner_id: string }[]>('key', 'owner_id')
    const taken = new Map(others.map(({ key, owner_id }) => [key, owner_id]))
    const name = (await ownFirst(db, page, names)).find((candidate) => !taken.has(candidate))
    if (name === undefined) {
      const key = names.at(-1) ?? ''
      return { file: null, conflict: { key, owner: taken.get(key) ?? '' } }
    }
    free.push(name)
  }
  return { file: free[0] ?? '', conflict: null }
}

/**
 * The keys of files that each of these pages gives up.
 *
 * @param candidatesOf every name that the page's files may have once it moved. A page keeps those it owns already.
 */
export async function vacatedKeys(
  db: Knex,
  projectId: ProjectId,
  leaving: ReadonlySet<PageId>,
  candidatesOf: (pageId: PageId) => ReadonlySet<string>,
): Promise<ReadonlyMap<PageId, ReadonlySet<string>>> {
  const vacated = new Map([...leaving].map((pageId) => [pageId, new Set<string>()]))
  await inChunks([...leaving], async (chunk) => {
    const rows = await db('live_objects')
      .where({ project_id: projectId, owner_kind: 'page' })
      .whereIn('owner_id', [...chunk])
      .select<{ key: string; owner_id: PageId }[]>('key', 'owner_id')
    for (const { key, owner_id } of rows)
      if (!candidatesOf(owner_id).has(key)) vacated.get(owner_id)?.add(key)
  })
  return vacated
}
