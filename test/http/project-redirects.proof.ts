import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let guide: string
beforeAll(async () => {
  service = await startService()
  project = await service.newProject('Moves')
  guide = await livePage({ slug: 'guide' })
  await livePage({ slug: 'first', subroute: 'blog', type: 'article', tags: ['News'] })
})
afterAll(() => service.close())

async function newPage(page: object): Promise<string> {
  const filled = { title: 'A page', type: 'docs', subroute: 'docs', markdown_content: '## Install\n\nText.' }
  const answer = await service.call('POST', '/pages', { project_id: project, ...filled, ...page })
  return answer.body.data.id
}
async function livePage(page: object): Promise<string> {
  const id = await newPage(page)
  await publish(id)
  return id
}
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const url = (more = '') => `/projects/${project}/redirects${more}`
const create = (from: string, to: string) => service.call('POST', url(), { from, to })
const find = async (from: string) =>
  (await service.call('GET', `${url()}?kind=project&q=${encodeURIComponent(from)}`)).body.data[0]
async function visit(path: string) {
  const address = new URL(`/public/${project}${path}`, service.url)
  const answer = await fetch(address, { redirect: 'manual' })
  const location = answer.headers.get('location')
  const end = location === null ? null : new URL(location, address)
  const site = `${service.url}/public/${project}`
  return { status: answer.status, to: end?.href.replace(site, '') ?? null, text: await answer.text() }
}
/** What the store has at a key. */
function stored(key: string, of = project): string | null {
  const file = join(service.data, 'cdn', of, key)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

describe('a redirect of a project', () => {
  test('is live at once, keeps the query, and has a document in the store', async () => {
    const { status, body } = await create('/old/guide', '/docs/guide#install')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^rdr_/),
      from: '/old/guide',
      to: '/docs/guide#install',
      kind: 'project',
      target: 'page',
      page_id: guide,
      fragment: 'install',
      live: true,
      dead: false,
    })
    expect(await visit('/old/guide/?a=b')).toMatchObject({ status: 308, to: '/docs/guide/?a=b#install' })
    expect(stored('old/guide/index.html')).toContain('url=../../docs/guide/#install')
    expect((await create('/old/guide', '/docs/guide#install')).status).toBe(200)
    expect((await create('/old/guide/', guide)).body.name).toBe('conflict')
  })

  test('leads to lists, files, feeds and other sites, with 301 where programs read it', async () => {
    await create('/news', '/blog')
    expect(await visit('/news/')).toMatchObject({ status: 308, to: '/blog/' })
    await create('/tag', '/blog/tags/news')
    expect(await visit('/tag/')).toMatchObject({ status: 308, to: '/blog/tags/news/' })
    await create('/github', 'https://example.org/quoin?tab=code')
    expect(await visit('/github/?x=1')).toMatchObject({
      status: 308,
      to: 'https://example.org/quoin?tab=code&x=1',
    })
    await create('/llms', '/llms.txt')
    expect(await visit('/llms/')).toMatchObject({ status: 301, to: '/llms.txt' })
    expect((await find('/tag')).target).toBe('list')
    expect((await find('/github')).target).toBe('url')
  })

  test('to a feed is a copy in the store, which each publish renews', async () => {
    const { body } = await create('/index.xml', '/feed.xml')
    expect(body.data).toMatchObject({ target: 'feed', live: true })
    expect(await visit('/index.xml')).toMatchObject({ status: 301, to: '/feed.xml' })
    expect(stored('index.xml')).toBe(stored('feed.xml'))
    await livePage({ slug: 'second', subroute: 'blog', type: 'article', title: 'Second post' })
    expect(stored('index.xml')).toContain('Second post')
    expect(stored('index.xml')).toBe(stored('feed.xml'))
  })

  test('follows its page to another path, and is dead while the page is not live', async () => {
    const page = await livePage({ slug: 'moving' })
    await create('/to-moving', '/docs/moving')
    await service.call('PUT', `/pages/${page}`, { slug: 'moved' })
    await publish(page)
    expect(await visit('/to-moving/')).toMatchObject({ status: 308, to: '/docs/moved/' })
    await service.call('POST', `/pages/${page}/unpublish`)
    expect(await visit('/to-moving/')).toMatchObject({ status: 404 })
    expect(await find('/to-moving')).toMatchObject({ live: false, dead: true, to: '/docs/moved' })
    const dead = (await service.call('GET', `${url()}?dead=true`)).body.data
    expect(dead.map(({ from }: { from: string }) => from)).toEqual(['/to-moving'])
    await publish(page)
    expect(await find('/to-moving')).toMatchObject({ live: true, dead: false })
  })

  test('is a warning of the publish that takes its target away', async () => {
    const page = await livePage({ slug: 'leaving' })
    await create('/by-path', '/docs/leaving/index.md')
    await create('/by-page', '/docs/leaving')
    await service.call('PUT', `/pages/${page}`, { slug: 'left' })
    const plan = await service.call('POST', `/pages/${page}/publish?dry_run=true`)
    const codes = (answer: typeof plan) =>
      answer.body.data.warnings.map(({ code, message }: Record<string, string>) => `${code} ${message}`)
    const warning = expect.stringContaining('QN-DEAD-REDIRECT The redirect from /by-path leads nowhere')
    expect(codes(plan)).toEqual([warning])
    expect(await find('/by-path')).toMatchObject({ dead: false })
    expect(codes(await publish(page))).toEqual([warning])
    expect(await find('/by-path')).toMatchObject({ dead: true })
  })

  test('gives way to a page that is published at its path, and is back when the path is free', async () => {
    await create('/docs/taken', '/docs/guide')
    const page = await livePage({ slug: 'taken' })
    expect((await visit('/docs/taken/')).text).toContain('Text.')
    expect(await find('/docs/taken')).toMatchObject({ live: false, dead: false })
    await service.call('POST', `/pages/${page}/unpublish`)
    expect(await visit('/docs/taken/')).toMatchObject({ status: 308, to: '/docs/guide/' })
  })

  test('is refused at the path of a page, of a list, of a file or of another redirect, and for a loop', async () => {
    const message = async (from: string, to: string) => (await create(from, to)).body.message
    expect(await message('/docs/guide', '/')).toBe('/docs/guide is the path of a page.')
    expect(await message('/blog', '/docs/guide')).toBe('/blog is the path of a list or file.')
    const page = await newPage({ slug: 'named', config: { redirect_from: ['/of-page'] } })
    await publish(page)
    expect(await message('/of-page', '/docs/guide')).toContain('/of-page already leads to a page')
    await create('/loop/a', '/loop/b')
    expect(await message('/loop/b', '/loop/a')).toBe('/loop/b would lead back to itself.')
    expect(await message('/loop/c', '/loop/c')).toBe('/loop/c would lead back to itself.')
    expect((await create('old', '/docs/guide')).body.message).toContain('from: must be a path')
    expect((await create('/old/x', 'http://example.org/')).body.message).toContain('to: must be a path')
    expect((await create('/old/x', 'page_k3v9q2m7x4tz8wpa')).body.message).toContain('to: must be a page')
    const both = await service.call('POST', url(), { from: '/old/x', to: '/docs/guide', page_id: guide })
    expect(both.body.name).toBe('validation_error')
    expect((await service.call('POST', url(), { from: '/old/x' })).body.name).toBe('missing_required_field')
  })

  test('to a path that is redirected itself is stored with the end', async () => {
    await create('/end', 'https://example.org/end')
    const { body } = await create('/before-end', '/end')
    expect(body.data.to).toBe('https://example.org/end')
  })

  test('is changed and deleted, at once', async () => {
    const { id } = (await create('/change', '/docs/guide')).body.data
    const changed = await service.call('PUT', url(`/${id}`), { to: '/blog' })
    expect([changed.status, changed.body.data.to]).toEqual([200, '/blog'])
    expect(await visit('/change/')).toMatchObject({ to: '/blog/' })
    await service.call('PUT', url(`/${id}`), { from: '/changed.html' })
    expect(await visit('/change/')).toMatchObject({ status: 404 })
    expect(await visit('/changed.html')).toMatchObject({ status: 308, to: '/blog/' })
    const deleted = await service.call('DELETE', url(`/${id}`))
    expect(deleted.body.data).toEqual({ id, deleted: true })
    expect(await visit('/changed.html')).toMatchObject({ status: 404 })
    expect(stored('changed.html')).toBeNull()
    expect((await service.call('DELETE', url(`/${id}`))).status).toBe(404)
  })

  test('is one of many in a request, of which those that fail stop no others', async () => {
    await create('/many/a', '/docs/guide')
    const items = [
      { from: '/many/a', to: '/blog' },
      { from: '/many/b', to: '/docs/guide' },
      { from: '/docs/guide', to: '/blog' },
      { from: 'many', to: '/blog' },
      { from: '/index.xml', to: '/feed.xml' },
    ]
    const { body } = await service.call('POST', url('/bulk'), { items })
    expect(body.data).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 2 })
    expect(body.data.items.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([
      200, 201, 400, 422, 200,
    ])
    expect(await visit('/many/a/')).toMatchObject({ to: '/blog/' })
    expect(await visit('/many/b/')).toMatchObject({ to: '/docs/guide/' })
  })

  test('needs the permission to publish, and is in the audit log', async () => {
    const writer = await service.newKey({ permissions: ['read', 'write'] })
    const refused = await service.call('POST', url(), { from: '/audited', to: '/blog' }, { key: writer })
    expect(refused.status).toBe(403)
    const { id } = (await create('/audited', '/blog')).body.data
    await service.call('PUT', url(`/${id}`), { to: '/docs/guide' })
    await service.call('DELETE', url(`/${id}`))
    const manager = await service.newKey({ permissions: ['read', 'manage'] })
    const log = await service.call('GET', `/projects/${project}/audit?limit=3`, undefined, { key: manager })
    const audit = log.body.data
    expect(audit.map(({ act, target }: { act: string; target: object }) => [act, target])).toEqual([
      ['redirect.delete', { type: 'redirect', id }],
      ['redirect.update', { type: 'redirect', id }],
      ['redirect.create', { type: 'redirect', id }],
    ])
  })
})

test('a project that has not been published has its redirects from its first publish on', async () => {
  const fresh = await service.newProject('Fresh')
  const answer = await service.call('POST', `/projects/${fresh}/redirects`, {
    from: '/gh',
    to: 'https://example.org/',
  })
  expect(answer.body.data).toMatchObject({ live: false })
  const page = { project_id: fresh, title: 'Home', type: 'docs', subroute: '', slug: 'home' }
  await publish((await service.call('POST', '/pages', page)).body.data.id)
  const list = (await service.call('GET', `/projects/${fresh}/redirects`)).body
  expect(list.data).toMatchObject([{ from: '/gh', live: true, dead: false }])
  expect(list.meta).toEqual({ total: 1, limit: 25, offset: 0, has_more: false, next_cursor: null })
})

test('a project in Data Mode has none, and has them again afterwards', async () => {
  const sealed = await service.newProject('Sealed')
  const page = { project_id: sealed, title: 'Home', type: 'docs', subroute: '', slug: 'home' }
  const { id } = (await service.call('POST', '/pages', page)).body.data
  await publish(id)
  await service.call('POST', `/projects/${sealed}/redirects`, { from: '/gh', to: 'https://example.org/' })
  const list = async () => (await service.call('GET', `/projects/${sealed}/redirects`)).body.data[0].live
  expect(await list()).toBe(true)
  await service.call('POST', `/projects/${sealed}/data-mode/enable`)
  await publish(id)
  expect(await list()).toBe(false)
  expect(stored('gh/index.html', sealed)).toBeNull()
  await service.call('POST', `/projects/${sealed}/data-mode/disable`)
  await publish(id)
  expect(await list()).toBe(true)
})
