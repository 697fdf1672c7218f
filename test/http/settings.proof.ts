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

const put = (body: object) => service.call('PUT', `/projects/${project}/settings`, body)
const get = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data
const embed = (settings: object) => service.call('PUT', `/projects/${project}`, { settings })
const embedded = async () => (await service.call('GET', `/projects/${project}`)).body.data.settings

const link = (n: number) => ({ label: `Link ${n}`, href: `/${n}` })
const URLS = ['https://example.com/a', 'http://example.com', '/root.png', '/', 'https://example.com/a?b=c#d']
const NO_URLS = [
  ...[
    '',
    'a.png',
    'example.com/a.png',
    '//example.com/a.png',
    'ftp://example.com/a',
    'data:image/png;base64,AA',
  ],
  ...[
    'javascript:alert(1)',
    'https://',
    'https:///a',
    'https://exa mple.com',
    '/a b.png',
    '/a\\b.png',
    '/a\nb',
  ],
]

describe('the settings of a new project', () => {
  test('are all at their defaults', async () => {
    const { id } = (await service.call('POST', '/projects', { name: 'Fresh' })).body.data
    expect((await service.call('GET', `/projects/${id}/settings`)).body).toEqual({
      data: {
        project_id: id,
        theme: 'default',
        custom_domain: null,
        favicon_url: null,
        logo_url: null,
        logo_dark_url: null,
        feed_guid: null,
        site_name: null,
        by_locale: {},
        og_image_url: null,
        social_cards: 'none',
        mcp: 'none',
        media_refresh: 'auto',
        meta_title: null,
        meta_description: null,
        google_analytics_id: null,
        custom_css: null,
        custom_head_html: null,
        footer_text: null,
        announcement: { text: '' },
        nav_links: [],
        docs_nav: [],
        shared_footer: { links: [], copyright: '' },
        branding: {},
        site_routes: {},
        data: {},
        locales: [],
        versions: [],
        variables: {},
        visits: 'none',
        data_mode: { enabled: false, cdn_base: null },
        hosting_mode: 'fullhost',
      },
    })
  })
})

const manyVariables = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, 'x']))
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

/** Values each field takes, and values it does not. */
const FIELDS: readonly [field: string, takes: readonly unknown[], refuses: readonly unknown[]][] = [
  [
    'locales',
    [
      [],
      [
        { code: 'en', label: 'English', dir: 'ltr', subroute: '' },
        { code: 'pt-BR', label: 'Português', dir: 'ltr', subroute: 'pt-br' },
      ],
      [{ code: 'ar', label: 'العربية', dir: 'rtl', subroute: 'ar' }],
    ],
    [
      null,
      {},
      [{ code: 'en' }],
      [{ code: 'no tag', label: 'None' }],
      [{ code: 'en', label: 'English', dir: 'down' }],
      [{ code: 'en', label: 'English', subroute: 'a b' }],
      [
        { code: 'en', label: 'English' },
        { code: 'EN', label: 'Again', subroute: 'en' },
      ],
      [
        { code: 'en', label: 'English' },
        { code: 'fr', label: 'Français' },
      ],
      Array.from({ length: 41 }, (_, at) => ({
        code: `en-x${at + 10000}`,
        label: 'English',
        subroute: `l${at}`,
      })),
    ],
  ],
  [
    'versions',
    [
      [],
      [
        { name: '2.0', label: 'Version 2', subroute: 'docs', latest: true },
        { name: '1.0', label: '1.0', subroute: 'docs/1.0', latest: false },
      ],
    ],
    [
      null,
      {},
      [{ name: '1.0' }],
      [{ name: 'one zero', latest: true }],
      [
        { name: '1.0', latest: true },
        { name: '1.0', subroute: 'docs' },
      ],
      [
        { name: '1.0', latest: true },
        { name: '2.0', subroute: 'docs', latest: true },
      ],
      [{ name: '1.0', latest: true }, { name: '2.0' }],
    ],
  ],
  [
    'data',
    [{}, { team: [{ name: 'Ada', links: null }], year: 2026 }, nested(16), { text: 'x'.repeat(262_000) }],
    [null, 'text', [], nested(17), { text: 'x'.repeat(262_145) }],
  ],
  [
    'variables',
    [{}, { version: '2.4', größe_2: '' }, { a: 'x'.repeat(500) }],
    [
      null,
      [],
      { a: 1 },
      { '2a': 'x' },
      { 'a b': 'x' },
      { a: 'x'.repeat(501) },
      { a: 'two\nlines' },
      manyVariables(101),
    ],
  ],
  ['theme', ['dark', 'minimal', 'default'], ['', 'Dark', 'fancy', null, 1, ['dark']]],
  [
    'favicon_url',
    ['/favicon.ico', 'https://example.com/a.PNG', '/a.svg?v=2', null],
    [
      '/favicon.jpg',
      '/favicon',
      '/a.png/',
      'favicon.ico',
      '/ico',
      '/a.exe?x=.ico',
      '/a.exe#.ico',
      1,
      ...NO_URLS,
    ],
  ],
  ['og_image_url', [...URLS, null], [1, ...NO_URLS]],
  ['social_cards', ['none', 'pages'], ['site', '', null, 1]],
  ['mcp', ['none', 'read'], ['write', '', null, true]],
  ['meta_title', ['Title', 'x'.repeat(60), '😀'.repeat(60), null], ['x'.repeat(61), 'a\nb', 1]],
  ['meta_description', ['Text', 'x'.repeat(160), '😀'.repeat(160), null], ['x'.repeat(161), {}]],
  [
    'google_analytics_id',
    ['G-ABC1234567', 'UA-12345678-1', null],
    ['', 'G-', 'g-abc1234567', "G-A');alert(1);('", 'G-ABC1234567 ', '<script>', 'ABC', 1],
  ],
  ['custom_head_html', ['<meta name="a" content="b"><script>let a = 1 < 2</script>', '', null], [1, [], {}]],
  ['footer_text', ['© Acme', 'Line one\nline two', '', null], [1, []]],
  [
    'announcement',
    [{ text: '' }, { text: 'Version 2 is out' }, { text: 'x'.repeat(200), href: '/blog/version-2' }],
    [
      null,
      'Text',
      {},
      { text: 'x'.repeat(201) },
      { text: 'a\nb' },
      { text: 'Bad', href: 'javascript:alert(1)' },
    ],
  ],
  [
    'nav_links',
    [
      [],
      [{ label: 'Docs', href: '/docs' }],
      [
        { label: 'Mail', href: 'mailto:a@b.example' },
        { label: 'Call', href: 'tel:+491234' },
        { label: 'Top', href: '#top' },
        { label: 'Out', href: 'https://example.com', external: true },
        { label: 'Start', href: '/start', style: 'button', icon: 'rocket' },
        { label: 'Menu', links: [{ label: 'Docs', href: '/docs', icon: 'book', description: 'All of it.' }] },
      ],
      Array.from({ length: 50 }, (_, n) => link(n)),
    ],
    [
      null,
      {},
      'Docs',
      Array.from({ length: 51 }, (_, n) => link(n)),
      [{ label: 'No href' }],
      [{ href: '/' }],
      [{ label: '', href: '/' }],
      [{ label: 'x'.repeat(101), href: '/' }],
      [{ label: 'Script', href: 'javascript:alert(1)' }],
      [{ label: 'Data', href: 'data:text/html,x' }],
      [{ label: 'Relative', href: 'docs' }],
      [{ label: 'Extra', href: '/', colour: 'red' }],
      [{ label: 'Both', href: '/', links: [link(1)] }],
      [{ label: 'Empty', links: [] }],
      [{ label: 'Deep', links: [{ label: 'Menu', links: [link(1)] }] }],
      [{ label: 'Many', links: Array.from({ length: 21 }, (_, n) => link(n)) }],
      [{ label: 'Style', href: '/', style: 'loud' }],
      [{ label: 'External', href: '/', external: 'yes' }],
      ['/docs'],
    ],
  ],
  ['logo_url', ['/logo.png', '/logo.SVG?v=1', null], ['/logo.gif', '/logo', '', 1]],
  ['logo_dark_url', ['/logo-dark.svg', null], ['/logo.gif', '']],
  ['feed_guid', ['https://old.example.com/', 'any text', null], ['', 'two\nlines', 'x'.repeat(501), 1]],
  [
    'custom_css',
    ['a{}', '', null],
    ['a{} b c;', '@import "a.css";', 'a{}</style><script>', `/*${'é'.repeat(25_600)}*/`, 1],
  ],
  [
    'docs_nav',
    [[], [{ title: 'Guides', children: [{ title: 'Install', slug: 'docs/install', badge: 'new' }] }]],
    [
      null,
      {},
      [{ slug: 'install' }],
      [{ title: '' }],
      [{ title: 'A', picture: 'star' }],
      [{ title: 'A', children: [{ title: 'B', badge: 'x'.repeat(21) }] }],
      Array.from({ length: 2001 }, () => ({ title: 'A' })),
    ],
  ],
  [
    'shared_footer',
    [
      { links: [{ title: 'More', links: [{ label: 'Docs', href: '/docs' }] }], copyright: '' },
      { links: [{ label: 'Docs', href: '/docs', external: true }], copyright: '© Acme' },
    ],
    [null, [], { links: [{ label: 'A' }] }, { copyright: 1 }, { text: 'A' }],
  ],
  [
    'branding',
    [{ primary_color: '#0b6e4f', font: 'Inter', lang: 'en', own: { any: 1 } }, {}],
    [
      null,
      [],
      { primary_color: 'nothing' },
      { lang: 'english' },
      { theme: 'dark' },
      { own: 'x'.repeat(16 * 1024) },
    ],
  ],
  [
    'site_routes',
    [{ docs: '/help', blog: '/' }, {}],
    [
      null,
      [],
      { docs: '../up' },
      { docs: null },
      { 'a b': '/help' },
      Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`r${n}`, '/help'])),
    ],
  ],
]

describe.each(FIELDS)('%s', (field, takes, refuses) => {
  test('is stored and shown as it was sent', async () => {
    for (const value of takes) {
      const { status, body } = await put({ [field]: value })
      expect({ value, status }).toEqual({ value, status: 200 })
      expect(body.data.updated_fields).toEqual([field])
      expect((await get())[field]).toEqual(value)
    }
  })

  test('refuses what it does not take, and keeps what was there', async () => {
    const before = await get()
    for (const value of refuses) {
      const answer = await put({ [field]: value })
      expect({ value, status: answer.status }).toEqual({ value, status: 422 })
      expectRefusal(answer, 'validation_error', field)
    }
    expect(await get()).toEqual(before)
  })
})

describe('an update of the settings', () => {
  test('changes what it names and nothing else', async () => {
    await put({ footer_text: 'Kept', meta_title: 'Kept' })
    const before = await get()
    await put({ meta_title: 'Changed' })
    expect(await get()).toEqual({ ...before, meta_title: 'Changed' })
  })

  test('answers the fields it was given in the documented order, and when it happened', async () => {
    const body = {
      nav_links: [],
      hosting_mode: 'fullhost',
      footer_text: null,
      custom_head_html: null,
      google_analytics_id: null,
      meta_description: null,
      meta_title: null,
      og_image_url: null,
      favicon_url: null,
      theme: 'default',
    }
    const { status, body: answer } = await put(body)
    expect(status).toBe(200)
    expect(answer).toEqual({
      data: {
        project_id: project,
        updated_fields: [
          ...[
            'theme',
            'favicon_url',
            'og_image_url',
            'meta_title',
            'meta_description',
            'google_analytics_id',
          ],
          ...['custom_head_html', 'footer_text', 'nav_links'],
        ],
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
  })

  test('updates nothing when it is empty', async () => {
    const before = await get()
    expect((await put({})).body.data.updated_fields).toEqual([])
    expect(await get()).toEqual(before)
  })

  test('moves its updated_at each time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => put({ footer_text: `${n}` })))
    expect(new Set(answers.map(({ body }) => body.data.updated_at)).size).toBe(10)
  })

  test('replaces lists and objects', async () => {
    await put({ branding: { primary_color: 'teal', lang: 'en' }, shared_footer: { copyright: 'Acme' } })
    await put({ branding: { lang: 'de' }, shared_footer: { links: [link(1)] } })
    const { branding, shared_footer: footer } = await get()
    expect([branding, footer]).toEqual([{ lang: 'de' }, { links: [link(1)], copyright: '' }])
  })

  test('with one invalid field stores nothing', async () => {
    const before = await get()
    expectRefusal(await put({ footer_text: 'New', theme: 'none' }), 'validation_error', 'theme: ')
    expect(await get()).toEqual(before)
  })
})

describe('the settings inside a project', () => {
  const CSS_BYTES = 51_200

  test.each([
    ['theme', 'dark'],
    ['favicon', '/favicon.svg'],
    ['logo', '/logo.PNG'],
    ['logo', 'https://example.com/logo.jpg?v=1'],
    ['logo', '/logo.jpeg'],
    ['logo', '/logo.svg'],
    ['logo', null],
    ['custom_css', 'a > b { content: "<" } /* </ > < */'],
    ['custom_css', `/*${'é'.repeat(CSS_BYTES / 2 - 2)}*/`],
    ['custom_css', ''],
    ['custom_css', null],
    ['google_analytics', 'G-ABC1234567'],
    ['google_analytics', null],
    ['meta_description', 'x'.repeat(160)],
    ['social_image', '/social'],
    ['social_image', null],
  ])('take a value of %s', async (field, value) => {
    const before = await embedded()
    expect((await embed({ [field]: value })).body.data.settings).toEqual({ ...before, [field]: value })
    expect(await embedded()).toEqual({ ...before, [field]: value })
  })

  test.each([
    ['a {\n  color: red\n}\n\nb c;', 'line 5, column 5: '],
    ['a {\n  mask: url(http://x.example/a.svg)\n}', 'line 2, column 9: addresses must be https'],
    ['@import "a.css";', 'line 1, column 1: @import is not allowed'],
  ])('say where CSS is wrong: %j', async (css, fault) => {
    const answer = await embed({ custom_css: css, favicon: '/a.gif' })
    expectRefusal(answer, 'validation_error', 'settings.favicon: ')
    expect(answer.body.message).toContain(`settings.custom_css: ${fault}`)
  })

  test.each([
    ['theme', 'fancy'],
    ['theme', null],
    ['favicon', '/favicon.gif'],
    ['logo', '/logo.gif'],
    ['logo', '/logo'],
    ['logo', ''],
    ['custom_css', `${'é'.repeat(CSS_BYTES / 2)}x`],
    ['custom_css', 'a{}</style><script>alert(1)</script>'],
    ['custom_css', 'a{}</STYLE'],
    ['custom_css', '<!-- a{} -->'],
    ['custom_css', 1],
    ['google_analytics', 'UA'],
    ['meta_description', 'x'.repeat(161)],
    ['social_image', 'social.png'],
    ['favicon_url', '/favicon.ico'],
    ['footer_text', 'Only in the settings resource'],
  ])('refuse a value of %s', async (field, value) => {
    const before = await embedded()
    expectRefusal(await embed({ [field]: value }), 'validation_error', `settings.${field}: `)
    expect(await embedded()).toEqual(before)
  })
})
