import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

const DOMAIN = 'visited.example'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const DAY = '2026-11-28'

let service: TestService
let time = `${DAY}T10:00:00.000Z`
let projects = 0
beforeAll(async () => {
  service = await startService({ now: () => time })
})
afterAll(() => service.close())

/** A project with a live page at `/docs/install`. */
async function newSite(settings: object = { visits: 'count' }): Promise<string> {
  time = `${DAY}T10:00:00.000Z`
  projects += 1
  const project = await service.newProject(`Site ${projects}`)
  await service.call('PUT', `/projects/${project}/settings`, settings)
  const page = pageBody(project, {
    type: 'docs',
    slug: 'install',
    subroute: 'docs',
    markdown_content: 'How.',
  })
  const { id } = (await service.call('POST', '/pages', page)).body.data
  expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  return project
}

/** What the script of a page sends. */
function report(project: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${service.url}/public/${project}/_visits`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER, 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function get(project: string, path: string, headers: Record<string, string>, method = 'GET') {
  const answer = await fetch(`${service.url}/public/${project}${path}`, { method, headers })
  await answer.text()
  return answer.status
}

async function visits(project: string, query = '') {
  await service.server.service.storeVisits()
  return (await service.call('GET', `/projects/${project}/visits${query}`)).body.data
}

test('pages that browsers report are counted by day and path, next to the agents that read them', async () => {
  const project = await newSite()
  expect((await report(project, { path: '/docs/install/' })).status).toBe(204)
  await report(project, { path: '/docs/install/' })
  for (const path of ['/docs/install/', '/docs/install/index.md', '/llms.txt'])
    expect(await get(project, path, { 'User-Agent': AGENT })).toBe(200)
  expect(await get(project, '/docs/install/', { 'User-Agent': BROWSER })).toBe(200)
  time = '2026-11-30T00:00:00.000Z'
  await report(project, { path: '/docs/install/' })
  const found = await visits(project, '?from=2026-11-27')
  expect(found).toMatchObject({
    counting: true,
    from: '2026-11-27',
    to: '2026-11-30',
    totals: { pages: { people: 3, agents: 3 }, not_found: { people: 0, agents: 0 }, searches: 0 },
    pages: [
      { path: '/docs/install', people: 3, agents: 2 },
      { path: '/llms.txt', people: 0, agents: 1 },
    ],
  })
  expect(found.days).toEqual([
    { day: '2026-11-27', people: 0, agents: 0 },
    { day: DAY, people: 2, agents: 3 },
    { day: '2026-11-29', people: 0, agents: 0 },
    { day: '2026-11-30', people: 1, agents: 0 },
  ])
})

test('addresses without a page are counted as not found, whatever the script of a page says', async () => {
  const project = await newSite()
  await report(project, { path: '/docs/gone/' })
  await report(project, { path: '/_assets/site.js' })
  expect(await get(project, '/docs/gone', { 'User-Agent': AGENT })).toBe(404)
  expect(await get(project, '/docs/gone', { 'User-Agent': BROWSER })).toBe(404)
  expect(await visits(project)).toMatchObject({
    totals: { pages: { people: 0, agents: 0 }, not_found: { people: 1, agents: 1 } },
    pages: [],
    not_found: [{ path: '/docs/gone', people: 1, agents: 1 }],
  })
})

test('an agent that asks for Markdown is counted once, at the file that it is led to', async () => {
  const project = await newSite()
  await get(project, '/docs/install/', { Accept: 'text/markdown, text/html;q=0.5', 'User-Agent': 'code/1.0' })
  expect(await visits(project)).toMatchObject({ pages: [{ path: '/docs/install', people: 0, agents: 1 }] })
})

test('a request with HEAD, a redirect, a file, a preview and a report by an agent are no visits', async () => {
  const project = await newSite()
  const agent = { 'User-Agent': AGENT }
  await get(project, '/docs/install/', agent, 'HEAD')
  await get(project, '/sitemap.xml', agent)
  await report(project, { path: '/docs/install/' }, agent)
  const { id } = (await service.call('GET', `/pages?project_id=${project}`)).body.data[0]
  const preview = await service.call('GET', `/render/${id}`)
  expect(preview.body).toContain('How.')
  expect(preview.body).not.toContain('visits.')
  expect((await visits(project)).totals.pages).toEqual({ people: 0, agents: 0 })
})

test('searches without a result are shown once there are three, in lower case, and nothing about a person', async () => {
  const project = await newSite()
  for (const search of ['Single Sign-On', 'single  sign-on', 'single sign-on ', 'rare', 'ada@example.com'])
    expect((await report(project, { search })).status).toBe(204)
  const { searches, totals } = await visits(project)
  expect(searches).toEqual([{ term: 'single sign-on', count: 3 }])
  expect(totals.searches).toBe(4)
})

test('a site counts nothing, and its pages have no script for it, unless its setting says so', async () => {
  const project = await newSite({})
  const page = () => fetch(`${service.url}/public/${project}/docs/install/`).then((answer) => answer.text())
  expect(await page()).not.toContain('visits.')
  await report(project, { path: '/docs/install/' })
  await get(project, '/docs/install/', { 'User-Agent': AGENT })
  expect(await visits(project)).toMatchObject({ counting: false, pages: [] })

  await service.call('PUT', `/projects/${project}/settings`, { visits: 'count' })
  const [stale] = (await service.call('GET', `/pages?project_id=${project}`)).body.data
  expect(stale.stale).toContain('settings')
  await service.call('POST', `/pages/${stale.id}/publish`)
  expect(await page()).toMatch(/<script defer src="[^"]*_assets\/visits\.\w+\.js" data-root="\.\.\/\.\.\/">/)
})

test('a site on a host of its own, in a folder of it, is counted there', async () => {
  const project = await newSite()
  const hosting = { mode: 'rewrite', custom_domain: DOMAIN, base_path: '/help' }
  expect((await service.call('PUT', `/projects/${project}`, { hosting })).status).toBe(200)
  const body = JSON.stringify({ path: '/docs/install/' })
  const headers = { Host: DOMAIN, 'User-Agent': BROWSER, 'Content-Length': String(body.length) }
  const answer = await sendRaw(service.url, '/help/_visits', { method: 'POST', headers, body })
  expect(answer.status).toBe(204)
  await sendRaw(service.url, '/help/docs/install/', { headers: { Host: DOMAIN, 'User-Agent': AGENT } })
  expect(await visits(project)).toMatchObject({ pages: [{ path: '/docs/install', people: 1, agents: 1 }] })
})

test('no row holds anything about who visited', async () => {
  const project = await newSite()
  const headers = {
    'User-Agent': `${BROWSER} secret-name`,
    Referer: 'https://other.example/secret',
    Cookie: 'secret=1',
  }
  const answer = await report(project, { path: '/docs/install/' }, headers)
  expect(answer.headers.get('set-cookie')).toBeNull()
  await visits(project)
  const { writer, reader } = await openServiceDatabase(service.data)
  const rows = await reader('visits').where({ project_id: project.slice('proj_'.length) })
  await Promise.all([writer.destroy(), reader.destroy()])
  expect(rows).toEqual([
    {
      project_id: project.slice('proj_'.length),
      day: DAY,
      kind: 'page',
      name: '/docs/install',
      people: 1,
      agents: 0,
    },
  ])
})

describe('a report that no page sends', () => {
  test.each([
    ['not JSON', 422, 'invalid_request', 'not valid JSON'],
    ['[]', 422, 'invalid_request', 'must be a JSON object'],
    [{}, 422, 'validation_error', 'path'],
    [{ path: '/', search: 'a' }, 422, 'validation_error', 'path'],
    [{ path: 7 }, 422, 'validation_error', 'path'],
    [{ path: '/', user: 'ada' }, 422, 'validation_error', 'user'],
    [{ search: 'a'.repeat(201) }, 422, 'validation_error', 'search'],
    [{ path: `/${'a'.repeat(5_000)}` }, 413, 'payload_too_large', '4 KiB'],
  ])('such as %j is refused', async (body, status, name, message) => {
    const answer = await report(await newSite(), body)
    expect(answer.status).toBe(status)
    const fault = (await answer.json()) as { name: string; message: string }
    expect(fault.name).toBe(name)
    expect(fault.message).toContain(message)
  })

  test('is refused elsewhere, and for projects that do not exist', async () => {
    const project = await newSite()
    const elsewhere = await fetch(`${service.url}/public/${project}/docs/`, { method: 'POST', body: '{}' })
    expect(elsewhere.status).toBe(405)
    const missing = await report(`proj_${'a'.repeat(16)}`, { path: '/' })
    expect([404, 405]).toContain(missing.status)
  })
})

describe('the range of a report', () => {
  test('is the last 30 days by default, today among them', async () => {
    const project = await newSite()
    const { from, to, days } = await visits(project)
    expect([from, to, days.length]).toEqual(['2026-10-30', DAY, 30])
  })

  test.each([
    ['from=yesterday', 422, 'from'],
    ['to=2026-02-30', 422, 'to'],
    ['from=2026-11-02&to=2026-11-01', 422, 'from'],
    ['from=2020-01-01', 422, 'from'],
  ])('%s is refused with the name of its field', async (query, status, field) => {
    const project = await newSite()
    const answer = await service.call('GET', `/projects/${project}/visits?${query}`)
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(field)])
  })
})

test('a setting other than none and count is refused by name', async () => {
  const project = await newSite()
  const answer = await service.call('PUT', `/projects/${project}/settings`, { visits: true })
  expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('visits')])
})

test('the counts of a project end with it', async () => {
  const project = await newSite()
  await report(project, { path: '/docs/install/' })
  await visits(project)
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  const { writer, reader } = await openServiceDatabase(service.data)
  const rows = await reader('visits').where({ project_id: project.slice('proj_'.length) })
  await Promise.all([writer.destroy(), reader.destroy()])
  expect(rows).toEqual([])
})
