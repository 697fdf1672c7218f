import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { UpdateSettings } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import type { FieldDigests } from '../domain/source.ts'
import { settingsDigests } from '../fields/settings-digests.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../fields/settings-fields.ts'
import {
  fieldsToSettings,
  SETTING_KEYS,
  settingFileName,
  settingsToFields,
} from '../fields/settings-record.ts'
import { type Decision, decide } from './decide.ts'
import { NOT_CREATED } from './project.ts'
import type { PushedState } from './pushed-state.ts'

/** The result of pushing settings, by their names in `site.yaml`. */
export interface SettingsOutcome {
  readonly sent: readonly string[]
  /** Settings whose values the server has already. Only that they come from the folder was recorded. */
  readonly adopted: readonly string[]
  /** Changed on the server alone, and not replaced. */
  readonly kept: readonly string[]
  /** Changed in both places, and not replaced. */
  readonly conflicts: readonly string[]
  /** Messages of the server about settings that it refused, by setting. */
  readonly refused: ReadonlyMap<string, string>
}

interface SettingsPorts {
  readonly api: Client
  readonly project: string
  /** The identity of the folder; null when the server is not told what it pushed. */
  readonly folder: string | null
  readonly overwrite: boolean
  readonly dryRun: boolean
}

/**
 * Sends the settings that differ from the server. Settings that the folder never had are left alone. Settings that
 * it had and no longer has are reset.
 *
 * @param pushed digests of those of the last push, by their names in the API.
 */
export async function pushSettings(
  settings: Partial<Settings>,
  pushed: PushedState['settings'],
  { api, project, folder, overwrite, dryRun }: SettingsPorts,
): Promise<SettingsOutcome> {
  const current = await readSettings(api, project)
  const file = settingsDigests(settings).fields
  const stored = settingsDigests(current).fields
  const wanted = SETTING_KEYS.filter(
    (key) => settings[key] !== undefined || pushed[nameOf(key)] !== undefined,
  )
  const decisions = new Map(wanted.map((key) => [key, decisionOf(key)] as const))
  const withAction = (action: Decision['action']) =>
    wanted.filter((key) => decisions.get(key)?.action === action)
  // A reset setting has no digest, and no longer counts as pushed.
  const adopted = folder === null ? [] : withAction('adopt')
  // To a push, an empty text is none. An import stores the value itself.
  const due = wanted.filter(
    (key) =>
      decisions.get(key)?.action === 'send' ||
      (folder === null && settings[key] !== undefined && isEmptyElsewhere(key)),
  )
  const sent = [...due, ...adopted]
  const values = Object.fromEntries(sent.map((key) => [key, settings[key] ?? DEFAULT_SETTINGS[key]]))
  const refused =
    dryRun || sent.length === 0
      ? new Map<SettingKey, string>()
      : await sendOrNarrow(api, project, values, folder)
  return {
    sent: due.filter((key) => !refused.has(key)).map(settingFileName),
    adopted: adopted.map(settingFileName),
    kept: withAction('keep').map(settingFileName),
    conflicts: withAction('conflict').map(settingFileName),
    refused: new Map([...refused].map(([key, message]) => [settingFileName(key), message])),
  }

  function isEmptyElsewhere(key: SettingKey): boolean {
    return decisions.get(key)?.action === 'unchanged' && !isDeepStrictEqual(settings[key], current[key])
  }

  function decisionOf(key: SettingKey): Decision {
    const name = nameOf(key)
    const only = (fields: FieldDigests['fields']) => {
      const digest = fields[name]
      return digest === undefined ? {} : { [name]: digest }
    }
    // The default of a setting that the folder never had may be replaced.
    const isFree = pushed[name] === undefined && stored[name] === undefined
    return decide(
      only(file),
      isFree || pushed[name] !== undefined ? only(pushed) : null,
      only(stored),
      overwrite,
    )
  }
}

function nameOf(key: SettingKey): string {
  return SETTINGS_FIELDS[key].name
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
  folder: string | null,
): Promise<ReadonlyMap<SettingKey, string>> {
  const source = folder === null ? {} : { source: { folder, path: SITE_FILE } }
  const keys = Object.keys(fields) as readonly SettingKey[]
  try {
    await api.settings.update(project, { ...(settingsToFields('api', fields) as UpdateSettings), ...source })
    return new Map()
  } catch (error) {
    if (!(error instanceof ApiError && error.name === 'validation_error')) throw error
    const [only, ...others] = keys
    if (only !== undefined && others.length === 0) return new Map([[only, error.message]])
  }
  const refused = new Map<SettingKey, string>()
  for (const key of keys)
    for (const [name, message] of await sendOrNarrow(api, project, pick(fields, [key]), folder))
      refused.set(name, message)
  return refused
}

function pick(settings: Partial<Settings>, keys: readonly SettingKey[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, settings[key]]))
}
