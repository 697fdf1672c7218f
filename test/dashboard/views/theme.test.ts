import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS_FIELDS } from '../../../src/fields/settings-fields.ts'
import { settingsThatHold } from '../../../src/fields/settings-record.ts'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { flatPng } from '../../support/pictures.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

async function open(settings: object = {}) {
  const project = await service.newProject('Shop')
  if (Object.keys(settings).length > 0) await service.call('PUT', `/projects/${project}/settings`, settings)
  const path = `/dashboard/projects/${project}/theme`
  const stored = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data
  const fields = async () => shownFields((await owner.get(path)).html, path)
  return { project, path, stored, fields }
}

describe('the theme', () => {
  test('has the brand, the announcement and the footer as fields, and stores what was changed alone', async () => {
    const { path, stored } = await open({
      branding: { lang: 'fr', radius: '2px' },
      footer_text: 'Since 1900',
    })
    const { location } = await owner.submit(path, path, {
      theme: 'minimal',
      'branding.primary_color': 'teal',
      'branding.font': 'Inter, sans-serif',
      'announcement.text': 'We moved',
      'announcement.href': '/news',
      'announcement.until': '2099-12-24T18:00',
    })
    expect(location).toBe(`${path}?done=settingsSaved`)
    const { theme, branding, announcement, footer_text } = await stored()
    expect({ theme, branding, announcement, footer_text }).toEqual({
      theme: 'minimal',
      branding: { lang: 'fr', radius: '2px', primary_color: 'teal', font: 'Inter, sans-serif' },
      announcement: { text: 'We moved', href: '/news', until: '2099-12-24T18:00:00.000Z' },
      footer_text: 'Since 1900',
    })
    expect((await owner.get(path)).html).toMatch(
      /name="announcement.until" type="datetime-local" value="2099-12-24T18:00"/,
    )
    const none = { 'branding.lang': '', 'announcement.href': '', 'announcement.until': '', footer_text: '' }
    await owner.submit(path, path, none)
    const emptied = await stored()
    expect([emptied.branding.lang, emptied.announcement, emptied.footer_text]).toEqual([
      undefined,
      { text: 'We moved' },
      null,
    ])
  })

  test('has a field for every picture of the site', async () => {
    const { fields } = await open()
    const names = settingsThatHold('file').map((key) => SETTINGS_FIELDS[key].name)
    expect(Object.keys(await fields())).toEqual(expect.arrayContaining(names))
  })

  test('names each wrong field and keeps its text', async () => {
    const { path } = await open()
    const wrong = { 'branding.primary_color': 'url(x)', 'announcement.href': 'javascript:alert(1)' }
    const { status, html } = await owner.submit(path, path, wrong)
    expect(status).toBe(422)
    for (const [name, value] of Object.entries(wrong))
      expect(html).toMatch(
        new RegExp(`name="${name}"[^>]*value="${value.replaceAll(/[()]/g, '\\$&')}"[^>]*aria-invalid`),
      )
  })

  test('is not written over another person’s change of the same field, and is over one of another field', async () => {
    const { project, path, fields, stored } = await open()
    const before = await fields()
    await service.call('PUT', `/projects/${project}/settings`, {
      branding: { primary_color: 'red', font: 'Arial' },
    })
    const other = await owner.post(path, { ...before, 'announcement.text': 'Mine' })
    expect(other.status).toBe(303)
    const same = await owner.post(path, { ...before, 'branding.primary_color': 'blue' })
    expect([same.status, same.html.includes('as it is stored now')]).toEqual([412, true])
    const { branding, announcement } = await stored()
    expect([branding, announcement]).toEqual([{ primary_color: 'red', font: 'Arial' }, { text: 'Mine' }])
  })

  test('is drawn as it is typed, in a frame with an origin of its own, and stores nothing', async () => {
    const { project, path, fields, stored } = await open()
    expect((await owner.get(path)).html).toContain('Write a page first')
    const page = (await service.call('POST', '/pages', pageBody(project, { title: 'Bread' }))).body.data.id
    const typed = {
      ...(await fields()),
      'branding.primary_color': '#123456',
      'announcement.text': 'We <b>moved',
    }
    expect(typed).toMatchObject({ page })
    const { status, html, headers } = await owner.post(`${path}/document`, typed)
    expect(status).toBe(200)
    expect(html).toContain('--brand:#123456')
    expect(html).toMatch(/We &lt;b(>|&gt;)moved/)
    expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/)
    expect(await stored()).toMatchObject({ branding: {}, announcement: { text: '' } })

    const elsewhere = await open()
    expect((await owner.post(`${elsewhere.path}/document`, typed)).status).toBe(404)
    const wrong = await owner.post(`${path}/document`, { ...typed, 'branding.font': ';}' })
    expect(wrong.status).toBe(422)
  })

  test('offers the pictures of the library as logo and icon', async () => {
    const { project, path } = await open()
    await owner.upload(`/dashboard/projects/${project}/media`, 'mark.png', flatPng(8, 8))
    const { html } = await owner.get(path)
    expect(html).toContain('list="field-logo_url-list"')
    expect(html).toContain('<option value="/media/mark.png">')
  })
})
