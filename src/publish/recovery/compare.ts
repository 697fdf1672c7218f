import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { type ObjectHeaders, type OwnerKind, objectHeaders } from '../../domain/artifact.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import type { LiveObject, LiveState, ObjectRecord } from '../ledger/live-state.ts'
import type { SearchRows } from '../ledger/search-rows.ts'
import type { StoredArtifacts } from '../ledger/stored-artifacts.ts'
import { sha256 } from '../pipeline/plan.ts'
import { isSearchFile } from '../search/search-keys.ts'

/**
 * - `missing`: the database has a row of the object, but the store has no object.
 * - `altered`: the object's bytes differ from the digest in the database.
 * - `headers`: the object's content type or cache control on the store is not what was published.
 * - `unreadable`: the store lists the object, but reading it fails.
 * - `orphan`: the store has an object without a row in the database.
 * - `claim`: a release that has ended still claims the key.
 * - `index`: `_index.json` disagrees with the database about a live page.
 * - `unfinished`: a release was left part-way; other differences can be determined once it has ended.
 */
export type DifferenceKind =
  | 'missing'
  | 'altered'
  | 'headers'
  | 'unreadable'
  | 'orphan'
  | 'claim'
  | 'index'
  | 'unfinished'

/** A difference between the database and the store. */
export interface Difference {
  readonly kind: DifferenceKind
  /** Relative to the project's prefix; for `unfinished` the id of the release. */
  readonly key: string
  /** Owner of the object according to the database; null for objects without a row. */
  readonly ownerKind: OwnerKind | null
  readonly message: string
}

export interface ComparePorts {
  readonly liveState: Pick<LiveState, 'allObjects' | 'indexLines'>
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentKeys'>
  readonly searchRows: Pick<SearchRows, 'isDue'>
  readonly masterKey: MasterKey
  readonly storage: Pick<Storage, 'list' | 'get' | 'open' | 'headers'>
}

/** Objects read concurrently. */
const CONCURRENCY = 16
const MANIFEST = '_index.json'

/**
 * Compares the database with the store, in both directions.
 *
 * Without the project's lease, the result may contain a publish in progress. Files of the search index are skipped
 * while a job is about to rewrite them.
 *
 * @param only the keys whose bytes are read; null for all.
 * @param onRead called after each object is read, with the total number to read.
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
  const isCompared = (key: string) => !isSearchDue || !isSearchFile(key)
  const records = (await liveState.allObjects(projectId)).filter(({ key }) => isCompared(key))
  const listed = (await storage.list(prefix)).map((full) => full.slice(prefix.length))
  const stored = new Set(listed.filter(isCompared))

  const known = records.filter(({ digest }) => digest !== null)
  const knownKeys = new Set(known.map(({ key }) => key))
  const missing = known.filter(({ key }) => !stored.has(key)).map(missingObject)
  // An object that is being deleted may exist or not.
  const deleting = new Set(records.filter(({ isDeleting }) => isDeleting).map(({ key }) => key))
  const orphans = [...stored].filter((key) => !knownKeys.has(key) && !deleting.has(key)).map(orphan)
  const claims = records.filter(({ claimedByEnded }) => claimedByEnded !== null).map(abandonedClaim)

  const due = known.filter(({ key }) => stored.has(key) && (only === null || only.has(key)))
  const limit = pLimit(CONCURRENCY)
  const read = due.map((record) =>
    limit(async () => {
      const difference = await compareObject(projectId, record, sealing, storage)
      onRead(due.length)
      return difference
    }),
  )
  const altered = (await Promise.all(read)).filter((difference) => difference !== null)
  const index = await compareIndex(projectId, knownKeys, { liveState, storage })
  return [...missing, ...altered, ...orphans, ...claims, ...index]
}

/** Compares the bytes and headers of an object on the store with what was published; null if they agree. */
export async function compareObject(
  projectId: ProjectId,
  record: LiveObject,
  sealing: Sealing,
  storage: Pick<Storage, 'get' | 'open' | 'headers'>,
): Promise<Difference | null> {
  const { key, digest, owner } = record
  const differs = (kind: DifferenceKind, message: string): Difference => {
    return { kind, key, ownerKind: owner.kind, message }
  }
  try {
    const at = storageKey(projectId, key)
    const [found, headers] = await Promise.all([isAsPublished(at), storage.headers(at)])
    if (found === null || headers === null) return missingObject({ key, owner })
    if (!found) return differs('altered', 'Its bytes differ from what was published.')
    const changed = changedHeader(headers, objectHeaders(key))
    return changed === null ? null : differs('headers', changed)
  } catch (error) {
    return differs('unreadable', `It cannot be read: ${messageOf(error)}`)
  }

  /** Reports whether the object has the published bytes; null without an object. */
  async function isAsPublished(at: string): Promise<boolean | null> {
    try {
      // It may be too large to be read whole.
      if (owner.kind === 'media') return await hasDigest(await storage.open(at), record, sealing)
      const body = await storage.get(at)
      return body && sha256(sealing.decode(record, body)) === digest
    } catch (error) {
      if (error instanceof RangeError || error instanceof SyntaxError) return false
      throw error
    }
  }
}

async function hasDigest(
  object: OpenObject | null,
  { digest, keyId }: Pick<LiveObject, 'digest' | 'keyId'>,
  sealing: Sealing,
): Promise<boolean | null> {
  if (object === null) return null
  const hash = createHash('sha256')
  const stored = object.stream()
  await pipeline(keyId === null ? stored : sealing.openMedia(keyId, stored), hash)
  return hash.digest('hex') === digest
}

/** Names the first header that differs, ignoring case and white space; null if none does. */
function changedHeader(actual: ObjectHeaders, published: ObjectHeaders): string | null {
  const plain = (value: string) => value.toLowerCase().replace(/\s+/g, '')
  for (const [name, field] of [
    ['Content-Type', 'contentType'],
    ['Cache-Control', 'cacheControl'],
    ['Content-Encoding', 'contentEncoding'],
  ] as const) {
    const [is, was] = [actual[field] ?? '', published[field] ?? '']
    if (plain(is) !== plain(was))
      return `Its ${name} is ${JSON.stringify(is)}, but was published as ${JSON.stringify(was)}.`
  }
  return null
}

/** Checks that `_index.json` has one entry for each live page, with its file, and no others. */
async function compareIndex(
  projectId: ProjectId,
  known: ReadonlySet<string>,
  { liveState, storage }: Pick<ComparePorts, 'liveState' | 'storage'>,
): Promise<readonly Difference[]> {
  if (!known.has(MANIFEST)) return []
  // Read before the rows, so that a concurrent publish can only add a page to the rows.
  const listed = entriesOf(await storage.get(storageKey(projectId, MANIFEST)))
  const live = (await liveState.indexLines(projectId)).map(({ line }) => entryOf(JSON.parse(line)))
  const [listedKeys, liveKeys] = [new Set(listed.map(text)), new Set(live.map(text))]
  const about = (file: string, message: string): Difference => {
    return { kind: 'index', key: file, ownerKind: null, message }
  }
  return [
    ...listed
      .filter((entry) => !liveKeys.has(text(entry)))
      .map(({ id, file }) => about(file, `_index.json lists it for ${id}, which is not live at this path.`)),
    ...live
      .filter((entry) => !listedKeys.has(text(entry)))
      .map(({ id, file }) =>
        about(file, `_index.json does not list it, although ${id} is live at this path.`),
      ),
    ...live
      .filter(({ file }) => !known.has(file))
      .map(({ id, file }) => about(file, `It is the file of the live page ${id}, but was never published.`)),
  ]
}

interface Entry {
  readonly id: string
  readonly file: string
}

/** Empty when the manifest is missing or invalid; the comparison of bytes reports that. */
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
  return { kind: 'missing', key, ownerKind: owner.kind, message: 'It is live, but missing on the store.' }
}

function orphan(key: string): Difference {
  return { kind: 'orphan', key, ownerKind: null, message: 'It exists on the store, but was never published.' }
}

function abandonedClaim({ key, owner, claimedByEnded }: ObjectRecord): Difference {
  return {
    kind: 'claim',
    key,
    ownerKind: owner.kind,
    message: `Release rel_${claimedByEnded} has ended, but still claims this key.`,
  }
}
