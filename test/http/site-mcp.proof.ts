import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let isAway = false
/** Runs ahead while the search index is waited for. */
let ahead = 0

beforeAll(async () => {
  const storage = createMemoryStorage({
    failOn: (operation) => (isAway && operation === 'open' ? new Error('The store is out of order.') : null),
  })
  service = await startService({ storage, now: () => new Date(Date.now() + ahead).toISOString() })
  project = await service.newProject('Acme Guide')
  await service.call('PUT', `/projects/${project}`, { hosting: { subdomain: 'acme' } })
  await service.call('PUT', `/projects/${project}/settings`, { mcp: 'read' })
  await publish({ slug: 'index', type: 'page', title: 'Start', markdown_content: 'Welcome.' })
  await publish({
    slug: 'install',
    subroute: 'docs',
    type: 'docs',
    title: 'Install',
    description: 'How to begin.',
    markdown_content:
      '---\nredirect_from: [/setup]\n---\nA lead.\n\n## Requirements\n\nYou need a turnbuckle and two wrenches.',
  })
  const hidden = { slug: 'hidden', type: 'page', title: 'Hidden', markdown_content: 'A xylograph.' }
  await publish({ ...hidden, meta: { robots: 'noindex' } })
  await service.call('POST', '/pages', pageBody(project, { slug: 'draft', title: 'Draft' }))
  const { call } = await connect()
  for (
    const end = Date.now() + 20_000;
    Date.now() < end;
    await new Promise((done) => setTimeout(done, 100))
  ) {
    ahead += 500
    if ((await call('search', { query: 'turnbuckle' })).text.includes('/docs/install/')) break
  }
})
afterAll(() => service.close())

async function publish(fields: object): Promise<string> {
  const created = await service.call('POST', '/pages', pageBody(project, fields))
  expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 })
  const { id } = created.body.data
  expect(await service.call('POST', `/pages/${id}/publish`)).toMatchObject({ status: 200 })
  return id
}

/** The official client, without a key. */
async function connect(id = project) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/public/${id}/mcp`, service.url)))
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    return { text: (content as { text: string }[])[0]?.text ?? '', isError: isError === true }
  }
  return { client, call }
}

/** Sends a message as it is, without a key. */
const post = (body: unknown, path = `/public/${project}/mcp`, headers: Record<string, string> = {}) =>
  fetch(new URL(path, service.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The body of an answer with an error of JSON-RPC. */
const bodyOf = async (answer: Response) =>
  (await answer.json()) as { readonly error: { readonly code: number; readonly message: string } }

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const SEARCH = { ...PING, method: 'tools/call', params: { name: 'search', arguments: { query: 'welcome' } } }

describe('an agent with the official client and no key', () => {
  test('learns what the site is and which tools read it', async () => {
    const { client } = await connect()
    expect(client.getServerVersion()).toMatchObject({ title: 'Acme Guide' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'read_page', 'list_pages'])
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    await client.close()
  })

  test('searches, with forms of words and slips, and reads the page that fits', async () => {
    const { client, call } = await connect()
    const found = await call('search', { query: 'wrench requirement' })
    expect(found.text).toContain('[Install](/docs/install/)')
    expect(found.text).toContain('[Requirements](/docs/install/#requirements)')
    expect((await call('search', { query: 'turnbukcle' })).text).toContain('searched for "turnbuckle"')
    expect((await call('search', { query: 'zeppelin' })).text).toBe('No page has "zeppelin".')

    const page = await call('read_page', { path: '/docs/install/' })
    expect(page.text).toContain('title: Install')
    expect(page.text).toContain('You need a turnbuckle')
    const origin = 'https://acme.sites.quoin.test'
    for (const path of [
      'docs/install',
      `${origin}/docs/install/`,
      '/docs/install/index.md',
      '/Docs/Install#a',
    ])
      expect((await call('read_page', { path })).text, path).toBe(page.text)
    expect((await call('read_page', { path: '/' })).text).toContain('Welcome.')
    expect((await call('read_page', { path: '/setup' })).text).toMatch(
      /^The page has moved to \/docs\/install\/\.\n\n[\s\S]*turnbuckle/,
    )
    await client.close()
  })

  test('lists the pages in reading order, all or those below a path, as llms.txt does', async () => {
    const { client, call } = await connect()
    const { text } = await call('list_pages')
    expect(text).toContain('- [Start](/)')
    expect(text).toContain('- [Install](/docs/install/): How to begin.')
    const below = (await call('list_pages', { under: '/docs/' })).text
    expect(below).toContain('(/docs/install/)')
    expect(below).not.toContain('Start')
    expect(below).not.toContain('## Pages')
    await client.close()
  })

  test('sees no drafts, finds no pages that ask search engines to skip them, and reads those by their address', async () => {
    const { client, call } = await connect()
    expect((await call('search', { query: 'xylograph' })).text).toContain('No page has')
    expect((await call('list_pages')).text).not.toContain('Draft')
    expect((await call('read_page', { path: '/hidden' })).text).toContain('xylograph')
    expect(await call('read_page', { path: '/draft' })).toMatchObject({ isError: true })
    const id = await publish({ slug: 'short', title: 'Short', markdown_content: 'Soon gone.' })
    expect((await call('read_page', { path: '/short' })).text).toContain('Soon gone.')
    await service.call('POST', `/pages/${id}/unpublish`)
    expect(await call('read_page', { path: '/short' })).toEqual({
      text: 'No page is published at /short. Find its address with search or list_pages.',
      isError: true,
    })
    await client.close()
  })

  test('learns which argument is wrong, and reads no other file of the store', async () => {
    const { client, call } = await connect()
    const refusals: readonly [string, Record<string, unknown>, string][] = [
      ['search', {}, 'The argument query must be a text of at most 200 characters.'],
      ['search', { query: '  ' }, 'The argument query must not be empty.'],
      ['search', { query: 'a', limit: 21 }, 'The argument limit must be a whole number from 1 to 20.'],
      ['search', { query: 'a', language: '!' }, 'The argument language must be a language tag'],
      ['search', { query: 'a', colour: 1 }, 'There is no argument colour. There is: query, language, limit.'],
      ['read_page', { path: '/', offset: 9e5 }, 'The argument offset must be less than'],
      ['read_page', { path: 'https://other.example/docs' }, 'must be a path of the site'],
      ['read_page', { path: '/%ff' }, 'has escapes that are not UTF-8'],
      ['list_pages', { under: 1 }, 'The argument under must be a text'],
    ]
    for (const [name, args, message] of refusals) {
      const { text, isError } = await call(name, args)
      expect([isError, text], JSON.stringify(args)).toEqual([true, expect.stringContaining(message)])
    }
    const other = await service.newProject('Other')
    for (const path of [
      '/../x',
      '/..%2fx',
      `/../${other}`,
      '/_search',
      '/_media/a',
      '/.well-known/x',
      'a\\b',
      '//x',
    ])
      expect(await call('read_page', { path }), path).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'publishPage' })).rejects.toThrow('There is no tool "publishPage".')
    await client.close()
  })

  test('reads a long page in parts', async () => {
    const words = Array.from({ length: 9000 }, (_, index) => `word${index}`).join(' ')
    await publish({ slug: 'long', title: 'Long', markdown_content: words })
    const { client, call } = await connect()
    let [text, offset] = ['', 0]
    for (let parts = 0; parts < 10; parts++) {
      const answer = (await call('read_page', { path: '/long', offset })).text
      const more = /\n\n\[\d+ characters more: call again with offset (\d+)\.\]$/.exec(answer)
      text += answer.slice(0, more?.index)
      if (more === null) break
      offset = Number(more[1])
    }
    expect(text).toBe(await (await fetch(`${service.url}/public/${project}/long/index.md`)).text())
    await client.close()
  })
})

describe('/mcp of a site', () => {
  test('is there on the own host of the site too', async () => {
    const body = JSON.stringify(PING)
    const headers = { Host: 'acme.sites.quoin.test', 'Content-Type': 'application/json' }
    const answer = await sendRaw(service.url, '/mcp', { method: 'POST', headers, body })
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
  })

  test('is off until the settings allow it, and again as soon as they no longer do', async () => {
    const id = await service.newProject('Quiet')
    const page = await service.call('POST', '/pages', pageBody(id))
    await service.call('POST', `/pages/${page.body.data.id}/publish`)
    const status = async () => (await post(PING, `/public/${id}/mcp`)).status
    const llms = async () => (await fetch(`${service.url}/public/${id}/llms.txt`)).text()
    expect(await status()).toBe(405)
    expect(await llms()).not.toContain('/mcp')
    await service.call('PUT', `/projects/${id}/settings`, { mcp: 'read' })
    expect(await status()).toBe(200)
    const { stale } = (await service.call('GET', `/pages/${page.body.data.id}`)).body.data
    expect(stale).toEqual([])
    await service.call('PUT', `/pages/${page.body.data.id}`, { title: 'Another' })
    await service.call('POST', `/pages/${page.body.data.id}/publish`)
    expect(await llms()).toContain(`${service.url}/public/${id}/mcp`)
    await service.call('PUT', `/projects/${id}/settings`, { mcp: 'none' })
    expect(await status()).toBe(405)
  })

  test('does not exist in Data Mode, nor for a project that was deleted', async () => {
    const id = await service.newProject('Sealed')
    await service.call('PUT', `/projects/${id}/settings`, { mcp: 'read' })
    expect((await post(PING, `/public/${id}/mcp`)).status).toBe(200)
    await service.call('POST', `/projects/${id}/data-mode/enable`)
    expect((await post(PING, `/public/${id}/mcp`)).status).toBe(405)
    const gone = await service.newProject('Gone')
    await service.call('PUT', `/projects/${gone}/settings`, { mcp: 'read' })
    await service.call('PUT', `/projects/${gone}`, { status: 'archived' })
    expect(await service.call('DELETE', `/projects/${gone}`)).toMatchObject({ status: 200 })
    expect((await post(PING, `/public/${gone}/mcp`)).status).toBe(405)
  })

  test('leaves the address to a page for browsers', async () => {
    await publish({ slug: 'mcp', title: 'About MCP', markdown_content: 'A page of its own.' })
    const page = await fetch(`${service.url}/public/${project}/mcp`)
    expect([page.status, (await page.text()).includes('A page of its own.')]).toEqual([200, true])
    const stream = await fetch(`${service.url}/public/${project}/mcp`, {
      headers: { Accept: 'text/event-stream' },
    })
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(PING)).status).toBe(200)
  })

  test('answers what is no message of the protocol with an error of JSON-RPC', async () => {
    const error = async (answer: Response) => [answer.status, (await bodyOf(answer)).error.code]
    expect(await error(await post('{'))).toEqual([400, -32_700])
    expect(await error(await post([PING]))).toEqual([400, -32_600])
    expect(await error(await post({ hello: 1 }))).toEqual([400, -32_600])
    expect(await error(await post({ ...PING, method: 'resources/list' }))).toEqual([200, -32_601])
    expect(await error(await post({ ...PING, params: { text: 'x'.repeat(70_000) } }))).toEqual([413, -32_000])
    expect(await error(await post(PING, undefined, { 'MCP-Protocol-Version': '1999-01-01' }))).toEqual([
      400, -32_022,
    ])
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
  })

  test('counts a search as several visits', async () => {
    const remaining = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'))
    const before = remaining(await post(PING))
    const after = remaining(await post(SEARCH))
    // Calls of other tests leave the window meanwhile, so no more than that is certain.
    expect(before - after).toBeGreaterThanOrEqual(5)
  })

  test('asks to try again while the store does not answer', async () => {
    isAway = true
    const answer = await post(SEARCH)
    isAway = false
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await bodyOf(answer)).error.message).toContain('Try again')
  })
})
