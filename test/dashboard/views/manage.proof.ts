import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { flatPng } from '../../support/pictures.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService({ env: { QUOIN_DOMAIN_PROOF: 'on' } })
  owner = await signedIn(service)
})
afterAll(() => service?.close())

const doneOf = ({ location }: { readonly location: string | null }) => location?.split('done=')[1]

describe('members', () => {
  test('are invited, get another role and are removed by forms', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/members`
    const invited = await owner.post(path, { email: ' Ada@Example.com ', role: 'editor' })
    expect(invited.html).toMatch(/\/dashboard\/invitation\?token=[\w-]{43}</)
    const again = await owner.post(path, { email: 'owner@localhost', role: 'viewer' })
    expect([again.status, again.html.includes('is a member already')]).toEqual([400, true])
    expect(again.html).toContain('value="owner@localhost"')
    expect((await owner.get(path)).html).toContain('No mail was sent')
    const listed = async () =>
      (
        (await service.call('GET', `/projects/${project}/members`)).body.data as {
          id: string
          role: string
        }[]
      )
        .slice(1)
        .map(({ id, role }) => ({ id, role }))
    const [{ id } = { id: '' }] = await listed()
    expect(doneOf(await owner.post(`${path}/${id}/role`, { role: 'author' }))).toBe('memberChanged')
    expect(await listed()).toEqual([{ id, role: 'author' }])
    expect(doneOf(await owner.post(`${path}/${id}/remove`))).toBe('memberRemoved')
    expect(await listed()).toEqual([])
  })
})

describe('webhooks', () => {
  test('show their secret once, are changed, tested, switched off and deleted by forms', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/webhooks`
    const refused = await owner.post(path, { url: 'ftp://example.com', description: 'Mirror' })
    expect([refused.status, refused.html.includes('must name at least one event')]).toEqual([422, true])
    const created = await owner.post(path, [
      ['url', 'https://hooks.invalid/a'],
      ['description', 'Mirror'],
      ['events', 'page.published'],
      ['coalesce_seconds', '0'],
    ])
    expect(created.html).toMatch(/whsec_[\w+/=]{20,}/)
    const [, href = ''] = /href="([^"]+\/webhooks\/whk_\w+)"/.exec(created.html) ?? []
    expect((await owner.get(href)).html).not.toContain('whsec_')
    const changed = await owner.post(href, [
      ['url', 'https://hooks.invalid/b'],
      ['events', 'page.deleted'],
      ['coalesce_seconds', '60'],
    ])
    expect(doneOf(changed)).toBe('webhookSaved')
    expect(doneOf(await owner.post(`${href}/test`))).toBe('webhookTested')
    await expect.poll(async () => (await owner.get(href)).html).toMatch(/1 attempt/)
    expect((await owner.get(href)).html).toContain('webhook.test')
    expect((await owner.post(`${href}/rotate`)).html).toMatch(/whsec_/)
    expect(doneOf(await owner.post(`${href}/off`))).toBe('webhookOff')
    expect((await owner.post(`${href}/test`)).status).toBe(400)
    await expect.poll(async () => (await owner.get(href)).html).toContain('Failed')
    expect(doneOf(await owner.post(`${href}/on`))).toBe('webhookOn')
    const [, again = ''] = /action="([^"]+\/redeliver)"/.exec((await owner.get(href)).html) ?? []
    expect(doneOf(await owner.post(again))).toBe('webhookRedelivered')
    expect(doneOf(await owner.post(`${href}/delete`))).toBe('webhookDeleted')
  })
})

describe('Data Mode', () => {
  test('says what it will do, needs a tick, shows each key once, and converts live pages', async () => {
    const project = await service.newProject()
    const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
    await service.call('POST', `/pages/${page}/publish`)
    const path = `/dashboard/projects/${project}/data-mode`
    expect((await owner.get(path)).html).toContain('Pages that you publish from then on are encrypted')
    const refused = await owner.post(`${path}/enable`)
    expect([refused.status, refused.html.includes('Tick that you understand')]).toEqual([422, true])
    const keyIn = (html: string) => /class="secret">([\w+/]{43}=)</.exec(html)?.[1]
    const first = keyIn((await owner.post(`${path}/enable`, { understood: 'yes' })).html)
    expect(first).toBeDefined()
    expect((await owner.get(path)).html).toContain('1 live page is not encrypted yet')
    const { location } = await owner.post(`${path}/convert`)
    expect(location).toContain('/jobs/job_')
    await expect.poll(async () => (await owner.get(path)).html).toContain('Every live page is encrypted')
    const second = keyIn((await owner.post(`${path}/regenerate`, { understood: 'yes' })).html)
    expect(second).toBeDefined()
    expect(second).not.toBe(first)
    expect(doneOf(await owner.post(`${path}/disable`, { understood: 'yes' }))).toBe('dataModeOff')
  })
})

describe('the address', () => {
  test('says exactly what to enter for a domain, and is checked again on request', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/address`
    const saved = await owner.submit(path, path, {
      'hosting.custom_domain': 'WWW.Example.org',
      'hosting.subdomain': 'harbour',
    })
    expect(doneOf(saved)).toBe('addressSaved')
    const { html } = await owner.get(path)
    expect(html).toContain('<code class="copy">_quoin-challenge.www.example.org</code>')
    expect(html).toContain(`<code class="copy">${project}</code>`)
    expect(doneOf(await owner.post(`${path}/check`))).toBe('domainChecked')
    const refused = await owner.submit(path, path, { 'hosting.subdomain': 'No spaces' })
    expect([refused.status, refused.html.includes('3 to 50 lower-case letters')]).toEqual([422, true])
  })
})

describe('the navigation', () => {
  test('is rows that buttons add, move and remove, and is stored by Save alone', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/navigation`
    const fieldsOf = (html: string) =>
      shownFields(html.slice(html.indexOf('name="table" value="header"') - 300), path)
    const stored = async () =>
      (await service.call('GET', `/projects/${project}/settings`)).body.data.nav_links
    const first = fieldsOf((await owner.get(path)).html)
    const one = fieldsOf((await owner.post(path, { ...first, act: 'add.header' })).html)
    const typed = { ...one, 'header.0.label': 'Home', 'header.0.href': '/' }
    const two = fieldsOf((await owner.post(path, { ...typed, act: 'add.header' })).html)
    const both = { ...two, 'header.1.label': 'About', 'header.1.href': '/about' }
    const moved = fieldsOf((await owner.post(path, { ...both, act: 'up.header.1' })).html)
    expect([moved['header.0.label'], moved['header.1.label']]).toEqual(['About', 'Home'])
    expect(await stored()).toEqual([])
    expect(doneOf(await owner.post(path, { ...moved, act: 'save' }))).toBe('settingsSaved')
    expect(await stored()).toEqual([
      { label: 'About', href: '/about' },
      { label: 'Home', href: '/' },
    ])
    const late = await owner.post(path, { ...moved, 'header.0.label': 'Us', act: 'save' })
    expect([late.status, late.html.includes('Another person has changed this list')]).toEqual([412, true])
    expect(late.html).toContain('value="Us"')
    const agreed = fieldsOf(late.html)
    expect(doneOf(await owner.post(path, { ...agreed, act: 'save' }))).toBe('settingsSaved')
  })

  test('has groups in the footer and the docs, by rows that are indented', async () => {
    const project = await service.newProject()
    const path = `/dashboard/projects/${project}/navigation`
    const settings = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data
    const baseOf = async (table: string) =>
      new RegExp(`value="${table}"><input type="hidden" name="base" value="([^"]+)"`).exec(
        (await owner.get(path)).html,
      )?.[1] ?? ''
    const rows = (table: string, names: readonly string[], values: readonly (readonly string[])[]) =>
      values.flatMap(([depth = '0', ...cells], index) => [
        [`${table}.${index}.depth`, depth] as const,
        ...cells.map((cell, at) => [`${table}.${index}.${names[at]}`, cell] as const),
      ])
    const save = async (table: string, count: number, fields: readonly (readonly [string, string])[]) =>
      owner.post(path, [
        ['table', table],
        ['base', await baseOf(table)],
        [`${table}.rows`, String(count)],
        ['act', 'save'],
        ...fields,
      ])
    const footer = rows(
      'footer',
      ['label', 'href'],
      [
        ['0', 'Legal'],
        ['1', 'Terms', '/terms'],
        ['0', 'Home', '/'],
      ],
    )
    await service.call('POST', '/pages', pageBody(project, { title: 'Terms', slug: 'terms' }))
    expect((await owner.get(path)).html).toContain('<option value="/terms">Terms</option>')
    expect(doneOf(await save('footer', 3, [...footer, ['copyright', '© Us']]))).toBe('settingsSaved')
    expect((await settings()).shared_footer).toEqual({
      copyright: '© Us',
      links: [
        { title: 'Legal', links: [{ label: 'Terms', href: '/terms' }] },
        { label: 'Home', href: '/' },
      ],
    })
    const docs = rows(
      'docs',
      ['title', 'slug'],
      [
        ['0', 'Start', 'start'],
        ['1', 'Install', 'install'],
      ],
    )
    expect(doneOf(await save('docs', 2, docs))).toBe('settingsSaved')
    expect((await settings()).docs_nav).toEqual([
      { title: 'Start', slug: 'start', children: [{ title: 'Install', slug: 'install' }] },
    ])
    const routes = rows('routes', ['folder', 'path'], [['0', 'docs', '/help']])
    expect(doneOf(await save('routes', 1, routes))).toBe('settingsSaved')
    const wrong = rows('header', ['label', 'href'], [['0', '', '/about']])
    const refused = await save('header', 1, wrong)
    expect([refused.status, refused.html.includes('nav_links[0].label')]).toEqual([422, true])
  })
})

describe('the history', () => {
  test('says for a project and the account who did what', async () => {
    const project = await service.newProject()
    await owner.post(`/dashboard/projects/${project}/members`, { email: 'b@example.com', role: 'viewer' })
    const { html } = await owner.get(`/dashboard/projects/${project}/audit`)
    expect(html).toContain('A person was invited to a project.')
    expect(html).toContain('owner@localhost')
    expect(html).toContain('>b@example.com<')
    const page = await service.call('POST', '/pages', pageBody(project, { title: 'Bread' }))
    expect((await owner.get(`/dashboard/projects/${project}/audit`)).html).toContain(
      `<a href="/dashboard/projects/${project}/pages/${page.body.data.id}">Bread</a>`,
    )
    const uploaded = await owner.upload(`/dashboard/projects/${project}/media`, 'sea.png', flatPng(4, 4))
    const [asset = ''] = (uploaded.location ?? '').split('?')
    expect((await owner.get(`/dashboard/projects/${project}/audit`)).html).toContain(
      `<a href="${asset}">sea.png</a>`,
    )
    const filtered = await owner.get(`/dashboard/projects/${project}/audit?act=member.remove`)
    expect(filtered.html).not.toContain('<p class="name">A person was invited')
    expect((await owner.get('/dashboard/account/audit')).html).toContain('A project was created.')
  })
})
