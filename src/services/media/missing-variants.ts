import type { UnrequestedOriginal } from '../../db/repositories/originals.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { RECIPE_VERSION } from '../../domain/image.ts'
import { PICTURE_AGAIN } from '../../domain/job.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import type { ServiceContext } from '../context.ts'
import { requestNewVariants, requestVariants } from './picture-requests.ts'

/** Originals of one account in a transaction, which others wait for. */
const PER_TURN = 50
/** Originals of a round. The next one continues. */
const PER_ROUND = 2_000

export interface MissingVariants {
  /**
   * Requests the variants of images with none, or with those of another recipe: stored by another version, or where
   * images could not be decoded. Accounts take turns. Failed variants are not requested again with the same recipe.
   * Does nothing while images cannot be decoded.
   */
  request(): Promise<void>
}

export function createMissingVariants({
  db,
  images,
  newId,
  now,
  wake,
}: Pick<ServiceContext, 'newId' | 'now'> & {
  readonly db: Database
  readonly images: Pick<ImageProcessor, 'decodes'>
  /** Runs jobs that have become due. */
  readonly wake: () => void
}): MissingVariants {
  /** The last account of the previous round, so that the same accounts are not always the first. */
  let last: UserId | null = null

  return {
    async request() {
      let decodes = false
      let room = PER_ROUND - (await waiting())
      for (let accounts = await accountsInTurn(); accounts.length > 0 && room > 0; ) {
        const unfinished: UserId[] = []
        for (const account of accounts) {
          if (room <= 0) break
          const found = await db.read.variants.unrequested(account, RECIPE_VERSION, PER_TURN)
          if (found.length === 0) continue
          decodes ||= await images.decodes()
          if (!decodes) return
          await db.write(async (repositories) => {
            // An upload of the same bytes may have requested them meanwhile.
            for (const original of found)
              if (original.status === 'ready')
                await requestNewVariants(original, repositories, { newId, now })
              // Its job waits, and will take the recipe of this version.
              else if (original.status === 'processing')
                await repositories.variants.setRequested(original.originalId, RECIPE_VERSION)
              else if (await isUnchanged(original, repositories))
                await requestVariants(original, repositories, { newId, now })
          })
          wake()
          room -= found.length
          last = account
          if (found.length === PER_TURN) unfinished.push(account)
        }
        accounts = unfinished
      }
    },
  }

  async function isUnchanged(
    { originalId, status }: UnrequestedOriginal,
    { variants }: Pick<Repositories, 'variants'>,
  ): Promise<boolean> {
    return ((await variants.status(originalId))?.status ?? null) === status
  }

  /** Counts images to be derived again: the queue holds no more of them than a round requests. */
  async function waiting(): Promise<number> {
    const counts = await db.read.jobs.countByKind(now())
    const again = counts.find(({ kind }) => kind === PICTURE_AGAIN)
    return again === undefined ? 0 : again.due + again.waiting
  }

  async function accountsInTurn(): Promise<readonly UserId[]> {
    const ids = [...(await db.read.accounts.ids())].sort()
    const start = last === null ? 0 : ids.findIndex((id) => id > (last ?? ''))
    return start <= 0 ? ids : [...ids.slice(start), ...ids.slice(0, start)]
  }
}
