import type { Database } from '../../db/repositories.ts'
import type { OriginalId } from '../../domain/asset.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { RECIPE_VERSION } from '../../domain/image.ts'
import { type Job, PICTURE, PICTURE_AGAIN, PICTURE_AVIF } from '../../domain/job.ts'
import { originalKey, originalVariantKey } from '../../domain/original-key.ts'
import { isWorthwhile, type StoredVariant, variantsToMake } from '../../domain/picture-variants.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import type { JobKind, Postponement } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import type { FileBody } from '../../platform/file-body.ts'
import type { Storage } from '../../storage/storage.ts'
import type { NewId } from '../new-id.ts'
import { requestRefresh } from '../publishing/refresh-job.ts'
import type { FileBytes } from './originals.ts'
import { type PicturePayload, READY } from './picture-requests.ts'
import { createVariantFiles, type VariantFilePorts } from './variant-files.ts'

/** Images whose variants one process derives at once, of different accounts. */
export const PICTURES_AT_ONCE = 2
/** Images whose AVIF it derives meanwhile. That takes long. */
export const PICTURES_AVIF_AT_ONCE = 1
/** Images whose variants it derives again meanwhile, after a change of the recipe. */
export const PICTURES_AGAIN_AT_ONCE = 1
/** Runs without progress. Later ones would fail too: pages show the original. */
const ATTEMPTS = 5
/** Delays between them in ms: the store may be unavailable for a while. */
const DELAYS_MS = [2_000, 10_000, 60_000, 5 * 60_000]
/** Quick formats come first: pages get them at once, and AVIF later. */
const AHEAD_OF_AVIF = [PICTURE]
const NOT_MADE =
  'No smaller pictures could be made, although it was tried several times. Replace the file to try it again.'

export interface PictureJobPorts extends VariantFilePorts {
  readonly db: Database
  readonly mediaStore: Pick<Storage, 'open' | 'put' | 'delete'>
  readonly images: Pick<ImageProcessor, 'decodes' | 'inspect' | 'derive'>
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/**
 * Derives the variants of images that have none: all WebP of a project before its AVIF. Images with variants of an
 * earlier recipe have a lane of their own.
 */
export function createPictureJobs(ports: PictureJobPorts): readonly JobKind[] {
  return [
    createPictureJob(ports),
    {
      ...createPictureJob(ports),
      name: PICTURE_AVIF,
      concurrency: PICTURES_AVIF_AT_ONCE,
      behind: AHEAD_OF_AVIF,
    },
    { ...createPictureJob(ports), name: PICTURE_AGAIN, concurrency: PICTURES_AGAIN_AT_ONCE },
  ]
}

/**
 * Derives the variants of one original into the media store, those for phones first. Each is recorded when it is
 * stored: a publish can take it, and a run after an interruption continues with the next one.
 */
export function createPictureJob(ports: PictureJobPorts): JobKind {
  const { db, mediaStore, images, newId, now } = ports
  const files = createVariantFiles(ports)
  return {
    name: PICTURE,
    concurrency: PICTURES_AT_ONCE,
    perAccount: 1,
    deleteWhenDone: true,
    // The last one records the failure.
    attempts: ATTEMPTS + 1,
    backoff: (failedRuns) => DELAYS_MS[failedRuns - 1] ?? 0,

    async run(job, lease, stopping) {
      const { projectId, subject, payload, attempts, done } = job
      const picture = payload as PicturePayload
      const id = subject as OriginalId
      const original: Source = { id, projectId, ...picture, done }
      const storedDigest = await db.read.variants.storedDigest(id)
      if (storedDigest === null) {
        // A killed run may have stored a variant without a record. The others go with the original.
        const recorded = new Set((await madeOf(id)).map((variant) => keyOf(original, variant)))
        const keys = variantsToMake(picture).map((variant) =>
          keyOf(original, { ...variant, recipe: RECIPE_VERSION }),
        )
        await mediaStore.delete(keys.filter((key) => !recorded.has(key)))
        return []
      }
      if (attempts > ATTEMPTS) return end(original, (await madeOf(id)).length === 0 ? NOT_MADE : null)
      if (!(await images.decodes())) {
        await db.write(({ variants }) => variants.setStatus(id, null))
        return []
      }
      return files.withOriginal(originalKey(projectId, original.digest, id), storedDigest, async (file) => {
        if (original.isUndecoded) await readColours(original, file)
        return makeAll(original, file, { job, lease, stopping })
      })
    },

    // The assets say it.
    faultsOf: () => [],
  }

  async function makeAll(
    original: Source,
    file: FileBytes,
    { job, lease, stopping }: { readonly job: Job; readonly lease: JobLease; readonly stopping: AbortSignal },
  ): Promise<[] | Postponement | null> {
    const made = [...(await madeOf(original.id))]
    let { done } = original
    for (const wanted of variantsToMake(original)) {
      if (stopping.aborted) return null
      if (wanted.format === 'avif') {
        if (job.kind === PICTURE) return { dueAt: now(), kind: PICTURE_AVIF }
        const makesWay = job.kind === PICTURE_AVIF
        if (makesWay && (await db.read.jobs.hasDue(job.projectId, AHEAD_OF_AVIF, now()))) return null
      }
      if (made.some(({ width, format }) => width === wanted.width && format === wanted.format)) continue
      try {
        const isKept = await files.withVariant(original.projectId, file, wanted, async (variant, body) => {
          if (!isWorthwhile(variant, file, made)) return true
          made.push(variant)
          return keep(original, variant, body, { lease, done: ++done })
        })
        if (!isKept) return []
      } catch (error) {
        if (!(error instanceof ServiceError) || error.name !== 'validation_error') throw error
        return end(original, made.length === 0 ? error.message : null)
      }
    }
    return end(original, null)
  }

  /** Returns the stored variants of this version's recipe. */
  async function madeOf(id: OriginalId): Promise<readonly StoredVariant[]> {
    const all = (await db.read.variants.allOf([id])).get(id) ?? []
    return all.filter(({ recipe }) => recipe === RECIPE_VERSION)
  }

  async function readColours({ id, projectId }: Source, { path }: FileBytes): Promise<void> {
    const facts = await images.inspect(path, projectId)
    await db.write(({ variants }) => variants.setColours(id, facts))
  }

  /** False when the original is being removed. Nothing of it is stored then. */
  async function keep(
    original: Source,
    variant: StoredVariant,
    body: FileBody,
    { lease, done }: { readonly lease: JobLease; readonly done: number },
  ): Promise<boolean> {
    const key = keyOf(original, variant)
    await mediaStore.put({ key, body })
    const isKept = await db.write(async ({ jobs, variants }) => {
      await jobs.recordProgress(lease, { done, failed: [], checkpoint: null })
      const at = now()
      if (!(await variants.insert(original.id, variant, at))) return false
      await requestRefresh({ jobs }, original.projectId, { at, isComplete: false }, newId)
      return true
    })
    if (!isKept) await mediaStore.delete([key])
    return isKept
  }

  /**
   * Gives pages the variants of this recipe. Where they cannot be derived, pages keep those of an earlier one.
   *
   * @param failure why there are no variants, which is not tried again; null for none.
   */
  async function end({ id, projectId }: Source, failure: string | null): Promise<[]> {
    await db.write(async ({ jobs, variants }) => {
      const at = now()
      const hasEarlier = ((await variants.of([id])).get(id) ?? []).length > 0
      if (failure === null) await variants.show(id, RECIPE_VERSION, at)
      await variants.setStatus(id, failure === null || hasEarlier ? READY : { status: 'failed', failure })
      await requestRefresh({ jobs }, projectId, { at, isComplete: true }, newId)
    })
    return []
  }
}

interface Source extends PicturePayload {
  readonly id: OriginalId
  readonly projectId: ProjectId
  /** Variants that earlier runs have stored. */
  readonly done: number
}

function keyOf(original: Source, variant: Parameters<typeof originalVariantKey>[2]): string {
  return originalVariantKey(original.projectId, original, variant)
}
