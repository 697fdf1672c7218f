import { ApiError } from '../client/api-error.ts'
import type { Asset } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import type { SiteAsset } from '../content-folder/site.ts'
import { readMediaName } from '../domain/media-name.ts'
import { listAssets } from './push-assets.ts'
import type { PushedState } from './pushed-state.ts'

/** Assets are named as content names them, without `/media/`. */
export interface AssetPruneOutcome {
  readonly removed: readonly string[]
  /** Unreferenced assets of the folder without a file. They remain on the server. */
  readonly unpruned: readonly string[]
}

interface PrunePorts {
  readonly api: Client
  readonly project: string
  readonly prune: boolean
  readonly dryRun: boolean
}

/**
 * Removes pushed assets of files that are no longer part of the site, unless a page or a setting uses the asset. (A
 * file next to pages is part of the site while a page of the folder names it.) An asset that was replaced on the server
 * stays. Call it when the pages are published: live ones may have shown it until then.
 */
export async function pruneAssets(
  files: readonly SiteAsset[],
  pushed: PushedState['assets'],
  { api, project, prune, dryRun }: PrunePorts,
): Promise<AssetPruneOutcome> {
  const sources = new Set(files.map(({ source }) => source))
  const gone = [...pushed]
    .filter(([source, { created }]) => created && !sources.has(source))
    .map(([, asset]) => asset)
  if (gone.length === 0) return { removed: [], unpruned: [] }
  const stored = new Map([...(await listAssets(api, project)).values()].map((asset) => [asset.id, asset]))
  const named = new Set(files.map(({ path }) => readMediaName(path)))
  const removed: string[] = []
  const unpruned: string[] = []
  for (const { id, digest } of gone) {
    const asset = stored.get(id)
    // The file may have moved to where the asset has the same name.
    if (asset === undefined || asset.digest !== digest || asset.used_by > 0 || named.has(asset.name)) continue
    if (!prune || !(dryRun || (await isRemoved(api, asset)))) unpruned.push(asset.name)
    else removed.push(asset.name)
  }
  return { removed: removed.sort(), unpruned: unpruned.sort() }
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
