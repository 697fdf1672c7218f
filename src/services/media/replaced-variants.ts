import type { Logger } from 'pino'
import type { OriginalId } from '../../domain/asset.ts'
import { originalVariantKey } from '../../domain/original-key.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ServiceContext } from '../context.ts'

/**
 * Time after the variants of a new recipe have replaced the former ones. Publishes that were accepted before then have
 * ended, or are unfinished and known.
 */
const REPLACED_MS = 24 * 60 * 60 * 1000
/** Originals per statement. */
const PER_STEP = 100

export interface ReplacedVariantPorts extends Pick<ServiceContext, 'db' | 'now'> {
  readonly mediaStore: Pick<Storage, 'delete'>
  readonly log: Pick<Logger, 'error'>
  /** Reports whether a backup is running: it may need them. */
  readonly isHeld: () => Promise<boolean>
}

/** Removes variants of earlier recipes from the media store, once no release and nothing on the site shows them. */
export function createReplacedVariants({ db, mediaStore, now, log, isHeld }: ReplacedVariantPorts) {
  return {
    async prune(): Promise<void> {
      if (await isHeld()) return
      const before = new Date(Date.parse(now()) - REPLACED_MS).toISOString()
      for (let after: OriginalId | null = null; ; ) {
        const { variants, last } = await db.read.variants.replacedOf(before, after, PER_STEP)
        try {
          // The objects first: a run that is killed in between removes them again.
          await mediaStore.delete(variants.map((one) => originalVariantKey(one.projectId, one.original, one)))
          await db.write((repositories) => repositories.variants.deleteReplaced(variants))
        } catch (error) {
          log.error({ err: error }, 'Former smaller pictures could not be removed; it is tried again.')
          return
        }
        if (last === null) return
        after = last
      }
    },
  }
}
