import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

/** The three shapes of one store: how each is written, and what it shows. */
const SHAPES = {
  resource: {
    write: (body: object) => service.call('PUT', `/projects/${project}/settings`, body),
    read: async () => (await service.call('GET', `/projects/${project}/settings`)).body.data,
  },
  embedded: {
    write: (body: object) => service.call('PUT', `/projects/${project}`, { settings: body }),
    read: async () => (await service.call('GET', `/projects/${project}`)).body.data.settings,
  },
  legacy: {
    write: (body: object) => service.call('PUT', `/v1/projects/${project}/settings`, body),
    read: async () => (await service.call('GET', `/v1/projects/${project}/settings`)).body.data,
  },
}
type Shape = keyof typeof SHAPES
type Path = readonly [shape: Shape, ...keys: string[]]

/** Each setting that more than one shape has, by its path in each of them, with values it takes. */
const SHARED: readonly [name: string, paths: readonly Path[], values: readonly unknown[]][] = [
  [
    'theme',
    [
      ['resource', 'theme'],
      ['embedded', 'theme'],
      ['legacy', 'branding', 'theme'],
    ],
    ['dark', 'minimal', 'default'],
  ],
  [
    'favicon',
    [
      ['resource', 'favicon_url'],
      ['embedded', 'favicon'],
    ],
    ['/one.ico', '/two.svg', null],
  ],
  [
    'logo',
    [
      ['embedded', 'logo'],
      ['legacy', 'shared_header', 'logo'],
    ],
    ['/one.png', '/two.svg', null],
  ],
  [
    'analytics id',
    [
      ['resource', 'google_analytics_id'],
      ['embedded', 'google_analytics'],
    ],
    ['G-AAAA1111', 'G-BBBB2222', null],
  ],
  [
    'description',
    [
      ['resource', 'meta_description'],
      ['embedded', 'meta_description'],
    ],
    ['One', 'Two', null],
  ],
  [
    'social image',
    [
      ['resource', 'og_image_url'],
      ['embedded', 'social_image'],
    ],
    ['/one.jpg', 'https://example.com/two', null],
  ],
  [
    'links',
    [
      ['resource', 'nav_links'],
      ['legacy', 'shared_header', 'links'],
    ],
    [[{ label: 'One', href: '/one' }], [{ label: 'Two', href: '/two', external: true }], []],
  ],
]

const wrapped = (keys: readonly string[], value: unknown) =>
  keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

const valueAt = async ([shape, ...keys]: Path) =>
  keys.reduce((value, key) => value[key], await SHAPES[shape].read())

describe('a setting written through one shape and read through all', () => {
  test.each(SHARED)('is the same for the %s', async (_, paths, values) => {
    for (const writer of paths) {
      for (const value of values) {
        const [shape, ...keys] = writer
        expect((await SHAPES[shape].write(wrapped(keys, value))).status).toBe(200)
        for (const reader of paths) expect(await valueAt(reader)).toEqual(value)
      }
    }
  })

  test('is whatever was written last, by whichever sequence of writes', async () => {
    const write = fc.constantFrom(...SHARED).chain(([name, paths, values]) =>
      fc.record({
        name: fc.constant(name),
        path: fc.constantFrom(...paths),
        value: fc.constantFrom(...values),
      }),
    )
    const last = new Map<string, unknown>()
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 8 }), async (writes) => {
        for (const {
          name,
          path: [shape, ...keys],
          value,
        } of writes) {
          await SHAPES[shape].write(wrapped(keys, value))
          last.set(name, value)
        }
        for (const [name, paths] of SHARED.filter(([name]) => last.has(name)))
          for (const path of paths) expect([name, await valueAt(path)]).toEqual([name, last.get(name)])
      }),
      { numRuns: 12 },
    )
  })
})

describe('the legacy settings', () => {
  test('are empty in a new project', async () => {
    const id = await service.newProject('Empty')
    expect((await service.call('GET', `/v1/projects/${id}/settings`)).body).toEqual({
      success: true,
      data: {
        docs_nav: [],
        shared_header: { logo: null, links: [] },
        shared_footer: { links: [], copyright: '' },
        branding: { theme: 'default' },
        site_routes: {},
        data_mode: { enabled: false, content_key: null },
      },
    })
  })

  test('answer the merged value of each key that was supplied', async () => {
    const { write } = SHAPES.legacy
    await write({ branding: { primary_color: '#123456', font: 'Inter' }, site_routes: { docs: '/handbook' } })
    const { body } = await write({ branding: { font: 'Lato' }, site_routes: { blog: 'News', '/docs/': '/' } })
    expect(body).toEqual({
      success: true,
      data: {
        branding: { primary_color: '#123456', font: 'Lato', theme: (await SHAPES.resource.read()).theme },
        site_routes: { docs: '/', blog: '/news' },
      },
    })
  })

  test('replace docs_nav and merge shared_footer', async () => {
    const { write, read } = SHAPES.legacy
    const group = { title: 'Guides', children: [{ title: 'Install', slug: 'docs/install' }] }
    await write({ docs_nav: [group], shared_footer: { links: [{ label: 'Imprint', href: '/imprint' }] } })
    await write({ docs_nav: [{ title: 'Start', slug: 'start' }], shared_footer: { copyright: '© Acme' } })
    expect(await read()).toMatchObject({
      docs_nav: [{ title: 'Start', slug: 'start' }],
      shared_footer: { links: [{ label: 'Imprint', href: '/imprint' }], copyright: '© Acme' },
    })
  })

  test.each([
    ['docs_nav', {}],
    ['docs_nav', [{ slug: 'no-title' }]],
    ['docs_nav', [1]],
    ['shared_header', []],
    ['shared_header', { logo: '/logo.exe' }],
    ['shared_header', { links: [{ label: 'Script', href: 'javascript:alert(1)' }] }],
    ['shared_footer', { copyright: 1 }],
    ['branding', 'dark'],
    ['branding', { theme: 'fancy' }],
    ['branding', { theme: ['dark'] }],
    ['site_routes', []],
    ['site_routes', { docs: '../x' }],
    ['site_routes', { docs: 'https://example.com' }],
    ['site_routes', { 'a b': '/x' }],
    ['site_routes', { docs: 1 }],
  ])('refuse the key %s with %j', async (key, value) => {
    expectRefusal(await SHAPES.legacy.write({ [key]: value }), 'validation_error', key)
  })
})
