import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { UpdateSettings } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import type { SettingKey } from '../fields/settings-fields.ts'
import {
  fieldsToSettings,
  SETTING_KEYS,
  settingFileName,
  settingsToFields,
} from '../fields/settings-record.ts'
import { NOT_CREATED } from './project.ts'
import type { PushedSetting } from './push-state.ts'

/** The result of pushing settings, by their names in `site.yaml`. */
export interface SettingsOutcome {
  readonly sent: readonly string[]
  /** Changed on the server since the last push, and not replaced. */
  readonly conflicts: readonly string[]
  /** Messages of the server about settings that it refused, by setting. */
  readonly refused: ReadonlyMap<string, string>
  /** The settings of the next push state. */
  readonly pushed: Readonly<Record<string, PushedSetting>>
}

/**
 * Sends the settings that differ from the server. Settings that the folder never had are left alone. Settings that
 * it had and no longer has are reset.
 */
export async function pushSettings(
  settings: Partial<Settings>,
  pushed: Readonly<Record<string, PushedSetting>>,
  { api, project, overwrite, dryRun }: { api: Client; project: string; overwrite: boolean; dryRun: boolean },
): Promise<SettingsOutcome> {
  const wanted = settingsToPush(settings, pushed)
  const current = await readSettings(api, project)
  const different = (Object.keys(wanted) as SettingKey[]).filter((key) => !isUpToDate(key))
  const conflicts = overwrite ? [] : different.filter((key) => !isOurs(key))
  const due = different.filter((key) => !conflicts.includes(key))
  const refused =
    dryRun || due.length === 0
      ? new Map<SettingKey, string>()
      : await sendOrNarrow(api, project, pick(wanted, due))
  const next = dryRun || due.length === 0 ? current : await readSettings(api, project)
  return {
    sent: due.filter((key) => !refused.has(key)).map((key) => settingFileName(key)),
    conflicts: conflicts.map((key) => settingFileName(key)),
    refused: new Map([...refused].map(([key, message]) => [settingFileName(key), message])),
    pushed: dryRun ? pushed : nextState(next),
  }

  function isUpToDate(key: SettingKey): boolean {
    const { sent, shown: lastReturned } = pushed[settingFileName(key)] ?? {}
    if (isDeepStrictEqual(wanted[key], current[key])) return true
    return sent === digestOf(wanted[key]) && lastReturned === digestOf(current[key])
  }

  function isOurs(key: SettingKey): boolean {
    const lastReturned = pushed[settingFileName(key)]?.shown
    return lastReturned === undefined
      ? isDeepStrictEqual(current[key], DEFAULT_SETTINGS[key])
      : lastReturned === digestOf(current[key])
  }

  function nextState(returned: Settings): SettingsOutcome['pushed'] {
    const fields = (Object.keys(settings) as SettingKey[]).map((key) => {
      const name = settingFileName(key)
      const current = { sent: digestOf(settings[key]), shown: digestOf(returned[key]) }
      return [name, conflicts.includes(key) || refused.has(key) ? pushed[name] : current] as const
    })
    return Object.fromEntries(fields.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]])))
  }
}

function settingsToPush(
  settings: Partial<Settings>,
  pushed: Readonly<Record<string, PushedSetting>>,
): Partial<Settings> {
  const previous = SETTING_KEYS.filter((key) => pushed[settingFileName(key)] !== undefined)
  return { ...pick(DEFAULT_SETTINGS, previous), ...settings }
}

/** The settings that the service stores for a project. */
export async function readSettings(api: Client, project: string): Promise<Settings> {
  if (project === NOT_CREATED) return DEFAULT_SETTINGS
  return { ...DEFAULT_SETTINGS, ...fieldsToSettings('api', await api.settings.get(project)) }
}

/** Sends all fields in one request. If the server refuses it, sends one field at a time. @returns why a field was refused, by field. */
async function sendOrNarrow(
  api: Client,
  project: string,
  fields: Partial<Settings>,
): Promise<ReadonlyMap<SettingKey, string>> {
  const keys = Object.keys(fields) as readonly SettingKey[]
  try {
    await api.settings.update(project, settingsToFields('api', fields) as UpdateSettings)
    return new Map()
  } catch (error) {
    if (!(error instanceof ApiError && error.name === 'validation_error')) throw error
    const [only, ...others] = keys
    if (only !== undefined && others.length === 0) return new Map([[only, error.message]])
  }
  const refused = new Map<SettingKey, string>()
  for (const key of keys)
    for (const [name, message] of await sendOrNarrow(api, project, pick(fields, [key])))
      refused.set(name, message)
  return refused
}

function pick(settings: Partial<Settings>, keys: readonly SettingKey[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, settings[key]]))
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
