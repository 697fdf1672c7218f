import type { Knex } from 'knex'
import type { ReserveBytes } from '../domain/caller.ts'
import type { ProjectId } from '../domain/ids.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../fields/settings-fields.ts'
import { SETTING_KEYS } from '../fields/settings-record.ts'
import { LARGE_BYTES } from './fitting-rows.ts'
import type { SettingsFields, SettingsRepository } from './repositories/settings.ts'

/** A row to insert or update: plain and JSON columns. */
type SettingsRow = Readonly<Record<string, string | number | null>>
type Row = Readonly<Record<string, string | null>> & {
  readonly updated_at: string
  readonly version: number
}

/** Settings that hold a list or an object are stored as JSON. */
function isJson(key: SettingKey): boolean {
  const value = DEFAULT_SETTINGS[key]
  return typeof value === 'object' && value !== null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSettingsRepository(db: Knex): SettingsRepository {
  return {
    async find(projectId, reserve) {
      if (reserve !== undefined) await reserveLarge(projectId, reserve)
      const row = await db('settings').where({ project_id: projectId }).first<Row | undefined>()
      if (row === undefined) throw new Error(`The settings row of project ${projectId} is missing.`)
      return { settings: toSettings(row), updatedAt: row.updated_at, version: row.version }
    },

    async update(projectId, fields, now) {
      await db('settings')
        .where({ project_id: projectId })
        .update({ ...settingsColumns(fields), updated_at: now })
        .increment('version', 1)
    },
  }

  async function reserveLarge(projectId: ProjectId, reserve: ReserveBytes): Promise<void> {
    const row = await db('settings')
      .where({ project_id: projectId })
      .first<{ bytes: number } | undefined>(db.raw(`${SETTINGS_BYTES} AS bytes`))
    if (row !== undefined && row.bytes > LARGE_BYTES) reserve(row.bytes)
  }
}

/** Bytes of the settings in a row. SQLite does not read the settings for it. */
const SETTINGS_BYTES = SETTING_KEYS.map(
  (key) => `coalesce(octet_length(${SETTINGS_FIELDS[key].name}), 0)`,
).join(' + ')

/** The row of a new project's settings. */
export function newSettingsRow(projectId: ProjectId, settings: Settings, now: string): SettingsRow {
  return { project_id: projectId, ...settingsColumns(settings), updated_at: now, version: 1 }
}

function settingsColumns(fields: SettingsFields): SettingsRow {
  const supplied = SETTING_KEYS.filter((key) => fields[key] !== undefined)
  return Object.fromEntries(
    supplied.map((key) => [
      SETTINGS_FIELDS[key].name,
      isJson(key) ? JSON.stringify(fields[key]) : (fields[key] as string | null),
    ]),
  )
}

function toSettings(row: Row): Settings {
  const entries = SETTING_KEYS.map((key) => {
    const value = row[SETTINGS_FIELDS[key].name]
    return [key, isJson(key) && typeof value === 'string' ? JSON.parse(value) : value]
  })
  return Object.fromEntries(entries) as Settings
}
