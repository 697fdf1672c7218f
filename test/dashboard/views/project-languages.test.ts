import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

const LOCALES = [
  { code: 'en', label: 'English' },
  { code: 'de', label: 'Deutsch', subroute: 'de' },
]

async function open(settings: object = {}) {
  const project = await service.newProject('Shop')
  await service.call('PUT', `/projects/${project}/settings`, { locales: LOCALES, ...settings })
  const path = `/dashboard/projects/${project}/languages`
  const stored = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data.by_locale
  return { project, path, stored }
}

test('each language has its fields, and an empty one says what it stands for', async () => {
  const { path } = await open({ footer_text: 'Since 1900', by_locale: { de: { site_name: 'Laden' } } })
  const { html } = await owner.get(`${path}?language=de`)
  expect(shownFields(html, path)).toMatchObject({ language: 'de', site_name: 'Laden', footer_text: '' })
  expect(html).toContain('Empty: Since 1900')
  expect(html).toContain('Empty: Shop')
  expect(html).toMatch(/lang="de" aria-current="page">Deutsch</)
  expect(shownFields((await owner.get(`${path}?language=en`)).html, path)).toMatchObject({ site_name: '' })
})

test('a changed field is stored for the language alone, and an emptied one is inherited again', async () => {
  const { path, stored } = await open({ by_locale: { en: { footer_text: 'Hello' } } })
  const german = `${path}?language=de`
  const { location } = await owner.submit(german, path, {
    footer_text: 'Seit 1900',
    nav_links: '[{ "label": "Brot", "href": "/de/brot" }]',
  })
  expect(location).toBe(`${german}&done=settingsSaved`)
  expect(await stored()).toEqual({
    en: { footer_text: 'Hello' },
    de: { footer_text: 'Seit 1900', nav_links: [{ label: 'Brot', href: '/de/brot' }] },
  })
  await owner.submit(german, path, { footer_text: '' })
  expect((await stored()).de).toEqual({ nav_links: [{ label: 'Brot', href: '/de/brot' }] })
  await owner.submit(german, path, { nav_links: '' })
  expect(await stored()).toEqual({ en: { footer_text: 'Hello' } })
})

test('a refused value is shown at its field with what was typed', async () => {
  const { path, stored } = await open()
  const { status, html } = await owner.submit(`${path}?language=de`, path, {
    nav_links: '[{ "label": "", "href": "/x" }]',
  })
  expect(status).toBe(422)
  expect(html).toMatch(/id="field-nav_links"[^>]*aria-invalid="true"/)
  expect(html).toContain('&quot;/x&quot;')
  expect(await stored()).toEqual({})
})

test('a site in one language leads to where languages are added', async () => {
  const project = await service.newProject('Shop')
  const { html } = await owner.get(`/dashboard/projects/${project}/languages`)
  expect(html).toContain('The site has one language.')
  expect(html).toContain(`href="/dashboard/projects/${project}/settings"`)
})
