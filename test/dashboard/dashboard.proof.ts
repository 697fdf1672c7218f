import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

describe('the dashboard', () => {
  test('leads who is not signed in to the sign-in page, and from there back', async () => {
    const { status, location } = await visitor(service).get('/dashboard/keys?page=2')
    expect([status, location]).toEqual([303, '/dashboard/sign-in?next=%2Fdashboard%2Fkeys%3Fpage%3D2'])
  })

  test('takes a project from its name to a live page, with forms alone', async () => {
    expect((await owner.get('/dashboard/projects')).location).toBe('/dashboard/start')
    const created = await owner.post('/dashboard/start', { start: 'blank', name: 'Field notes' })
    expect(created.status).toBe(303)
    const [project = ''] = /^\/dashboard\/projects\/\w+/.exec(created.location ?? '') ?? []
    const written = await owner.submit(`${project}/pages/new`, `${project}/pages/new`, {
      title: 'How tides work',
      markdown_content: '# Tides\r\n\r\nTwice a day.',
      next: 'publish',
    })
    expect(written.html).not.toContain('role="alert"')
    expect(written.location).toMatch(/\/publish$/)
    const plan = await owner.get(written.location ?? '')
    expect(plan.html).toContain('The page goes live for the first time.')
    expect(plan.html).toContain('how-tides-work')
    const published = await owner.post(written.location ?? '')
    expect(published.location).toMatch(/done=pagePublished$/)
    const { html } = await owner.get(published.location ?? '')
    expect(html).toContain('The page is live.')
    const [, live = ''] = /href="(http[^"]*how-tides-work[^"]*)"/.exec(html) ?? []
    expect(await (await fetch(live)).text()).toContain('Twice a day.')
  })

  test('shows a refused form again with what was typed and what is wrong', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/pages/new`
    const { status, html } = await owner.submit(path, path, {
      title: 'Kept title',
      slug: '!!!',
      markdown_content: 'Kept text',
    })
    expect(status).toBe(422)
    expect(html).toContain('\nKept title</textarea>')
    expect(html).toContain('Kept text')
    expect(html).toMatch(/id="field-slug"[^>]*aria-invalid="true"/)
    expect(html).toContain('href="#field-slug"')
  })

  test('keeps both texts when two people edit one field, and merges edits of different fields', async () => {
    const project = await service.newProject()
    const id = (await service.call('POST', '/pages', pageBody(project, { markdown_content: 'First' }))).body
      .data.id
    const path = `/dashboard/projects/${project}/pages/${id}`
    const { shownFields } = await import('../support/dashboard.ts')
    const opened = shownFields((await owner.get(path)).html, path)

    await service.call('PUT', `/pages/${id}`, { title: 'Theirs' })
    expect((await owner.post(path, { ...opened, markdown_content: 'Mine' })).status).toBe(303)
    const merged = (await service.call('GET', `/pages/${id}`)).body.data
    expect([merged.page_name, merged.markdown_content]).toEqual(['Theirs', 'Mine'])

    const refused = await owner.post(path, { ...opened, markdown_content: 'Another of mine' })
    expect(refused.status).toBe(412)
    expect(refused.html).toContain('Another of mine')
    expect(refused.html).toContain('Mine</textarea>')
    expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toBe('Mine')

    const again = shownFields(refused.html, path)
    expect(again['title']).toBe('Theirs')
    expect((await owner.post(path, again)).status).toBe(303)
    expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toBe('Another of mine')
  })

  test('gives the first account an address of its own, once, with the password', async () => {
    const other = await startService()
    try {
      const client = await signedIn(other)
      const refused = await client.post('/dashboard/account/email', {
        email: 'ada@example.com',
        current_password: 'wrong words',
      })
      expect([refused.status, refused.html.includes('value="ada@example.com"')]).toEqual([422, true])
      const set = { email: 'Ada@Example.com', current_password: PASSWORD }
      expect((await client.post('/dashboard/account/email', set)).location).toMatch(/done=emailSet/)
      expect((await client.get('/dashboard/account')).html).not.toContain('account/email')
      expect((await client.post('/dashboard/account/email', set)).status).toBe(403)
      const signIn = await visitor(other).post('/dashboard/sign-in', {
        email: 'ada@example.com',
        password: PASSWORD,
      })
      expect(signIn.status).toBe(303)
    } finally {
      await other.close()
    }
  })

  test('leads from an earlier address of a page to it', async () => {
    const project = await service.newProject()
    const id = (await service.call('POST', '/pages', pageBody(project, { config: { own: 1 } }))).body.data.id
    const path = `/dashboard/projects/${project}/pages/${id}`
    await owner.submit(path, path, { redirect_from: '/old/page\n/older' })
    const { config } = (await service.call('GET', `/pages/${id}`)).body.data
    expect(config).toEqual({ own: 1, redirect_from: ['/old/page', '/older'] })
    await owner.submit(path, path, { redirect_from: '' })
    expect((await service.call('GET', `/pages/${id}`)).body.data.config).toEqual({
      own: 1,
      redirect_from: [],
    })
  })

  test('signs a person in whose address is typed in other capitals', async () => {
    await signedIn(service, (await service.server.service.accounts.createUser('Kim@Example.com', false)).id)
    for (const email of ['kim@example.com', ' KIM@EXAMPLE.COM '])
      expect(await visitor(service).post('/dashboard/sign-in', { email, password: PASSWORD })).toMatchObject({
        status: 303,
      })
  })

  test('lists sessions, and ends those of other browsers', async () => {
    await service.server.service.setUpLinks.issue(service.userId)
    const { html } = await owner.get('/dashboard/account')
    expect(html).toContain('This browser')
    expect((await owner.post('/dashboard/account/sessions/end-others')).location).toMatch(
      /done=sessionsEnded/,
    )
    expect((await owner.get('/dashboard/account')).status).toBe(200)
  })

  test('shows the secret of a new key once', async () => {
    const { html } = await owner.post('/dashboard/keys', [
      ['name', 'CI'],
      ['project_scope', ''],
      ['permissions', 'read'],
      ['permissions', 'write'],
      ['expires_at', ''],
    ])
    const [, key = ''] = /(qn_live_\w+)/.exec(html) ?? []
    expect((await service.call('GET', '/projects', undefined, { key })).status).toBe(200)
    expect((await owner.get('/dashboard/keys')).html).not.toContain(key)
  })
})
