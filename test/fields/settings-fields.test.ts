import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSiteFields } from '../../src/content-folder/site-fields.ts'
import { NO_YAML } from '../../src/content-folder/yaml-source.ts'
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
  const reads = (text: string) => 'fields' in readSiteFields({ name: 'Site', [name]: text }, NO_YAML)
  expect(reads(EMOJI.repeat(max))).toBe(true)
  expect(reads(EMOJI.repeat(max + 1))).toBe(false)
})

test('site.yaml trims what YAML adds around texts, and leaves code as it is', () => {
  const result = readSiteFields(
    {
      name: 'Site\n',
      nav_links: [{ label: ' Docs\n', href: '/docs' }],
      custom_css: '\na{}\n',
    },
    NO_YAML,
  )
  expect(result).toMatchObject({
    fields: {
      name: 'Site',
      settings: { navLinks: [{ label: 'Docs', href: '/docs' }], customCss: '\na{}\n' },
    },
  })
})

describe('custom CSS', () => {
  const reads = (css: string) => SETTINGS_FIELDS.customCss.schema.safeParse(css).success

  test.each(['</style>', '</STYLE', 'a{} </s', '<!-- a'])('cannot end its element with %j', (css) => {
    expect(reads(css)).toBe(false)
  })

  test.each(['', 'a > b {}', 'a { content: "<" }', 'a { content: "</1" }'])('may hold the text %j', (css) => {
    expect(reads(css)).toBe(true)
  })

  test('has at most 51,200 bytes, not characters', () => {
    expect(reads('a'.repeat(51_200))).toBe(true)
    expect(reads('a'.repeat(51_201))).toBe(false)
    expect(reads('é'.repeat(25_601))).toBe(false)
  })
})

describe('branding', () => {
  const faultsOf = (branding: unknown) =>
    SETTINGS_FIELDS.branding.schema.safeParse(branding).error?.issues.map(({ path }) => path.join('.')) ?? []

  test('names each wrong value, and stores keys that nothing shows', () => {
    expect(faultsOf({ primary_color: 'url(x)', font: 'a;b', lang: '!', other: [1] })).toEqual([
      'primary_color',
      'font',
      'lang',
    ])
    expect(faultsOf({ other: [1], mood: null })).toEqual([])
  })

  test('has no theme of its own: the setting of that name says it', () => {
    expect(faultsOf({ theme: 'dark' })).toEqual(['theme'])
  })

  test('has at most 16 KiB as JSON', () => {
    const bytes = 16 * 1024
    expect(faultsOf({ a: 'x'.repeat(bytes - '{"a":""}'.length) })).toEqual([])
    expect(faultsOf({ a: 'x'.repeat(bytes) })).toEqual([''])
  })

  test.each([null, 'teal', [], 3])('is an object and not %j', (value) => {
    expect(faultsOf(value)).toEqual([''])
  })
})

describe('site routes', () => {
  const schema = SETTINGS_FIELDS.siteRoutes.schema

  test('are stored in lower case, each path with one slash before it and none after', () => {
    expect(schema.parse({ 'Docs/': 'Help/', blog: '/', '': 'home' })).toEqual({
      docs: '/help',
      blog: '/',
      '': '/home',
    })
  })

  test.each([{ docs: '../up' }, { 'a b': '/a' }, { docs: 'https://example.com' }, { docs: null }])(
    'are refused in the form %j',
    (routes) => expect(schema.safeParse(routes).success).toBe(false),
  )

  test('are at most 500', () => {
    const routes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, '/a']))
    expect(schema.safeParse(routes(500)).success).toBe(true)
    expect(schema.safeParse(routes(501)).success).toBe(false)
  })
})
