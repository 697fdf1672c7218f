import type { Repositories } from '../../db/repositories.ts'
import type { Asset } from '../../domain/asset.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { mediaNames } from '../../domain/media-names.ts'
import type { StoredVariant } from '../../domain/picture-variants.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Source } from '../../domain/source.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../../fields/settings-fields.ts'

export interface AssetDetails {
  readonly asset: Asset
  /** Pages, live or not, and settings fields that name it. */
  readonly usedBy: number
  /** Variants by format, then width. */
  readonly variants: readonly StoredVariant[]
  /** The file that it was last pushed from; null for none. */
  readonly source: Source | null
}

/** Wire names of settings by the name of the asset that they name. */
type SettingsNaming = ReadonlyMap<string, ReadonlySet<string>>

export async function detailsOf(repositories: Repositories, asset: Asset): Promise<AssetDetails> {
  const bySettings = await settingsNaming(repositories, asset.projectId)
  return (await detailsAmong(repositories, asset.projectId, [asset], bySettings))(asset)
}

/** The details of each of these assets of a project. */
export async function detailsAmong(
  repositories: Repositories,
  projectId: ProjectId,
  assets: readonly Asset[],
  bySettings: SettingsNaming,
): Promise<(asset: Asset) => AssetDetails> {
  const pages = await repositories.assets.pagesNaming(
    projectId,
    assets.map(({ name }) => name),
  )
  const variants = await repositories.variants.of(assets.map(({ originalId }) => originalId))
  const sources = await repositories.sources.findMany(assets.map(({ id }) => id))
  return (asset) => ({
    asset,
    usedBy: (pages.get(asset.name) ?? 0) + (bySettings.get(asset.name)?.size ?? 0),
    variants: variants.get(asset.originalId) ?? [],
    source: sources.get(asset.id) ?? null,
  })
}

/** The settings that name assets of a project, now or as a live page was published with them. */
export async function settingsNaming(
  { assets, settings }: Repositories,
  projectId: ProjectId,
): Promise<SettingsNaming> {
  const naming = new Map<string, Set<string>>()
  const current = await settings.find(projectId)
  collectNames(current.settings, naming)
  for (const live of await assets.liveSettings(projectId)) collectNames(live.settings, naming)
  return naming
}

function collectNames(settings: Settings, naming: Map<string, Set<string>>): void {
  for (const key of Object.keys(SETTINGS_FIELDS) as SettingKey[])
    for (const name of mediaNames([settings[key]])) {
      const fields = naming.get(name) ?? new Set<string>()
      fields.add(SETTINGS_FIELDS[key].name)
      naming.set(name, fields)
    }
}
