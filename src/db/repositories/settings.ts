import type { ReserveBytes } from '../../domain/caller.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { Settings } from '../../domain/settings.ts'

export interface SettingsRecord {
  readonly settings: Settings
  readonly updatedAt: string
  readonly version: number
}

export interface SettingsRepository {
  /** @param reserve called before large settings are read. */
  find(projectId: ProjectId, reserve?: ReserveBytes): Promise<SettingsRecord>
  /** Writes only the given fields, so that concurrent writers of different fields do not overwrite each other. */
  update(projectId: ProjectId, fields: SettingsFields, now: string): Promise<void>
}

export type SettingsFields = { readonly [K in keyof Settings]?: Settings[K] | undefined }
