import pLimit from 'p-limit'
import type { OwnerKind } from '../../domain/artifact.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import type { Storage } from '../../storage/storage.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import type { LiveState, ObjectRecord } from '../ledger/live-state.ts'
import type { SearchRows } from '../ledger/search-rows.ts'
import type { StoredArtifacts } from '../ledger/stored-artifacts.ts'
import { sha256 } from '../pipeline/plan.ts'

/**
 * - `missing`: the database knows the object, the store does not.
 * - `altered`: other bytes lie there than the database says.
 * - `unreadable`: the store has it and does not give it out.
 * - `orphan`: it lies there and the database does not know it.
 * - `insert`: a release that has ended still holds the key.
 * - `index`: `_index.json` does not say of a page what is live.
 * - `countUnfinished`: a release was left half-way; the rest can be compared once it has ended.
 */
export type DifferenceKind =
  | 'missing'
  | 'altered'
  | 'unreadable'
  | 'orphan'
  | 'claim'
  | 'index'
  | 'unfinished'

/** One thing in which database and store do not agree. */
export interface Difference {
  readonly kind: DifferenceKind
  /** Relative to the project's prefix; of an `countUnfinished` one the release's id. */
  readonly key: string
  /** Whose object the database says it is; null where it does not know it. */
  readonly ownerKind: OwnerKind | null
  readonly message: string
}

export interface ComparePorts {
  readonly liveState: Pick<LiveState, 'allObjects' | 'indexLines'>
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentKeys'>
  readonly searchRows: Pick<SearchRows, 'isDue'>
  readonly masterKey: MasterKey
  readonly storage: Pick<Storage, 'list' | 'get'>
}

/** Objects read at once. */
const CONCURRENCY = 16
const MANIFEST = '_index.json'

/**
 * Compare what the database says of a project with what lies on the store, in both directions.
 * While something is published this may see a change half-way; only under the lease is it the truth.
 * Files of the search index are left aside while a job is about to write them anew.
 *
 * @param only the keys whose bytes are read; null for all.
 * @param onRead is called for each object read, with how many there are in all.
 */
export async function compare(
  projectId: ProjectId,
  ports: ComparePorts,
  only: ReadonlySet<string> | null,
  onRead: (total: number) => void = () => {},
): Promise<readonly Difference[]> {
  const { liveState, searchRows, storage } = ports
  const sealing = await createSealing(projectId, ports)
  const prefix = projectPrefix(projectId)
  const isSearchDue = await searchRows.isDue(projectId)
  const isCompared = (key: string) => !isSearchDue || !key.startsWith('_search')
  const records = (await liveState.allObjects(projectId)).filter(({ key }) => isCompared(key))
  const listed = (await storage.list(prefix)).map((full) => full.slice(prefix.length))
  const lying = new Set(listed.filter(isCompared))

  const known = records.filter(({ digest }) => digest !== null)
  const knownKeys = new Set(known.map(({ key }) => key))
  const missing = known.filter(({ key }) => !lying.has(key)).map(missingObject)
  // Of what is about to go it makes no difference whether it is there.
  const leaving = new Set(records.filter(({ isDeleting }) => isDeleting).map(({ key }) => key))
  const orphans = [...lying].filter((key) => !knownKeys.has(key) && !leaving.has(key)).map(orphan)
  const claims = records.filter(({ claimedByEnded }) => claimedByEnded !== null).map(leftClaim)

  const due = known.filter(({ key }) => lying.has(key) && (only === null || only.has(key)))
  const limit = pLimit(CONCURRENCY)
  const read = due.map((record) =>
    limit(async () => {
      const difference = await compareBytes(projectId, record, sealing, storage)
      onRead(due.length)
      return difference
    }),
  )
  const altered = (await Promise.all(read)).filter((difference) => difference !== null)
  const index = await compareIndex(projectId, knownKeys, { liveState, storage })
  return [...missing, ...altered, ...orphans, ...claims, ...index]
}

async function compareBytes(
  projectId: ProjectId,
  record: ObjectRecord,
  sealing: Sealing,
  storage: ComparePorts['storage'],
): Promise<Difference | null> {
  const { key, digest, owner } = record
  const differs = (kind: DifferenceKind, message: string): Difference => {
    return { kind, key, ownerKind: owner.kind, message }
  }
  try {
    const body = await storage.get(storageKey(projectId, key))
    if (body === null) return missingObject({ key, owner })
    return isWhatWasPublished(body) ? null : differs('altered', 'Other bytes lie there than were published.')
  } catch (error) {
    return differs('unreadable', `It cannot be read: ${messageOf(error)}`)
  }

  function isWhatWasPublished(body: Uint8Array): boolean {
    try {
      return sha256(sealing.decode(record, body)) === digest
    } catch (error) {
      if (error instanceof RangeError || error instanceof SyntaxError) return false
      throw error
    }
  }
}

/** Each entry of `_index.json` names a page that is live with its file, and each live page has one. */
async function compareIndex(
  projectId: ProjectId,
  known: ReadonlySet<string>,
  { liveState, storage }: Pick<ComparePorts, 'liveState' | 'storage'>,
): Promise<readonly Difference[]> {
  if (!known.has(MANIFEST)) return []
  // Read before the rows: a page that is published meanwhile is at worst one too many there.
  const listed = entriesOf(await storage.get(storageKey(projectId, MANIFEST)))
  const live = (await liveState.indexLines(projectId)).map(({ line }) => entryOf(JSON.parse(line)))
  const [listedKeys, liveKeys] = [new Set(listed.map(text)), new Set(live.map(text))]
  const about = (file: string, message: string): Difference => {
    return { kind: 'index', key: file, ownerKind: null, message }
  }
  return [
    ...listed
      .filter((entry) => !liveKeys.has(text(entry)))
      .map(({ id, file }) => about(file, `_index.json names it for ${id}, which is not live there.`)),
    ...live
      .filter((entry) => !listedKeys.has(text(entry)))
      .map(({ id, file }) => about(file, `_index.json does not name it, and ${id} is live there.`)),
    ...live
      .filter(({ file }) => !known.has(file))
      .map(({ id, file }) => about(file, `It is the file of ${id}, which is live, and nobody published it.`)),
  ]
}

interface Entry {
  readonly id: string
  readonly file: string
}

/** None when it is missing or no manifest, which its bytes tell already. */
function entriesOf(body: Uint8Array | null): readonly Entry[] {
  if (body === null) return []
  try {
    return JSON.parse(Buffer.from(body).toString()).pages.map(entryOf)
  } catch {
    return []
  }
}

function entryOf({ id, file }: Record<string, unknown>): Entry {
  return { id: String(id), file: String(file) }
}

function text({ id, file }: Entry): string {
  return `${id} ${file}`
}

function missingObject({ key, owner }: Pick<ObjectRecord, 'key' | 'owner'>): Difference {
  return { kind: 'missing', key, ownerKind: owner.kind, message: 'It is live, and nothing lies there.' }
}

function orphan(key: string): Difference {
  return { kind: 'orphan', key, ownerKind: null, message: 'It lies there, and nobody published it.' }
}

function leftClaim({ key, owner, claimedByEnded }: ObjectRecord): Difference {
  return {
    kind: 'claim',
    key,
    ownerKind: owner.kind,
    message: `Release rel_${claimedByEnded} has ended and still holds it.`,
  }
}
