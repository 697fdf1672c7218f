import type { Logger } from 'pino'
import type { Original } from '../../db/repositories/originals.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import type { Asset, OriginalId } from '../../domain/asset.ts'
import { ServiceError } from '../../domain/errors.ts'
import { ID_ALPHABET, type ProjectId } from '../../domain/ids.ts'
import { originalKey, originalVariantKey } from '../../domain/original-key.ts'
import { openFile } from '../../platform/file-body.ts'
import type { Storage } from '../../storage/storage.ts'
import type { AccountLimitService } from '../accounts/account-limits.ts'
import type { NewId } from '../new-id.ts'

/** Longer than any attempt to store a file with all its repetitions takes. */
const STORING_MS = 60 * 60 * 1000
/** A write that failed may still arrive at a bucket, at most this late. */
const LATE_MS = 10 * 60 * 1000
/** Originals that a sweep removes between two reads of the database. */
const PER_STEP = 100
/** Removals that fail before a sweep ends: the store may be down, and each failure takes all its repetitions. */
const MAX_FAILURES = 20
/** Attempts to find a stored copy that is not being removed meanwhile. */
const ATTEMPTS = 5

/** Time between two lists of the whole store. */
const CLEAN_MS = 24 * 60 * 60 * 1000

const NOT_REMOVED = 'An original could not be removed from the media store; it is tried again.'

/** Bytes in a file. */
export interface FileBytes {
  /** Absolute path. */
  readonly path: string
  readonly bytes: number
  /** SHA-256, hex. */
  readonly digest: string
}

/** An upload and its stored bytes. */
export interface StoredUpload {
  /** SHA-256 of the bytes as they were uploaded, hex. */
  readonly digest: string
  /** The same bytes, or those of the image without metadata. */
  readonly stored: FileBytes
}

type OriginalRef = Pick<Original, 'id' | 'projectId' | 'digest'>

/** Called in the transaction that gives the original to an asset. @throws {Removed} when it may be deleted. */
type Use = (repositories: Repositories) => Promise<void>

export type OriginalService = ReturnType<typeof createOriginalService>

/**
 * Moves uploads into the private media store and removes them from it, with the variants that were derived from them.
 * The record of an object is committed before its write and deleted after its removal, so a crash at any point leaves
 * nothing that a sweep does not find.
 */
export function createOriginalService({
  db,
  mediaStore,
  accountLimits,
  newId,
  now,
  log,
  isHeld,
}: {
  readonly db: Database
  readonly mediaStore: Pick<Storage, 'put' | 'delete' | 'list'>
  readonly accountLimits: Pick<AccountLimitService, 'assertWithin'>
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: Pick<Logger, 'error'>
  /** Reports whether a backup is running: it may need originals that are due. */
  readonly isHeld: () => Promise<boolean>
}) {
  let sweeping: Promise<void> | null = null
  let cleanedAt = Number.NEGATIVE_INFINITY

  return {
    /**
     * Removes an original that an asset gave up, unless something needs it. What fails is left to the next sweep. Call
     * it after the transaction in which `release` marked it.
     */
    discard,

    /**
     * Stores the bytes, or finds them stored for another asset of the project, and runs `commit`, which calls `use` in
     * its transaction. Then it removes an original that no asset has. Lost bytes take their former place in the media
     * store, so releases that show them have them again.
     *
     * @throws {ServiceError} `forbidden` when the account stores as much as it may.
     */
    async storeFor<Result>(
      projectId: ProjectId,
      upload: StoredUpload,
      commit: (id: OriginalId, use: Use) => Promise<Result>,
    ): Promise<Result> {
      for (let attempt = 1; ; attempt++) {
        const { original, isStored } = await reserve(projectId, upload)
        if (!isStored) await put(original, upload.stored)
        let isUsed = false
        try {
          return await commit(original.id, async ({ originals }) => {
            if (!(await originals.markStored(original.id))) throw new Removed()
            isUsed = true
          })
        } catch (error) {
          isUsed = false
          if (!(error instanceof Removed) || attempt === ATTEMPTS) throw error
        } finally {
          if (!isUsed && !isStored) await discard(original)
        }
      }
    },

    /**
     * Stores the bytes before something needs them. They are removed after an hour, unless `markStored` was called for
     * them by then.
     *
     * @throws {ServiceError} as `storeFor`.
     */
    async storeAhead(projectId: ProjectId, upload: StoredUpload): Promise<OriginalId> {
      const { original, isStored } = await reserve(projectId, upload)
      if (!isStored) await put(original, upload.stored)
      return original.id
    },

    sweep,

    /** Starts a sweep unless one runs. */
    wake(): void {
      sweeping ??= sweep()
        .catch((error) => log.error({ err: error }, 'Originals could not be removed; it is tried again.'))
        .finally(() => (sweeping = null))
    },

    /** Resolves when no sweep that was started by `wake` runs. */
    async idle(): Promise<void> {
      await sweeping
    },
  }

  /** Removes originals that nothing needs any more. Failed removals are left to the next sweep. */
  async function sweep(): Promise<void> {
    const failed = new Set<OriginalId>()
    while (failed.size < MAX_FAILURES) {
      const due = await db.read.originals.due(now(), PER_STEP + failed.size)
      const rest = due.filter(({ id }) => !failed.has(id))
      if (rest.length === 0) break
      for (const original of rest) {
        if (failed.size === MAX_FAILURES) break
        try {
          if (!(await remove(original))) failed.add(original.id)
        } catch (error) {
          failed.add(original.id)
          log.error({ err: error, original: original.id }, NOT_REMOVED)
        }
      }
    }
    // A folder removes the temporary files of a killed process when it is listed.
    if (Date.parse(now()) - cleanedAt < CLEAN_MS) return
    cleanedAt = Date.parse(now())
    // In parts, since the keys of a large store would take hundreds of megabytes.
    for (const first of ID_ALPHABET) await mediaStore.list(`proj_${first}`)
  }

  /** Counts the bytes for the account before they are stored. */
  async function reserve(
    projectId: ProjectId,
    { digest, stored: { bytes, digest: storedDigest } }: StoredUpload,
  ): Promise<{ readonly original: Original; readonly isStored: boolean }> {
    return db.write(async (repositories) => {
      const known = await repositories.originals.findStored(projectId, digest)
      if (known !== null) return { original: { id: known, projectId, digest, bytes }, isStored: true }
      const lost = await repositories.originals.findLost(projectId, digest, storedDigest)
      if (lost !== null) return { original: { id: lost, projectId, digest, bytes }, isStored: false }
      const original = { id: newId<'org'>(), projectId, digest, bytes }
      await repositories.originals.insertStoring({ ...original, storedDigest }, later(STORING_MS))
      await accountLimits.assertWithin(repositories, { projectId }, ['media_bytes'])
      return { original, isStored: false }
    })
  }

  async function put({ id, projectId, digest }: Original, { path, ...stored }: FileBytes): Promise<void> {
    try {
      await mediaStore.put({
        key: originalKey(projectId, digest, id),
        body: { size: stored.bytes, digest: stored.digest, open: () => openFile(path) },
      })
    } catch (error) {
      await db.write(({ originals }) => originals.release(id, later(LATE_MS)))
      throw error
    }
  }

  async function discard(original: OriginalRef): Promise<void> {
    try {
      await remove(original)
    } catch (error) {
      log.error({ err: error, original: original.id }, NOT_REMOVED)
    }
  }

  /**
   * Removes an original unless an asset has it or something live shows it. While a backup runs, it is only marked: the
   * backup's copy of the database may still have it.
   *
   * @returns whether it was removed.
   */
  async function remove({ id, projectId, digest }: OriginalRef): Promise<boolean> {
    // Marks an original of an unfinished upload, so that the upload cannot end any more.
    if (!(await db.write(({ originals }) => originals.release(id, now())))) return false
    if (await isHeld()) return false
    const variants = (await db.read.variants.allOf([id])).get(id) ?? []
    await mediaStore.delete([
      originalKey(projectId, digest, id),
      ...variants.map((variant) => originalVariantKey(projectId, { id, digest }, variant)),
    ])
    await db.write(({ originals }) => originals.delete(id))
    return true
  }

  function later(ms: number): string {
    return new Date(Date.parse(now()) + ms).toISOString()
  }
}

export function originalOf({ originalId: id, projectId, digest }: Asset): OriginalRef {
  return { id, projectId, digest }
}

/** The stored copy was given up by its last asset meanwhile. */
class Removed extends ServiceError {
  constructor() {
    super('conflict', 'The same bytes are being deleted at this moment. Upload them again.')
  }
}
