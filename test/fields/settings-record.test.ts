import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SETTINGS_FIELDS } from '../../src/fields/settings-fields.ts'
import {
  fieldsToSettings,
  SETTING_KEYS,
  type SettingsForm,
  settingFileName,
  settingsAnswer,
  settingsShape,
  settingsToFields,
} from '../../src/fields/settings-record.ts'
import { anySettings } from '../support/stored-values.ts'

const FORMS: readonly SettingsForm[] = ['api', 'file', 'project']

describe.each(FORMS)('settings in the form %s', (form) => {
  const given = z.strictObject(settingsShape(form, {}))
  const shown = z.strictObject(settingsAnswer(form))

  test('are accepted back as they are shown, whatever the stored values are', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const fields = settingsToFields(form, settings)
        expect(shown.safeParse(fields).error).toBeUndefined()
        expect(given.parse(fields)).toEqual(fields)
      }),
    )
  })

  test('are read as the settings that were written', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const read = fieldsToSettings(form, settingsToFields(form, settings))
        expect(settings).toMatchObject(read)
        if (form !== 'project') expect(read).toEqual(settings)
      }),
    )
  })

  test('may be written one at a time, and no other setting is touched', () => {
    fc.assert(
      fc.property(anySettings, fc.constantFrom(...SETTING_KEYS), (settings, key) => {
        const fields = settingsToFields(form, { [key]: settings[key] })
        expect(Object.keys(fields).length).toBeLessThanOrEqual(1)
        expect(Object.keys(fieldsToSettings(form, fields))).toEqual(
          Object.keys(fields).length === 0 ? [] : [key],
        )
      }),
    )
  })

  test('have the same fields in requests and in answers', () => {
    expect(Object.keys(given.shape)).toEqual(Object.keys(shown.shape))
  })

  test('refuse a theme that a service does not have where it lists its themes', () => {
    const known = z.strictObject(settingsShape(form, { theme: z.enum(['default']) }))
    expect(known.safeParse({ theme: 'default' }).success).toBe(true)
    expect(known.safeParse({ theme: 'other' }).success).toBe(false)
  })

  test('are described for people, each with whole sentences', () => {
    for (const schema of Object.values(settingsShape(form, {})))
      expect(z.globalRegistry.get(schema)?.description).toMatch(/^(`|[A-Z]).*\.$/)
  })
})

test('null is a value to be written, and an absent field is not', () => {
  expect(fieldsToSettings('api', { logo_url: null })).toEqual({ logoUrl: null })
  expect(fieldsToSettings('file', { logo_url: '/a.png' })).toEqual({})
  expect(fieldsToSettings('api', { logo_url: undefined })).toEqual({})
})

test('two settings never share a name, in any form', () => {
  const names = [
    SETTING_KEYS.map((key) => SETTINGS_FIELDS[key].name),
    SETTING_KEYS.map(settingFileName),
    SETTING_KEYS.flatMap((key) => SETTINGS_FIELDS[key].projectName ?? []),
  ]
  for (const list of names) expect(new Set(list).size).toBe(list.length)
})
