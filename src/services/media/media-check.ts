import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { OriginalRecord } from '../../db/repositories/originals.ts'
import type { Database } from '../../db/repositories.ts'
import { messageOf } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { PICTURE, PICTURE_AGAIN } from '../../domain/job.ts'
import { originalKey, originalVariantKey } from '../../domain/original-key.ts'
import type { StoredVariant } from '../../domain/picture-variants.ts'
import { projectPrefix } from '../../domain/storage-key.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import type { Storage } from '../../storage/storage.ts'

/** Bytes that the media store should have. */
export interface ExpectedMedia {
  readonly key: string
  readonly original: OriginalRecord
  /** The variant; null for the original itself. */
  readonly variant: StoredVariant | null
}

export interface MediaDifference extends ExpectedMedia {
  /** `altered`: its digest is not that in the database. `unreadable`: reading it fails. */
  readonly kind: 'missing' | 'altered' | 'unreadable'
  readonly message: string
}

/** An object of the media store without a record in the database. */
export interface LeftoverMedia {
  readonly key: string
  /** SHA-256 of the upload that it belongs to, hex; null where the key is not one of ours. */
  readonly digest: string | null
  readonly isVariant: boolean
}

export interface MediaCheck {
  readonly differences: readonly MediaDifference[]
  readonly leftovers: readonly LeftoverMedia[]
  /** Originals that were lost, and are there again. */
  readonly found: readonly OriginalRecord[]
}

export interface MediaCheckPorts {
  readonly db: Database
  readonly mediaStore: Pick<Storage, 'list' | 'open'>
}

const CONCURRENCY = 8
/** Originals per statement. */
const PER_READ = 500
const OURS = /^(originals|variants)\/([0-9a-f]{64})-([0-9a-z]+)(?:-\d+(?:-r\d+)?)?(?:\.\w+)?$/

/**
 * Compares the originals and variants of a project with the media store, in both directions. Servers may run: what
 * changes meanwhile is no difference.
 *
 * @param onRead called after each object is read, with the total number to read.
 */
export async function checkMedia(
  projectId: ProjectId,
  { db, mediaStore }: MediaCheckPorts,
  onRead: (total: number) => void = () => {},
): Promise<MediaCheck> {
  // First: a record exists before its object, so a listed object without a record never gets one.
  const listed = await mediaStore.list(projectPrefix(projectId))
  const expected = await expectedMedia(db, projectId)
  const read = await mapConcurrently(expected.objects, CONCURRENCY, async (object) => {
    const difference = await compareMedia(object, mediaStore)
    onRead(expected.objects.length)
    return difference
  })
  const suspected = read.filter((difference) => difference !== null)
  const current = suspected.length === 0 ? [] : (await expectedMedia(db, projectId)).objects
  const isCurrent = new Set(current.map((object) => `${object.key} ${digestOf(object)}`))
  const damaged = new Set(suspected.map(({ key }) => key))
  return {
    differences: suspected.filter((object) => isCurrent.has(`${object.key} ${digestOf(object)}`)),
    leftovers: listed
      .filter((key) => !expected.isKnown(key))
      .map((key) => leftover(key, key.slice(projectPrefix(projectId).length))),
    found: expected.objects.flatMap(({ key, original, variant }) =>
      variant === null && original.isLost && !damaged.has(key) ? [original] : [],
    ),
  }
}

/** Reads an object of the media store. Null when it has the bytes that it should have. */
export async function compareMedia(
  object: ExpectedMedia,
  mediaStore: Pick<Storage, 'open'>,
): Promise<MediaDifference | null> {
  try {
    const stored = await mediaStore.open(object.key)
    if (stored === null) return { ...object, kind: 'missing', message: 'It is not in the media store.' }
    const hash = createHash('sha256')
    await pipeline(stored.stream(), hash)
    if (hash.digest('hex') === digestOf(object)) return null
    return {
      ...object,
      kind: 'altered',
      message: 'Its bytes in the media store differ from what was stored.',
    }
  } catch (error) {
    return { ...object, kind: 'unreadable', message: `It cannot be read: ${messageOf(error)}` }
  }
}

/** SHA-256 of the bytes that an object should have, hex. */
export function digestOf({ original, variant }: ExpectedMedia): string {
  return variant?.digest ?? original.storedDigest
}

async function expectedMedia(db: Database, projectId: ProjectId) {
  const records = await db.read.originals.ofProject(projectId)
  const objects: ExpectedMedia[] = []
  const known = new Set<string>()
  /** Beginnings of the keys of variants that may be stored, but not recorded yet. */
  const inProgress = new Set<string>()
  for (let start = 0; start < records.length; start += PER_READ) {
    const originals = records.slice(start, start + PER_READ)
    const ids = originals.map(({ id }) => id)
    // Before the variants: a job ends after it has recorded them.
    const jobs = [
      ...(await db.read.jobs.findUnfinished(PICTURE, ids)),
      ...(await db.read.jobs.findUnfinished(PICTURE_AGAIN, ids)),
    ]
    const variants = await db.read.variants.allOf(ids)
    const deriving = new Set(jobs.map(({ subject }) => subject))
    for (const original of originals) {
      const { id, digest } = original
      if (deriving.has(id)) inProgress.add(`${digest}-${id}`)
      const own: readonly ExpectedMedia[] = [
        { key: originalKey(projectId, digest, id), original, variant: null },
        ...(variants.get(id) ?? []).map((variant) => ({
          key: originalVariantKey(projectId, { id, digest }, variant),
          original,
          variant,
        })),
      ]
      for (const { key } of own) known.add(key)
      // One that is being stored or removed may exist or not.
      if (original.state === 'stored') objects.push(...own)
    }
  }
  return {
    objects,
    isKnown(key: string): boolean {
      if (known.has(key)) return true
      const [, folder, digest, id] = OURS.exec(key.slice(projectPrefix(projectId).length)) ?? []
      return folder === 'variants' && inProgress.has(`${digest}-${id}`)
    },
  }
}

function leftover(key: string, relative: string): LeftoverMedia {
  const [, folder, digest = null] = OURS.exec(relative) ?? []
  return { key, digest, isVariant: folder === 'variants' }
}
