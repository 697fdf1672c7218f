import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSiteFields } from '../../src/content-folder/site-fields.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts'
import { SETTINGS_FIELDS } from '../../src/fields/settings-fields.ts'
import {
  fieldsToSettings,
  SETTING_KEYS,
  type SettingsForm,
  settingsToFields,
} from '../../src/fields/settings-record.ts'

const FORMS: readonly SettingsForm[] = ['api', 'file', 'project']

test('the table has a row for every setting, in the order of the domain', () => {
  expect(SETTING_KEYS).toEqual(Object.keys(DEFAULT_SETTINGS))
})

test.each(SETTING_KEYS)('the default of %s is valid and described by its answer', (key) => {
  const { schema, answer }: { schema: z.ZodType; answer?: z.ZodType } = SETTINGS_FIELDS[key]
  const value = DEFAULT_SETTINGS[key]
  expect(z.safeParse(schema, value).error).toBeUndefined()
  if (answer !== undefined) expect(z.safeParse(answer, value).error).toBeUndefined()
})

describe.each(FORMS)('in the form %s', (form) => {
  test('every setting has a name of its own', () => {
    const fields = settingsToFields(form, DEFAULT_SETTINGS)
    expect(Object.keys(fields)).toHaveLength(form === 'project' ? 7 : SETTING_KEYS.length)
  })

  test('settings survive being written and read', () => {
    const fields = settingsToFields(form, DEFAULT_SETTINGS)
    expect(settingsToFields(form, fieldsToSettings(form, fields))).toEqual(fields)
  })

  test('absent settings stay absent', () => {
    expect(settingsToFields(form, {})).toEqual({})
    expect(fieldsToSettings(form, { unknown: 1 })).toEqual({})
  })
})

/** Each emoji is one character to people and two code units to JavaScript. */
const EMOJI = '😀'

test.each([
  ['name', 100],
  ['meta_title', 60],
  ['meta_description', 160],
  ['footer_text', 2000],
])('site.yaml counts the characters of %s as code points, as the API does', (name, max) => {
  const reads = (text: string) => 'fields' in readSiteFields({ name: 'Site', [name]: text })
  expect(reads(EMOJI.repeat(max))).toBe(true)
  expect(reads(EMOJI.repeat(max + 1))).toBe(false)
})

test('site.yaml trims what YAML adds around texts, and leaves code as it is', () => {
  const result = readSiteFields({
    name: 'Site\n',
    nav_links: [{ label: ' Docs\n', href: '/docs' }],
    custom_css: '\na{}\n',
  })
  expect(result).toMatchObject({
    fields: {
      name: 'Site',
      settings: { navLinks: [{ label: 'Docs', href: '/docs' }], customCss: '\na{}\n' },
    },
  })
})
