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

/** What became of the settings, by their names in `site.yaml`. */
export interface SettingsOutcome {
  readonly sent: readonly string[]
  /** Written by somebody else since the last push, and left. */
  readonly conflicts: readonly string[]
  /** Why the server does not take some; each names its field. */
  readonly refused: readonly string[]
  /** To be remembered until the next push. */
  readonly known: Readonly<Record<string, PushedSetting>>
}

/**
 * Send those settings that are not on the server as the folder says, field by field. What the folder
 * never named is left alone; what it named before and no longer does is taken back.
 */
export async function pushSettings(
  settings: Partial<Settings>,
  known: Readonly<Record<string, PushedSetting>>,
  { api, project, overwrite, dryRun }: { api: Client; project: string; overwrite: boolean; dryRun: boolean },
): Promise<SettingsOutcome> {
  const wanted = wantedSettings(settings, known)
  const shown = await shownSettings(api, project)
  const different = (Object.keys(wanted) as SettingKey[]).filter((key) => !isThere(key))
  const conflicts = overwrite ? [] : different.filter((key) => !isOurs(key))
  const due = different.filter((key) => !conflicts.includes(key))
  const refused =
    dryRun || due.length === 0
      ? new Map<SettingKey, string>()
      : await sendOrNarrow(api, project, pick(wanted, due))
  const now = dryRun || due.length === 0 ? shown : await shownSettings(api, project)
  return {
    sent: due.filter((key) => !refused.has(key)).map((key) => settingFileName(key)),
    conflicts: conflicts.map((key) => settingFileName(key)),
    refused: [...refused.values()],
    known: dryRun ? known : knownAfter(now),
  }

  function isThere(key: SettingKey): boolean {
    const { sent, shown: was } = known[settingFileName(key)] ?? {}
    if (isDeepStrictEqual(wanted[key], shown[key])) return true
    return sent === digestOf(wanted[key]) && was === digestOf(shown[key])
  }

  function isOurs(key: SettingKey): boolean {
    const was = known[settingFileName(key)]?.shown
    return was === undefined
      ? isDeepStrictEqual(shown[key], DEFAULT_SETTINGS[key])
      : was === digestOf(shown[key])
  }

  function knownAfter(now: Settings): SettingsOutcome['known'] {
    const fields = (Object.keys(settings) as SettingKey[]).map((key) => {
      const name = settingFileName(key)
      const after = { sent: digestOf(settings[key]), shown: digestOf(now[key]) }
      return [name, conflicts.includes(key) || refused.has(key) ? known[name] : after] as const
    })
    return Object.fromEntries(fields.flatMap(([name, after]) => (after === undefined ? [] : [[name, after]])))
  }
}

function wantedSettings(
  settings: Partial<Settings>,
  known: Readonly<Record<string, PushedSetting>>,
): Partial<Settings> {
  const former = SETTING_KEYS.filter((key) => known[settingFileName(key)] !== undefined)
  return { ...pick(DEFAULT_SETTINGS, former), ...settings }
}

/** The settings that the service stores for a project. */
export async function shownSettings(api: Client, project: string): Promise<Settings> {
  if (project === NOT_CREATED) return DEFAULT_SETTINGS
  const { data } = await api.request('GET /projects/{id}/settings', { path: { id: project } })
  return { ...DEFAULT_SETTINGS, ...fieldsToSettings('api', data) }
}

/** Send all at once; where the server refuses that, one by one. @returns why, by field, what it does not take. */
async function sendOrNarrow(
  api: Client,
  project: string,
  fields: Partial<Settings>,
): Promise<ReadonlyMap<SettingKey, string>> {
  const keys = Object.keys(fields) as readonly SettingKey[]
  try {
    await api.request('PUT /projects/{id}/settings', {
      path: { id: project },
      body: settingsToFields('api', fields) as UpdateSettings,
    })
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
