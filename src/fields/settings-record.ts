import { z } from 'zod'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Settings } from '../domain/settings.ts'
import type { SettingContent } from './locale-fields.ts'
import { SETTINGS_FIELDS, type SettingKey } from './settings-fields.ts'

/** A form of settings: the settings resource, `site.yaml`, or the `settings` of a project. */
export type SettingsForm = 'api' | 'file' | 'project'

export const SETTING_KEYS = Object.keys(SETTINGS_FIELDS) as readonly SettingKey[]

/** The name of a setting in `site.yaml`. */
export function settingFileName(key: SettingKey): string {
  return SETTINGS_FIELDS[key].fileName ?? SETTINGS_FIELDS[key].name
}

export function settingsThatHold(content: SettingContent): readonly SettingKey[] {
  return SETTING_KEYS.filter((key) => SETTINGS_FIELDS[key].holds === content)
}

/** The settings that this form has, each with its name there. */
function namesIn(form: SettingsForm): readonly (readonly [SettingKey, string])[] {
  return SETTING_KEYS.flatMap((key) => {
    const { name, projectName } = SETTINGS_FIELDS[key]
    const names = { api: name, file: settingFileName(key), project: projectName }
    return names[form] === undefined ? [] : [[key, names[form]] as const]
  })
}

/**
 * Optional fields of an object schema that validates settings in this form.
 *
 * @param stricter replaces the schema of single settings.
 */
export function settingsShape(
  form: SettingsForm,
  stricter: Readonly<Partial<Record<SettingKey, z.ZodType>>>,
): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    namesIn(form).map(([key, name]) => {
      const { schema, description } = SETTINGS_FIELDS[key]
      return [name, (stricter[key] ?? schema).optional().meta({ description })]
    }),
  )
}

/** Fields of an object schema that describes settings in answers. */
export function settingsAnswer(form: SettingsForm): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    namesIn(form).map(([key, name]) => {
      const { answer = z.string().nullable(), description } = SETTINGS_FIELDS[key]
      return [name, answer.meta({ description })]
    }),
  )
}

/** The settings that a validated object, or an answer of the API, holds in this form. Other fields are ignored. */
export function fieldsToSettings(
  form: SettingsForm,
  given: Readonly<Record<string, unknown>>,
): Partial<Settings> {
  return Object.fromEntries(
    namesIn(form).flatMap(([key, name]) => (given[name] === undefined ? [] : [[key, given[name]]])),
  )
}

/** The settings under their names in this form; absent ones are left out. */
export function settingsToFields(form: SettingsForm, settings: Partial<Settings>): JsonObject {
  return Object.fromEntries(
    namesIn(form).flatMap(([key, name]) =>
      settings[key] === undefined ? [] : [[name, settings[key] as JsonValue]],
    ),
  )
}
