import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = (await service.call('POST', '/v1/projects', { name: 'Site' })).body.data.id
})

const put = (body: object) => service.call('PUT', `/v1/projects/${project}/settings`, body)
const get = async () => (await service.call('GET', `/v1/projects/${project}/settings`)).body.data
const getCurrent = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data
const getProject = async () => (await service.call('GET', `/projects/${project}`)).body.data

const link = (n: number) => ({ label: `Link ${n}`, href: `/page-${n}` })
const links = (count: number) => Array.from({ length: count }, (_, n) => link(n))

describe('GET settings', () => {
  test('shows for a new project every key with its default', async () => {
    const { status, body } = await service.call('GET', `/v1/projects/${project}/settings`)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          docs_nav: [],
          shared_header: { logo: null, links: [] },
          shared_footer: { links: [], copyright: '' },
          branding: { theme: 'default' },
          site_routes: {},
          data_mode: { enabled: false, content_key: null },
        },
      },
    })
  })
})

describe('PUT settings', () => {
  test.each([
    ['docs_nav', [{ title: 'Start', slug: 'start' }], [{ title: 'Start', slug: 'start' }]],
    ['shared_header', { links: [link(1)] }, { logo: null, links: [link(1)] }],
    ['shared_footer', { copyright: '© Ada' }, { links: [], copyright: '© Ada' }],
    ['branding', { primary_color: '#123456' }, { primary_color: '#123456', theme: 'default' }],
    ['site_routes', { docs: '/help' }, { docs: '/help' }],
  ])('answers the merged value of %s and leaves the rest', async (key, given, merged) => {
    const before = await get()
    const { status, body } = await put({ [key]: given })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { [key]: merged } } })
    expect(await get()).toEqual({ ...before, [key]: merged })
  })

  test('answers each supplied key, in whatever order they came', async () => {
    const { body } = await put({ site_routes: { blog: 'news' }, docs_nav: [] })
    expect(body.data).toEqual({ docs_nav: [], site_routes: { blog: '/news' } })
  })

  test('without a key it knows changes nothing and answers nothing', async () => {
    const before = await get()
    const { status, body } = await put({ theme: 'dark', data_mode: { enabled: true }, nav_links: 5 })
    expect({ status, data: body.data }).toEqual({ status: 200, data: {} })
    expect(await get()).toEqual(before)
  })

  test('replaces docs_nav as a whole', async () => {
    await put({ docs_nav: [{ title: 'Old', slug: 'old' }] })
    const nav = [
      { title: 'Guide', slug: 'guide', children: [{ title: 'Deep', children: [{ title: 'X', slug: 'x' }] }] },
    ]
    expect((await put({ docs_nav: nav })).body.data.docs_nav).toEqual(nav)
    expect((await get()).docs_nav).toEqual(nav)
  })

  test('merges objects key by key, one level deep', async () => {
    await put({
      shared_header: { logo: 'https://example.com/logo.svg', links: [link(1)] },
      shared_footer: { links: [{ title: 'More', links: [link(2)] }], copyright: 'Ada' },
      branding: { primary_color: 'teal', fonts: { body: 'Inter', code: 'Mono' }, theme: 'dark' },
      site_routes: { docs: '/help', blog: '/news' },
    })
    const { body } = await put({
      shared_header: { links: [] },
      shared_footer: { links: [link(3)] },
      branding: { fonts: { body: 'Lora' } },
      site_routes: { blog: '/' },
    })
    expect(body.data).toEqual({
      shared_header: { logo: 'https://example.com/logo.svg', links: [] },
      shared_footer: { links: [link(3)], copyright: 'Ada' },
      branding: { primary_color: 'teal', fonts: { body: 'Lora' }, theme: 'dark' },
      site_routes: { docs: '/help', blog: '/' },
    })
  })

  test('null takes back a route, a branding key and the logo', async () => {
    await put({
      shared_header: { logo: '/logo.png' },
      branding: { primary_color: 'teal', font: 'Inter' },
      site_routes: { docs: '/help', blog: '/news' },
    })
    const { body } = await put({
      shared_header: { logo: null },
      branding: { font: null },
      site_routes: { docs: null, never: null },
    })
    expect(body.data).toEqual({
      shared_header: { logo: null, links: [] },
      branding: { primary_color: 'teal', theme: 'default' },
      site_routes: { blog: '/news' },
    })
  })

  test('routes are stored as paths: lower case, no slash at the end', async () => {
    const { body } = await put({ site_routes: { '/Docs/': 'Help/Center/', '': '/Start', blog: '' } })
    expect(body.data.site_routes).toEqual({ docs: '/help/center', '': '/start', blog: '/' })
  })

  test('two updates of different keys at once lose nothing', async () => {
    await Promise.all([
      put({ site_routes: { a: '/x' } }),
      put({ site_routes: { b: '/y' } }),
      put({ branding: { font: 'Inter' } }),
      put({ branding: { primary_color: 'red' } }),
    ])
    expect(await get()).toMatchObject({
      site_routes: { a: '/x', b: '/y' },
      branding: { font: 'Inter', primary_color: 'red' },
    })
  })
})

describe('one store behind the shapes', () => {
  test('values written here are read on the current surface', async () => {
    const logo = 'https://example.com/logo.svg'
    await put({
      shared_header: { logo, links: [{ ...link(1), external: true }] },
      branding: { theme: 'dark' },
    })
    expect(await getCurrent()).toMatchObject({ theme: 'dark', nav_links: [{ ...link(1), external: true }] })
    expect((await getProject()).settings).toMatchObject({ theme: 'dark', logo })
  })

  test('values written on the current surface are read here', async () => {
    await service.call('PUT', `/projects/${project}/settings`, { theme: 'minimal', nav_links: [link(2)] })
    await service.call('PUT', `/projects/${project}`, { settings: { logo: '/logo.png' } })
    expect(await get()).toMatchObject({
      shared_header: { logo: '/logo.png', links: [link(2)] },
      branding: { theme: 'minimal' },
    })
  })

  test('a route changes the path of its pages', async () => {
    const page = { project_id: project, page_name: 'Start', slug: 'start', subroute: 'docs', type: 'doc' }
    const { id } = (await service.call('POST', '/v1/pages', page)).body.data
    await put({ site_routes: { docs: '/help' } })
    expect((await service.call('GET', `/pages/${id}`)).body.data.url).toBe('/help/start')
  })
})

describe('a fault', () => {
  test.each([
    ['docs_nav', 5, 'docs_nav: '],
    ['docs_nav', { title: 'x' }, 'docs_nav: '],
    ['docs_nav', [{ slug: 'x' }], 'docs_nav[0].title: '],
    ['docs_nav', [{ title: '' }], 'docs_nav[0].title: '],
    ['docs_nav', [{ title: 'a', children: [{ title: 5 }] }], 'docs_nav[0].children[0].title: '],
    ['docs_nav', Array.from({ length: 2001 }, () => ({ title: 'x' })), 'docs_nav: '],
    ['docs_nav', nested(9), 'docs_nav: '],
    ['shared_header', [], 'shared_header: '],
    ['shared_header', { links: links(51) }, 'shared_header.links: '],
    ['shared_header', { links: [{ label: 'x' }] }, 'shared_header.links[0].href: '],
    ['shared_header', { links: [{ ...link(1), href: 'javascript:x' }] }, 'shared_header.links[0].href: '],
    ['shared_header', { links: [{ ...link(1), external: 1 }] }, 'shared_header.links[0].external: '],
    ['shared_header', { logo: 'https://example.com/logo.exe' }, 'shared_header.logo: '],
    ['shared_footer', { copyright: 'x'.repeat(501) }, 'shared_footer.copyright: '],
    ['shared_footer', { links: links(51) }, 'shared_footer.links: '],
    ['shared_footer', { links: [{ label: 'x', href: 'no' }] }, 'shared_footer.links[0].href: '],
    ['shared_footer', { links: [{ title: 'x', links: [link(1), {}] }] }, 'shared_footer.links[0].links[1]'],
    ['branding', 'x', 'branding: '],
    ['branding', { theme: 'neon' }, 'branding.theme: '],
    ['branding', { theme: ['dark'] }, 'branding.theme: '],
    ['branding', { primary_color: 'blau' }, 'branding.primary_color: '],
    ['branding', { font: ['Inter'] }, 'branding.font: '],
    ['branding', { lang: 'deutsch' }, 'branding.lang: '],
    ['branding', { theme: null }, 'branding.theme: '],
    ['branding', { big: 'x'.repeat(16 * 1024) }, 'branding: '],
    ['site_routes', [], 'site_routes: '],
    ['site_routes', { docs: 5 }, 'site_routes.docs: '],
    ['site_routes', { docs: 'a b' }, 'site_routes.docs: '],
    ['site_routes', { 'a b': '/x' }, 'site_routes.a b: '],
    [
      'site_routes',
      Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`r${n}`, '/x'])),
      'site_routes: ',
    ],
    ['branding', null, 'branding: '],
  ])('in %s (%.40j) names its field, and nothing is written', async (key, given, mention) => {
    const before = await get()
    expectRefusal(await put({ docs_nav: [{ title: 'Never' }], [key]: given }), 'validation_error', mention)
    expect(await get()).toEqual(before)
  })

  test('does not hide another', async () => {
    const answer = await put({ docs_nav: 5, branding: { theme: 'neon' }, site_routes: { docs: 5 } })
    expectRefusal(answer, 'validation_error', 'docs_nav: ', 'branding.theme: ', 'site_routes.docs: ')
  })

  test('objects do not grow without bounds by being merged', async () => {
    expect((await put({ branding: { a: 'x'.repeat(10_000) } })).status).toBe(200)
    expectRefusal(await put({ branding: { b: 'x'.repeat(10_000) } }), 'validation_error', 'branding: ')
    const routes = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${prefix}${n}`, '/x']))
    expect((await put({ site_routes: routes('a') })).status).toBe(200)
    expectRefusal(await put({ site_routes: routes('b') }), 'validation_error', 'site_routes: ')
  })

  test('an archived project takes no change', async () => {
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expectRefusal(await put({ docs_nav: [] }), 'forbidden')
  })

  test('a stale If-Match is refused', async () => {
    const path = `/v1/projects/${project}/settings`
    const etag = (await service.call('GET', path)).headers.get('etag') ?? ''
    const guarded = (branding: object) =>
      service.call('PUT', path, { branding }, { headers: { 'If-Match': etag } })
    expect((await guarded({ a: 1 })).status).toBe(200)
    expectRefusal(await guarded({ a: 2 }), 'precondition_failed')
  })
})

function nested(levels: number): readonly object[] {
  return [{ title: 'x', ...(levels > 1 && { children: nested(levels - 1) }) }]
}
