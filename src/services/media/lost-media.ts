import type { Database } from '../../db/repositories.ts'
import { type ProjectId, prefixed } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { shownObjects } from '../../publish/data-mode/seal-media-again.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import type { PublishedMedia } from '../../publish/ports.ts'
import type { OpenObject, Storage } from '../../storage/storage.ts'
import { pagesOf } from './media-repair.ts'

export interface LostMediaPorts {
  readonly db: Database
  readonly liveState: Pick<LiveState, 'objectsOfKinds' | 'orphanedAssets'>
  readonly publishedMedia: Pick<PublishedMedia, 'open'>
  readonly storage: Pick<Storage, 'open'>
}

/** Describes lost files, for a message; empty where none is lost. */
export type FindLostMedia = (projectId: ProjectId) => Promise<readonly string[]>

const CONCURRENCY = 8
/** Pages that a message names of each file. */
const NAMED = 5

/**
 * Finds images and files of sealed pages that neither the media store nor the site has, and records them as lost: an
 * upload of the same bytes restores them.
 */
export function createFindLostMedia({
  db,
  liveState,
  publishedMedia,
  storage,
}: LostMediaPorts): FindLostMedia {
  return async (projectId) => {
    const shown = await shownObjects(projectId, { liveState })
    const found = await mapConcurrently(shown, CONCURRENCY, async ({ key, digest }) => {
      if (await exists(publishedMedia.open(projectId, digest))) return null
      if (await exists(storage.open(storageKey(projectId, key)))) return null
      return describe(projectId, key, digest)
    })
    return [...new Set(found.filter((lost) => lost !== null))]
  }

  async function describe(projectId: ProjectId, key: string, digest: string): Promise<string> {
    const id = await db.read.originals.findByBytes(projectId, digest)
    if (id === null) return key
    await db.write(({ originals }) => originals.setLost(id, true))
    const use = await db.read.originals.shownBy(id, NAMED)
    const names = use.assets.map((asset) => `${JSON.stringify(asset.name)} (${prefixed('ast', asset.id)})`)
    return `${names.join(', ') || key}, shown live by ${pagesOf(use)}`
  }
}

async function exists(opening: Promise<OpenObject | null>): Promise<boolean> {
  const object = await opening
  await object?.close()
  return object !== null
}
