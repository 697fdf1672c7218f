import { ApiError } from '../client/api-error.ts'
import type { Asset } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import type { SiteAsset } from '../content-folder/site.ts'
import { readMediaName } from '../domain/media-name.ts'
import { listAssets, type PushedAssets } from './push-assets.ts'

/** Assets are named as content names them, without `/media/`. */
export interface AssetPruneOutcome {
  readonly removed: readonly string[]
  /** Assets that a push uploaded, that the folder no longer has and nothing names, but that remain on the server. */
  readonly unpruned: readonly string[]
  /** The push state without the assets that a push does not track any more. */
  readonly pushed: PushedAssets
}

interface PrunePorts {
  readonly api: Client
  readonly project: string
  readonly prune: boolean
  readonly dryRun: boolean
}

/**
 * Removes assets that a push uploaded, whose file is no longer part of the site of the folder, and that no page and no
 * setting names. (A file beside pages is part of the site while a page of the folder names it.) One
 * that was replaced on the server is not a push's any more, and stays. Call it when the pages are published: live ones
 * may have shown it until then.
 */
export async function pruneAssets(
  files: readonly SiteAsset[],
  pushed: PushedAssets,
  { api, project, prune, dryRun }: PrunePorts,
): Promise<AssetPruneOutcome> {
  const names = new Set(files.map(({ path }) => readMediaName(path)))
  const gone = [...pushed].filter(([name]) => !names.has(name))
  if (gone.length === 0) return { removed: [], unpruned: [], pushed }
  const stored = await listAssets(api, project)
  const next = new Map(pushed)
  const removed: string[] = []
  const unpruned: string[] = []
  for (const [name, digest] of gone) {
    const asset = stored.get(name)
    if (asset === undefined || asset.digest !== digest) next.delete(name)
    else if (asset.used_by > 0) continue
    else if (!prune || !(dryRun || (await isRemoved(api, asset)))) unpruned.push(name)
    else {
      next.delete(name)
      removed.push(name)
    }
  }
  return { removed: removed.sort(), unpruned: unpruned.sort(), pushed: next }
}

/** False when a page that was published meanwhile shows it. */
async function isRemoved(api: Client, { id }: Asset): Promise<boolean> {
  try {
    await api.assets.delete(id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.name === 'not_found') return true
    if (error instanceof ApiError && error.name === 'conflict') return false
    throw error
  }
}
