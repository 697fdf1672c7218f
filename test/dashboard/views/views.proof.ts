import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS_FIELDS } from '../../../src/fields/settings-fields.ts'
import { type DashboardClient, shownFields, signedIn, visitor } from '../../support/dashboard.ts'
import { flatPng } from '../../support/pictures.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

async function newPage(project: string, fields: object = {}): Promise<string> {
  return (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
}

describe('settings', () => {
  test('have a field for every setting of the API, and write only what was changed', async () => {
    const project = await service.newProject('Shop')
    const path = `/dashboard/projects/${project}/settings`
    const fields = shownFields((await owner.get(path)).html, path)
    const { html } = await owner.get(`/dashboard/projects/${project}/navigation`)
    const theme = `/dashboard/projects/${project}/theme`
    const looks = Object.keys(shownFields((await owner.get(theme)).html, theme)).map(
      (name) => name.split('.')[0],
    )
    expect((await owner.get(`/dashboard/projects/${project}/visits`)).html).toContain('name="visits"')
    expect((await owner.get(`/dashboard/projects/${project}/languages`)).status).toBe(200)
    const elsewhere = ['visits', 'by_locale']
    const inTables = ['nav_links', 'shared_footer', 'docs_nav', 'site_routes']
    for (const table of ['header', 'footer', 'docs', 'routes'])
      expect(html).toContain(`name="table" value="${table}"`)
    for (const { name } of Object.values(SETTINGS_FIELDS))
      if (![...inTables, ...elsewhere].includes(name))
        expect([...Object.keys(fields), ...looks]).toContain(name)
    const saved = await owner.post(path, {
      ...fields,
      name: 'Bakery',
      data: '{ "phone": "1234" }',
      meta_title: 'Bread and more',
    })
    expect(saved.location).toMatch(/done=settingsSaved$/)
    const settings = (await service.call('GET', `/projects/${project}/settings`)).body.data
    expect(settings).toMatchObject({
      theme: 'default',
      data: { phone: '1234' },
      meta_title: 'Bread and more',
    })
    expect((await service.call('GET', `/projects/${project}`)).body.data.name).toBe('Bakery')
  })

  test('name each wrong field and keep its text', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/settings`
    const { status, html } = await owner.submit(path, path, {
      data: '[{',
      custom_css: 'a {',
      meta_title: 'x'.repeat(61),
    })
    expect(status).toBe(422)
    expect(html).toContain('must be JSON')
    expect(html).toContain('[{</textarea>')
  })

  test('end a project that is archived and whose name was typed', async () => {
    const project = await service.newProject('Old site')
    const path = `/dashboard/projects/${project}/settings`
    expect((await owner.post(`${path}/delete`, { confirm: 'Old site' })).status).toBe(400)
    expect((await owner.post(`${path}/archive`)).location).toMatch(/done=projectArchived$/)
    const refused = await owner.post(`${path}/delete`, { confirm: 'Another' })
    expect([refused.status, refused.html.includes('is not the name of the project')]).toEqual([422, true])
    expect((await owner.post(`${path}/delete`, { confirm: 'Old site' })).location).toBe(
      '/dashboard/projects?done=projectDeleted',
    )
    expect((await service.call('GET', `/projects/${project}`)).status).toBe(404)
  })
})

describe('pages', () => {
  test('are found by a part of the title or the address, and by status and type', async () => {
    const project = await service.newProject()
    await newPage(project, { title: 'High tide', slug: 'one' })
    await newPage(project, { title: 'Birds', slug: 'tidal-birds', type: 'docs' })
    await newPage(project, { title: '100% knots_', slug: 'knots' })
    const titles = async (query: string) =>
      [
        ...(await owner.get(`/dashboard/projects/${project}/pages?${query}`)).html.matchAll(
          /class="name"><a[^>]*>([^<]*)/g,
        ),
      ].map(([, title]) => title)
    expect((await titles('q=TID')).sort()).toEqual(['Birds', 'High tide'])
    expect(await titles('q=TID&type=docs')).toEqual(['Birds'])
    expect(await titles('q=0%25+k')).toEqual(['100% knots_'])
    expect(await titles('q=_')).toEqual(['100% knots_'])
    expect(await titles('status=published')).toEqual([])
  })

  test('go live, are scheduled, taken off, archived, rolled back and deleted by forms', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'One' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    const done = async (rest: string, fields = {}) =>
      (await owner.post(path + rest, fields)).location?.split('done=')[1]
    const status = async () => (await service.call('GET', `/pages/${id}`)).body.data.status
    expect(await done('/schedule', { publish_at: '2030-01-01T10:00' })).toBe('pageScheduled')
    expect((await owner.get(path)).html).toContain('Goes live Jan 1, 2030, 10:00 AM UTC')
    expect(await done('/schedule', { publish_at: '' })).toBe('pageUnscheduled')
    expect(await done('/publish')).toBe('pagePublished')
    expect(await done('/publish')).toBe('pageUnchanged')
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Two' })
    await done('/publish')
    const [, release = ''] =
      /name="release" value="(\w+)"/.exec((await owner.get(`${path}/releases`)).html) ?? []
    expect(await done('/rollback', { release })).toBe('pageRolledBack')
    expect(await done('/unpublish')).toBe('pageUnpublished')
    const again = await owner.post(`${path}/unpublish`)
    expect([again.status, again.html.includes('The page is not live.')]).toEqual([409, true])
    expect(await done('/archive')).toBe('pageArchived')
    expect(await status()).toBe('archived')
    expect(await done('/restore')).toBe('pageRestored')
    expect(await done('/delete')).toBe('pageDeleted')
    expect((await owner.get(path)).status).toBe(404)
  })

  test('are published, when chosen, by a job whose progress is shown until it ends', async () => {
    const project = await service.newProject()
    const ids = [await newPage(project, { slug: 'one' }), await newPage(project, { slug: 'two' })]
    const list = `/dashboard/projects/${project}/pages`
    expect((await owner.post(`${list}/publish`)).html).toContain('No page is chosen')
    const { location } = await owner.post(
      `${list}/publish`,
      ids.map((id) => ['page', id] as const),
    )
    for (;;) {
      const { html } = await owner.get(location ?? '')
      const part = await owner.get(`${location}/progress`)
      expect(part.html).toMatch(/^<section[\s\S]* of 2 pages/)
      const isRunning = part.html.includes('data-running')
      if (html.includes('data-running'))
        expect(html).toMatch(/<noscript><meta http-equiv="refresh"[\s\S]*<script type="module"/)
      if (!isRunning) break
    }
    for (const id of ids)
      expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('published')
    const elsewhere = `/dashboard/projects/${await service.newProject()}/jobs/${location?.split('/').at(-1)}`
    for (const path of [elsewhere, `${elsewhere}/progress`]) expect((await owner.get(path)).status).toBe(404)
  })
})

describe('media', () => {
  test('are uploaded with a description, renamed to what names allow, described and deleted', async () => {
    const project = await service.newProject()
    const library = `/dashboard/projects/${project}/media`
    const { location } = await owner.upload(library, 'The sea (1).png', flatPng(9, 9), { alt: 'The sea' })
    const [asset = ''] = (location ?? '').split('?')
    expect((await owner.get(library)).html).toContain('The sea -1-.png')
    await owner.submit(asset, asset, { alt: 'The sea at noon' })
    expect((await service.call('GET', `/assets/${asset.split('/').at(-1)}`)).body.data.alt).toBe(
      'The sea at noon',
    )
    const refused = await owner.upload(library, 'empty.png', Buffer.alloc(0))
    expect([refused.status, refused.html.includes('is empty')]).toEqual([422, true])
    expect((await owner.post(`${asset}/delete`)).location).toBe(`${library}?done=fileDeleted`)
  })
})

describe('pages that were chosen', () => {
  test('are taken off, archived and deleted together, and each that is refused is named', async () => {
    const project = await service.newProject()
    const list = `/dashboard/projects/${project}/pages`
    const [live, draft] = [
      await newPage(project, { slug: 'live', title: 'Bread' }),
      await newPage(project, { slug: 'draft', title: 'Cake' }),
    ]
    await service.call('POST', `/pages/${live}/publish`)
    const chosen = [live, draft].map((id) => ['page', id] as const)
    const act = (name: string, more: readonly (readonly [string, string])[] = []) =>
      owner.post(`${list}/act`, [...chosen, ['act', name], ...more])
    expect((await owner.post(`${list}/act`, { act: 'archive' })).html).toContain('No page is chosen')
    const some = await act('unpublish')
    expect([some.status, some.html.includes('1 of 2 pages were changed')]).toEqual([409, true])
    expect(some.html).toMatch(/<li>Cake: /)
    const statuses = async () =>
      Promise.all(
        [live, draft].map(async (id) => (await service.call('GET', `/pages/${id}`)).body.data?.status),
      )
    expect(await statuses()).toEqual(['draft', 'draft'])
    expect((await act('archive')).location).toBe(`${list}?done=pagesChanged`)
    expect(await statuses()).toEqual(['archived', 'archived'])
    const unsure = await act('delete')
    expect([unsure.status, await statuses()]).toEqual([422, ['archived', 'archived']])
    const elsewhere = await newPage(await service.newProject(), { slug: 'other' })
    const foreign = await owner.post(`${list}/act`, { act: 'delete', confirm: 'yes', page: elsewhere })
    expect([foreign.status, (await service.call('GET', `/pages/${elsewhere}`)).status]).toEqual([404, 200])
    expect((await act('delete', [['confirm', 'yes']])).location).toBe(`${list}?done=pagesChanged`)
    expect(await statuses()).toEqual([undefined, undefined])
    expect((await act('hide')).status).toBeGreaterThanOrEqual(400)
  })
})

describe('a file of the library', () => {
  test('keeps a part when it is cropped, and gets other bytes under its name', async () => {
    const project = await service.newProject()
    const { location } = await owner.upload(`/dashboard/projects/${project}/media`, 'sea.png', flatPng(8, 6))
    const [path = ''] = (location ?? '').split('?')
    const stored = async () => (await service.call('GET', `/assets/${path.split('/').at(-1)}`)).body.data
    expect((await owner.submit(path, path, { focus: '0.5,0' })).location).toMatch(/done=fileSaved$/)
    expect((await stored()).focus).toEqual({ x: 0.5, y: 0 })
    await service.call('PUT', `/assets/${path.split('/').at(-1)}`, { focus: { x: 0.2, y: 0.7 } })
    expect((await owner.get(path)).html).toContain('<option value="0.2,0.7" selected>At 0.2,0.7</option>')
    expect((await owner.submit(path, path, { focus: '' })).location).toMatch(/done=fileSaved$/)
    expect((await stored()).focus).toBeNull()

    const wrong = await owner.submit(path, path, { focus: '7,x' })
    expect(wrong.status).toBe(422)
    const replaced = await owner.upload(`${path}/replace`, 'other.png', flatPng(20, 10))
    expect(replaced.location).toBe(`${path}?done=fileReplaced`)
    expect(await stored()).toMatchObject({ name: 'sea.png', width: 20, height: 10 })
    const none = await owner.post(`${path}/replace`, {})
    expect([none.status, none.html.includes('multipart/form-data')]).toEqual([422, true])
    const elsewhere = path.replace(/proj_\w+/, await service.newProject())
    expect((await owner.upload(`${elsewhere}/replace`, 'a.png', flatPng(4, 4))).status).toBe(404)
  })
})

describe('the frame', () => {
  test('answers under no other name of the service', async () => {
    const { request } = await import('node:http')
    const { port } = new URL(service.url)
    const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', path: '/dashboard/sign-in', headers: { Host: 'customer.example' } },
        (answer) => {
          let text = ''
          answer
            .on('data', (chunk) => (text += chunk))
            .on('end', () => resolve([answer.statusCode ?? 0, text]))
        },
      )
      sent.on('error', reject).end()
    })
    expect([status, body]).toEqual([404, `The dashboard is at ${service.url}/dashboard.\n`])
  })

  test('has one style sheet, which browsers keep for good and get compressed', async () => {
    const { html } = await visitor(service).get('/dashboard/sign-in')
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
    const { headers } = await visitor(service).get(style, { 'Accept-Encoding': 'gzip' })
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect((await visitor(service).get('/dashboard/_files/style.0000000000.css')).status).toBe(404)
  })

  test('refuses a body of another type, and one that is too large', async () => {
    const path = `/dashboard/projects/${await service.newProject()}/pages/new`
    const send = (type: string, body: string) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { Cookie: owner.cookie ?? '', 'Sec-Fetch-Site': 'same-origin', 'Content-Type': type },
        body,
      })
    expect((await send('application/json', '{"title":"A"}')).status).toBe(422)
    expect(
      (await send('application/x-www-form-urlencoded', `title=${'a'.repeat(6 * 1024 * 1024)}`)).status,
    ).toBe(413)
  })
})
