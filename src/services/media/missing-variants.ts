import type { Database } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import type { ServiceContext } from '../context.ts'
import { requestVariants } from './picture-requests.ts'

/** Originals of one account in a transaction, which others wait for. */
const PER_TURN = 50
/** Originals of a round. The next one continues. */
const PER_ROUND = 2_000

export interface MissingVariants {
  /**
   * Requests the variants of pictures that were stored where pictures could not be decoded, or by a version that
   * derived none. Accounts take turns. What failed is not requested again. Does nothing while pictures cannot be decoded.
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
      let room = PER_ROUND
      for (let accounts = await accountsInTurn(); accounts.length > 0 && room > 0; ) {
        const unfinished: UserId[] = []
        for (const account of accounts) {
          if (room <= 0) break
          const found = await db.read.variants.unrequested(account, PER_TURN)
          if (found.length === 0) continue
          decodes ||= await images.decodes()
          if (!decodes) return
          await db.write(async (repositories) => {
            // An upload of the same bytes may have requested them meanwhile.
            for (const original of found)
              if ((await repositories.variants.status(original.originalId)) === null)
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

  async function accountsInTurn(): Promise<readonly UserId[]> {
    const ids = [...(await db.read.accounts.ids())].sort()
    const start = last === null ? 0 : ids.findIndex((id) => id > (last ?? ''))
    return start <= 0 ? ids : [...ids.slice(start), ...ids.slice(0, start)]
  }
}
