import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import type { FieldDigests } from '../domain/source.ts'
import { fieldDigests } from '../page-text/field-digests.ts'
import { SETTINGS_FIELDS } from './settings-fields.ts'
import { SETTING_KEYS } from './settings-record.ts'

/**
 * Returns the digests of the settings in a push, by their names in the API. Settings with their defaults are left out.
 */
export function settingsDigests(settings: Partial<Settings>): FieldDigests {
  return fieldDigests(
    Object.fromEntries(
      SETTING_KEYS.filter((key) => !isDeepStrictEqual(settings[key], DEFAULT_SETTINGS[key])).map((key) => [
        SETTINGS_FIELDS[key].name,
        settings[key],
      ]),
    ),
  )
}
