import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

/* What surrounds the pages of a project in several languages, through the API. */

let service: TestService
let project: string
const ids: Record<string, string> = {}

const LOCALES = [
  { code: 'en', label: 'English' },
  { code: 'de', label: 'Deutsch', subroute: 'de' },
]
const SETTINGS = {
  locales: LOCALES,
  nav_links: [
    { label: 'About', href: '/about' },
    { label: 'Docs', href: '/docs/install' },
  ],
  footer_text: 'Of trains.',
}

beforeAll(async () => {
  service = await startService()
  project = await service.newProject('Rail')
  await put(SETTINGS)
  await add('about', { slug: 'about', type: 'page' })
  await add('install', { slug: 'install', subroute: 'docs', type: 'docs', title: 'Install' })
  await add('rules', { slug: 'rules', subroute: 'docs', type: 'docs', title: 'Rules' })
  await add('einrichten', { slug: 'install', subroute: 'de/docs', type: 'docs', title: 'Einrichten' })
  await add('regeln', { slug: 'rules', subroute: 'de/docs', type: 'docs', title: 'Regeln' })
})
afterAll(() => service.close())

async function put(fields: object): Promise<void> {
  const { status, body } = await service.call('PUT', `/projects/${project}/settings`, fields)
  expect(status, JSON.stringify(body)).toBe(200)
}

async function add(name: string, fields: object): Promise<void> {
  const { body } = await service.call('POST', '/pages', pageBody(project, fields))
  ids[name] = body.data.id
  await publish(name)
}

async function publish(name: string): Promise<void> {
  const { status, body } = await service.call('POST', `/pages/${ids[name]}/publish`)
  expect(status, JSON.stringify(body)).toBe(200)
}

const publishAll = async () => {
  for (const name of Object.keys(ids)) await publish(name)
}

const visit = async (path: string) => (await fetch(`${service.url}/public/${project}/${path}`)).text()

const stale = async () => {
  const found = await Promise.all(
    Object.entries(ids).map(async ([name, id]) => {
      const { body } = await service.call('GET', `/pages/${id}`)
      return [name, body.data.stale] as const
    }),
  )
  return Object.fromEntries(found.filter(([, reasons]) => reasons.length > 0))
}

const headerOf = (html: string) => /<nav class="site-nav"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''

test('a translation that goes live makes the pages of its language stale, whose header then leads to it', async () => {
  await publishAll()
  expect(await stale()).toEqual({})
  expect(headerOf(await visit('de/docs/rules/'))).toMatch(/href="[^"]*\.\.\/about\/" hreflang="en"/)

  await add('ueber', {
    slug: 'ueber-uns',
    type: 'page',
    subroute: 'de',
    translation_key: 'about',
    title: 'Über uns',
  })
  // Pages in English have another switch of languages, because the page has a translation.
  expect(await stale()).toEqual({ about: ['nav'], einrichten: ['nav'], regeln: ['nav'] })
  await publishAll()
  expect(await stale()).toEqual({})
  expect(headerOf(await visit('de/docs/rules/'))).toMatch(/href="[^"]*\/de\/ueber-uns\/"/)
  expect(headerOf(await visit('docs/rules/'))).toMatch(/href="[^"]*\.\.\/about\/"/)
})

test('a field of one language makes its pages stale and no others, and the order of its docs is a reason of its own', async () => {
  await put({ by_locale: { de: { site_name: 'Bahn', footer_text: 'Von Zügen.' } } })
  expect(await stale()).toEqual({ einrichten: ['settings'], regeln: ['settings'], ueber: ['settings'] })
  await publishAll()
  expect(await stale()).toEqual({})
  expect(await visit('de/docs/rules/')).toContain('Von Zügen.')
  expect(await visit('docs/rules/')).toContain('Of trains.')

  // English pages inherit what changes here, and German ones have it themselves.
  await put({ footer_text: 'Of all trains.' })
  expect(Object.keys(await stale())).toEqual(['about', 'install', 'rules'])
  await publishAll()

  const docs_nav = [
    { title: 'Zuerst', slug: 'rules' },
    { title: 'Danach', slug: 'install' },
  ]
  await put({ by_locale: { de: { site_name: 'Bahn', docs_nav } } })
  await publishAll()
  expect(await stale()).toEqual({})
  await put({ by_locale: { de: { site_name: 'Bahn', docs_nav: docs_nav.toReversed() } } })
  expect(await stale()).toEqual({ einrichten: ['nav'], regeln: ['nav'] })
  await publishAll()
  expect(
    JSON.parse(await visit('_nav/de/docs.json')).items.map(({ title }: { title: string }) => title),
  ).toEqual(['Danach', 'Zuerst'])
})

test('a picture that only one language names is on its pages, and its bytes make no other page stale', async () => {
  const drawing = (colour: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${colour}" d="M0 0h8v8z"/></svg>`
  const headers = { 'Content-Type': 'application/octet-stream' }
  const sent = (method: string, path: string, colour: string) =>
    service.call(method, path, Buffer.from(drawing(colour)), { headers })
  const { data } = (await sent('POST', `/projects/${project}/assets?name=mark.svg`, 'red')).body
  await put({
    by_locale: { de: { nav_links: [{ label: 'Über', href: '/de/ueber-uns', icon: '/media/mark.svg' }] } },
  })
  await publishAll()
  expect(await stale()).toEqual({})
  expect(headerOf(await visit('de/docs/rules/'))).toContain('_media/mark.')
  expect(await visit('docs/rules/')).not.toContain('_media/mark.')
  expect((await sent('PUT', `/assets/${data.id}/content`, 'blue')).status).toBe(200)
  expect(await stale()).toEqual({ einrichten: ['media'], regeln: ['media'], ueber: ['media'] })
  await publishAll()
})

test('a language that the site does not have is refused by name, and so is one that is removed while it has settings', async () => {
  const unknown = await service.call('PUT', `/projects/${project}/settings`, {
    by_locale: { fr: { footer_text: 'x' } },
  })
  expect(unknown.status).toBe(422)
  expect(JSON.stringify(unknown.body)).toContain('by_locale.fr')
  const removed = await service.call('PUT', `/projects/${project}/settings`, { locales: [] })
  expect(removed.status).toBe(422)
  expect(JSON.stringify(removed.body)).toContain('by_locale.de')
  const wrong = await service.call('PUT', `/projects/${project}/settings`, {
    by_locale: { de: { theme: 'dark', nav_links: [{ label: '', href: 'javascript:x' }] } },
  })
  expect(wrong.status).toBe(422)
  expect(JSON.stringify(wrong.body)).toContain('by_locale.de.nav_links')
  const large = await service.call('PUT', `/projects/${project}/settings`, {
    by_locale: { de: { docs_nav: Array.from({ length: 2000 }, () => ({ title: 'x'.repeat(200) })) } },
  })
  expect(large.status).toBe(422)
  expect(JSON.stringify(large.body)).toContain('256 KiB')
})

test('a draft is previewed with what surrounds the pages of its language', async () => {
  await put({
    nav_links: [{ label: 'About', href: '/about' }],
    by_locale: { de: { footer_text: 'Von Zügen.' } },
  })
  const { body } = await service.call('POST', `/pages/${ids['regeln']}/preview`)
  const html = await (await fetch(body.data.url)).text()
  expect(html).toContain('Von Zügen.')
  expect(headerOf(html)).toMatch(/\/de\/ueber-uns\/"/)
})

test('the legacy surface shows and accepts what it did', async () => {
  const { body } = await service.call('GET', `/v1/projects/${project}/settings`)
  expect(JSON.stringify(body)).not.toMatch(/by_locale|site_name/)
})
