import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Database, VariantStatus } from '../../db/repositories.ts'
import type { OriginalId } from '../../domain/asset.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { ImageVariant } from '../../domain/image.ts'
import { PICTURE } from '../../domain/job.ts'
import { originalKey, originalVariantKey } from '../../domain/original-key.ts'
import { isWorthwhile, type StoredVariant, variantsToMake } from '../../domain/picture-variants.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import { readFileBody } from '../../platform/file-body.ts'
import type { Storage } from '../../storage/storage.ts'
import type { FileBytes } from './originals.ts'
import { type PicturePayload, READY } from './picture-requests.ts'

/** Pictures whose variants one process makes at once, of different accounts. */
export const PICTURES_AT_ONCE = 2
/** Runs without progress. Later ones would fail too: pages show the original. */
const ATTEMPTS = 5
/** Delays between them in ms: the store may be unavailable for a while. */
const DELAYS_MS = [2_000, 10_000, 60_000, 5 * 60_000]
const NOT_MADE =
  'No smaller pictures could be made, although it was tried several times. Replace the file to try it again.'

export interface PictureJobPorts {
  readonly db: Database
  readonly mediaStore: Pick<Storage, 'open' | 'put' | 'delete'>
  readonly images: Pick<ImageProcessor, 'decodes' | 'inspect' | 'derive'>
  /** Temporary files, which a sweep removes after the process was killed; also what is written beside them. */
  readonly incoming: {
    receive(source: Readable, largest: () => number): Promise<FileBytes>
    remove(file: FileBytes): Promise<void>
  }
}

/**
 * Derives the variants of one original into the media store, those that phones need first. Each is recorded when it is
 * stored, so that a publish can take it, and a run after an interruption goes on with the next one.
 */
export function createPictureJob({ db, mediaStore, images, incoming }: PictureJobPorts): JobKind {
  return {
    name: PICTURE,
    concurrency: PICTURES_AT_ONCE,
    perAccount: 1,
    deleteWhenDone: true,
    // The last one records the failure.
    attempts: ATTEMPTS + 1,
    backoff: (failedRuns) => DELAYS_MS[failedRuns - 1] ?? 0,

    async run({ projectId, subject, payload, attempts, done }, lease, stopping) {
      const picture = payload as PicturePayload
      const id = subject as OriginalId
      const original: Source = { id, projectId, ...picture, done }
      const storedDigest = await db.read.variants.storedDigest(id)
      if (storedDigest === null) {
        // A run that was killed may have stored one that is not recorded. The others go with the original.
        const recorded = new Set((await madeOf(id)).map((variant) => keyOf(original, variant)))
        const keys = variantsToMake(picture).map((variant) => keyOf(original, variant))
        await mediaStore.delete(keys.filter((key) => !recorded.has(key)))
        return []
      }
      if (attempts > ATTEMPTS) return end(id, (await madeOf(id)).length === 0 ? NOT_MADE : null)
      if (!(await images.decodes())) {
        await db.write(({ variants }) => variants.setStatus(id, null))
        return []
      }
      const file = await fetched(original, storedDigest)
      try {
        if (original.isUndecoded) await readColours(original, file)
        return await makeAll(original, file, lease, stopping)
      } finally {
        await incoming.remove(file)
      }
    },

    // The assets say it.
    faultsOf: () => [],
  }

  async function makeAll(
    original: Source,
    file: FileBytes,
    lease: JobLease,
    stopping: AbortSignal,
  ): Promise<[] | null> {
    const made = [...(await madeOf(original.id))]
    let { done } = original
    for (const wanted of variantsToMake(original)) {
      if (stopping.aborted) return null
      if (made.some(({ width, format }) => width === wanted.width && format === wanted.format)) continue
      const into = `${file.path}-${wanted.width}.${wanted.format}`
      try {
        const variant = await derived(file, wanted, into)
        if (!isWorthwhile(variant, file, made)) continue
        if (!(await keep(original, variant, into, { lease, done: ++done }))) return []
        made.push(variant)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.name !== 'validation_error') throw error
        return end(original.id, made.length === 0 ? error.message : null)
      } finally {
        await rm(into, { force: true })
      }
    }
    return end(original.id, null)
  }

  async function madeOf(id: OriginalId): Promise<readonly StoredVariant[]> {
    return (await db.read.variants.of([id])).get(id) ?? []
  }

  async function readColours({ id }: Source, { path }: FileBytes): Promise<void> {
    const facts = await images.inspect(path)
    await db.write(({ variants }) => variants.setColours(id, facts))
  }

  async function derived(
    { path }: FileBytes,
    { width, format }: Pick<ImageVariant, 'width' | 'format'>,
    into: string,
  ): Promise<StoredVariant> {
    const { height } = await images.derive(path, { width, height: null, format, focus: null }, into)
    const { size, digest } = await readFileBody(into)
    return { width, height, format, digest, bytes: size }
  }

  /** False when the original is being removed. Nothing of it is stored then. */
  async function keep(
    original: Source,
    variant: StoredVariant,
    path: string,
    { lease, done }: { readonly lease: JobLease; readonly done: number },
  ): Promise<boolean> {
    const key = keyOf(original, variant)
    await mediaStore.put({ key, body: await readFileBody(path) })
    const isKept = await db.write(async ({ jobs, variants }) => {
      await jobs.recordProgress(lease, { done, failed: [], checkpoint: null })
      return variants.insert(original.id, variant)
    })
    if (!isKept) await mediaStore.delete([key])
    return isKept
  }

  async function fetched({ id, projectId, digest }: Source, storedDigest: string): Promise<FileBytes> {
    const stored = await mediaStore.open(originalKey(projectId, digest, id))
    if (stored === null) throw new Error('The picture is not in the media store.')
    const source = stored.stream()
    // Receiving leaves a stream open when it fails.
    const file = await incoming
      .receive(source, () => Number.POSITIVE_INFINITY)
      .finally(() => source.destroy())
    if (file.digest === storedDigest) return file
    await incoming.remove(file)
    throw new Error('The picture in the media store has other bytes than were uploaded.')
  }

  /** @param failure why there are no variants, which is not tried again; null for none. */
  async function end(id: OriginalId, failure: string | null): Promise<[]> {
    const status: VariantStatus = failure === null ? READY : { status: 'failed', failure }
    await db.write(({ variants }) => variants.setStatus(id, status))
    return []
  }
}

interface Source extends PicturePayload {
  readonly id: OriginalId
  readonly projectId: ProjectId
  /** Variants that earlier runs have stored. */
  readonly done: number
}

function keyOf(original: Source, variant: Pick<ImageVariant, 'width' | 'format'>): string {
  return originalVariantKey(original.projectId, original, variant)
}
