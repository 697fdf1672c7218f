import { rm } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { OriginalId } from '../../domain/asset.ts'
import { ServiceError } from '../../domain/errors.ts'
import { derivationOf, type GeneratedRecipe } from '../../domain/generated-picture.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { Timers } from '../../domain/timers.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { createFairLimit } from '../../platform/fair-limit.ts'
import type { AccountOf } from '../../platform/fair-queue.ts'
import { readFileBody } from '../../platform/file-body.ts'
import { withDeadline } from '../../platform/with-deadline.ts'
import type { PublishedMedia } from '../../publish/ports.ts'
import type { OriginalService } from './originals.ts'
import { type TemporaryFiles, withCopy } from './variant-files.ts'

/** A social image or an icon that the media store lacks. */
export interface WantedPicture {
  readonly projectId: ProjectId
  /** SHA-256 of the recipe, hex. */
  readonly digest: string
  readonly recipe: GeneratedRecipe
}

/** One in the media store. It is removed after an hour, unless a release shows it by then. */
export interface MadePicture {
  readonly id: OriginalId
  /** SHA-256 of its bytes, hex. */
  readonly digest: string
  readonly bytes: number
}

export interface SocialOriginals {
  /** Reports whether an earlier call found that this image cannot be drawn. */
  isImpossible(wanted: WantedPicture): boolean
  /**
   * Draws images into the media store, each once for all concurrent calls.
   *
   * @param waitMs time after which it returns without unfinished images. Later calls get those.
   * @returns by digest of the recipe. Null: it cannot be drawn. A later call may draw an absent one.
   */
  make(wanted: readonly WantedPicture[], waitMs: number): Promise<ReadonlyMap<string, MadePicture | null>>
  /** Call it when a release shows the image: from then on the database knows it. */
  forget(wanted: WantedPicture): void
  /** Resolves when none is being drawn. */
  idle(): Promise<void>
}

export interface SocialOriginalPorts {
  readonly images: Pick<ImageProcessor, 'decodes' | 'derive' | 'drawCard'>
  readonly originals: Pick<OriginalService, 'storeAhead'>
  readonly publishedMedia: Pick<PublishedMedia, 'open'>
  readonly incoming: TemporaryFiles & {
    /** Absolute path of a file that is to be written. */
    reserve(): Promise<string>
  }
  readonly accountOf: AccountOf
  readonly timers: Timers
  readonly log: Pick<Logger, 'error'>
}

/** Images that are drawn at a time: uploads and other images share the child processes. */
const AT_ONCE = 2
/** Time that an image is offered while no publish takes it: the media store has it for longer. */
const OFFERED_MS = 30 * 60 * 1000
const MOST_OFFERED = 1_000

export function createSocialOriginals(ports: SocialOriginalPorts): SocialOriginals {
  const { images, originals, publishedMedia, incoming, accountOf, timers, log } = ports
  const inTurn = createFairLimit({ total: AT_ONCE, perAccount: AT_ONCE })
  const offered = new LRUCache<string, Promise<MadePicture | null>>({ max: MOST_OFFERED, ttl: OFFERED_MS })
  const impossible = new LRUCache<string, true>({ max: MOST_OFFERED, ttl: OFFERED_MS })
  const underWay = new Set<Promise<unknown>>()
  /** False once it turned out that no image can be decoded here. */
  let decodes = true

  return {
    isImpossible: (wanted) => !decodes || impossible.has(nameOf(wanted)),

    async make(wanted, waitMs) {
      const made = new Map<string, MadePicture | null>()
      const makeAll = async (signal: AbortSignal) => {
        await mapConcurrently(wanted, AT_ONCE, async (one) => {
          if (signal.aborted) return
          try {
            made.set(one.digest, await makeOnce(one))
          } catch (error) {
            log.error({ err: error, project: one.projectId }, NOT_MADE)
          }
        })
      }
      await withDeadline({ timers, ms: waitMs, tooLate: () => new TooLate() }, makeAll).catch(ignoreTooLate)
      return new Map(made)
    },

    forget(wanted) {
      offered.delete(nameOf(wanted))
    },

    async idle() {
      await Promise.allSettled(underWay)
    },
  }

  function makeOnce(wanted: WantedPicture): Promise<MadePicture | null> {
    const name = nameOf(wanted)
    const known = offered.get(name)
    if (known !== undefined) return known
    const making = makeInTurn(wanted).finally(() => underWay.delete(making))
    underWay.add(making)
    offered.set(name, making)
    // The next publish tries again to draw an absent one.
    making.then(
      (made) => made ?? offered.delete(name),
      () => offered.delete(name),
    )
    return making
  }

  async function makeInTurn(wanted: WantedPicture): Promise<MadePicture | null> {
    if (!(await images.decodes())) {
      decodes = false
      return null
    }
    const { projectId } = wanted
    const owner = { account: await accountOf(projectId), project: projectId }
    return inTurn(owner, () => draw(wanted))
  }

  async function draw({ projectId, digest, recipe }: WantedPicture): Promise<MadePicture | null> {
    const path = await incoming.reserve()
    try {
      if (recipe.kind === 'card') await images.drawCard(recipe, path, projectId)
      else if (!(await deriveFrom(projectId, recipe, path))) return null
      const { size: bytes, digest: stored } = await readFileBody(path)
      const id = await originals.storeAhead(projectId, { digest, stored: { path, bytes, digest: stored } })
      return { id, digest: stored, bytes }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // The account stores as much as it may. It may make room.
      if (error.name === 'forbidden') return null
      if (error.name !== 'validation_error') throw error
      impossible.set(nameOf({ projectId, digest }), true)
      return null
    } finally {
      await rm(path, { force: true })
    }
  }

  /** False when the image is not in the media store any more. */
  async function deriveFrom(
    projectId: ProjectId,
    recipe: Exclude<GeneratedRecipe, { kind: 'card' }>,
    into: string,
  ): Promise<boolean> {
    const stored = await publishedMedia.open(projectId, recipe.digest)
    if (stored === null) return false
    await withCopy(stored, incoming, ({ path }) => images.derive(path, derivationOf(recipe), into, projectId))
    return true
  }
}

const NOT_MADE =
  'A picture for link previews or an icon could not be made. Its page is published without it and stale until it is published again.'

class TooLate extends Error {}

function ignoreTooLate(error: unknown): void {
  if (!(error instanceof TooLate)) throw error
}

function nameOf({ projectId, digest }: Pick<WantedPicture, 'projectId' | 'digest'>): string {
  return `${projectId} ${digest}`
}
