import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function connect(key = service.key) {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }))
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const texts = (content as { text: string }[]).map(({ text }) => text)
    const last = texts.at(-1) ?? ''
    return { texts, isError: isError === true, body: last.startsWith('{') ? JSON.parse(last) : null }
  }
  return { client, call }
}

/** Sends a message as it is. */
const post = (body: unknown, headers: Record<string, string> = {}, key: string | null = service.key) =>
  fetch(new URL('/mcp', service.url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('an agent with the official client', () => {
  test('creates, previews, publishes and rolls back a page, each change after a look at what it would do', async () => {
    const { client, call } = await connect()
    expect(client.getServerVersion()?.name).toBe('quoin')
    const project = await call('createProject', { body: { name: 'Agents' } })
    expect(project.isError, project.texts.join()).toBe(false)
    const project_id = project.body.data.id
    const page = { project_id, title: 'First', type: 'docs', subroute: 'docs', slug: 'first' }
    const created = await call('createPage', { body: { ...page, markdown_content: 'One.' } })
    const { id } = created.body.data

    const preview = await call('createPreview', { id })
    expect((await (await fetch(preview.body.data.url)).text()).includes('One.')).toBe(true)

    const dry = await call('publishPage', { id })
    expect(dry.texts[0]).toContain('nothing has changed')
    expect(await statusOf(id)).toBe('draft')
    const published = await call('publishPage', { id, confirm: true })
    expect(published.isError).toBe(false)
    expect(await statusOf(id)).toBe('published')

    await call('updatePage', { id, body: { markdown_content: 'Two.' } })
    expect((await call('publishPage', { id, dry_run: false })).texts[0]).toContain('no argument dry_run')
    await call('publishPage', { id, confirm: true })
    expect(await liveText(project_id)).toContain('Two.')

    const { body: releases } = await call('listReleases', { id })
    const first = releases.data.at(-1).id
    const held = await call('rollBackPage', { id, body: { release_id: first } })
    expect(held.texts[0]).toBe(
      `Nothing has changed. With confirm: true the call sends POST /pages/${id}/rollback. It concerns:`,
    )
    expect(held.body.data.id).toBe(id)
    expect(await liveText(project_id)).toContain('Two.')
    const back = await call('rollBackPage', { id, body: { release_id: first }, confirm: true })
    expect(back.isError, back.texts.join()).toBe(false)
    expect(await liveText(project_id)).toContain('One.')

    const deleted = await call('deletePage', { id })
    expect(deleted.texts[0]).toContain('Nothing has changed')
    expect(await statusOf(id)).toBe('published')
  })

  const statusOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.status
  const liveText = async (project: string) =>
    (await fetch(new URL(`/public/${project}/docs/first/`, service.url))).text()

  test('gets tools that stand for themselves, made from the document of the API', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['listPages', 'createPage', 'publishPage', 'uploadAsset']))
    expect(names.filter((name) => /^legacy|createKey|listKeys|getHealth|getMetrics/i.test(name))).toEqual([])
    // Several clients resolve no references, and lose the fields of a body or the whole list.
    for (const { name, inputSchema } of tools) {
      expect(JSON.stringify(inputSchema), name).not.toMatch(/"\$(?:ref|defs)":/)
      expect(Object.keys(inputSchema), name).not.toContain('oneOf')
    }
    const settings = JSON.stringify(tools.find(({ name }) => name === 'updateSettings')?.inputSchema)
    // Of the sidebar of the site, and of that of a language.
    const levels = settings.split('"docs_nav":').map((part) => part.match(/"children":/g)?.length ?? 0)
    expect([levels.toSorted(), settings.includes('"items":{"type":"object"}')]).toEqual([[0, 3, 3], true])
    expect(tools.find(({ name }) => name === 'getPage')?.annotations?.readOnlyHint).toBe(true)
    expect(tools.find(({ name }) => name === 'deletePage')?.annotations?.destructiveHint).toBe(true)
    expect(JSON.stringify(tools).length).toBeLessThan(200_000)
  })

  test('can do what its key may, and sees no other tools', async () => {
    const { client, call } = await connect(await service.newKey({ permissions: ['read'] }))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('listPages')
    expect(names).not.toContain('createPage')
    const refused = await call('createProject', { body: { name: 'No' } })
    expect(refused.isError).toBe(true)
    expect(refused.body).toMatchObject({ statusCode: 403, name: 'forbidden' })
  })

  test('confirms a webhook, and what else sends or shows something to others', async () => {
    const { client, call } = await connect()
    const project = await call('createProject', { body: { name: 'Hooks' } })
    const { id } = project.body.data
    const body = { url: 'https://hooks.example/a' }
    const held = await call('createWebhook', { id, body })
    expect(held.texts[0]).toContain('Nothing has changed.')
    expect((await call('listWebhooks', { id })).body.data).toEqual([])
    await call('createWebhook', { id, body, confirm: true })
    expect((await call('listWebhooks', { id })).body.data).toHaveLength(1)
    const tools = (await client.listTools()).tools
    const properties = (name: string) =>
      Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
    for (const name of ['createWebhook', 'updateWebhook', 'publishPage', 'deletePage', 'publishPages'])
      expect(properties(name), name).toContain('confirm')
    expect(tools.filter(({ name }) => properties(name).includes('dry_run'))).toEqual([])
  })

  test('lists keys, changes of members and the audit log for a key that manages only', async () => {
    const names = async (key: string) =>
      (await (await connect(key)).client.listTools()).tools.map(({ name }) => name)
    const plain = await names(await service.newKey({ permissions: ['read', 'write', 'publish'] }))
    expect(plain).toContain('listMembers')
    expect(
      plain.filter((name) => /^(inviteMember|updateMember|removeMember|listAudit|createKey)$/.test(name)),
    ).toEqual([])
    const managing = await names(await service.newKey({ permissions: ['read', 'manage'] }))
    expect(managing).toEqual(
      expect.arrayContaining(['inviteMember', 'updateMember', 'listAudit', 'createKey']),
    )
  })

  test('learns every invalid field, an unknown tool, an unknown argument and a missing one', async () => {
    const { client, call } = await connect()
    const invalid = await call('createPage', { body: { title: 'T' } })
    expect(invalid.isError).toBe(true)
    expect(JSON.stringify(invalid.body)).toContain('project_id')
    expect((await call('getPage', { id: 'page_x', colour: 'red' })).texts[0]).toContain(
      'has no argument colour',
    )
    expect((await call('getPage')).texts[0]).toBe('getPage needs the argument id, a text.')
    expect((await call('getPage', { id: '..' })).texts[0]).toBe('getPage needs the argument id, a text.')
    await expect(client.callTool({ name: 'nothing' })).rejects.toThrow('There is no tool "nothing".')
  })
})

describe('POST /mcp', () => {
  test('needs a key, and answers any process by itself, without a session', async () => {
    expect((await post(PING, {}, null)).status).toBe(401)
    expect((await post(PING, {}, 'qn_live_wrong')).status).toBe(403)
    const answer = await post(PING)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    const get = await fetch(new URL('/mcp', service.url), {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('negotiates the version of the protocol', async () => {
    const ask = async (protocolVersion: string) => {
      const answer = await post({ ...PING, method: 'initialize', params: { protocolVersion } })
      return /"protocolVersion":"([^"]*)"/.exec(await answer.text())?.[1]
    }
    expect(await ask('2025-06-18')).toBe('2025-06-18')
    // Its servers must take batches.
    expect(await ask('2025-03-26')).toBe('2025-11-25')
    expect(await ask('1999-01-01')).toBe('2025-11-25')
    const refused = await post(PING, { 'MCP-Protocol-Version': '1999-01-01' })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32_022,
        message: expect.stringContaining('1999-01-01'),
        data: { supported: ['2025-11-25', '2025-06-18'], requested: '1999-01-01' },
      },
    })
  })

  test('answers every fault of a message or of the service with an error of the protocol', async () => {
    const fault = async (answer: Response) => {
      const { jsonrpc, id, error } = (await answer.json()) as never
      return [answer.status, jsonrpc, id, (error as { code: number }).code]
    }
    expect(await fault(await post('{', {}))).toEqual([400, '2.0', undefined, -32_700])
    expect(await fault(await post([PING]))).toEqual([400, '2.0', undefined, -32_600])
    expect(await fault(await post({ hello: 1 }))).toEqual([400, '2.0', undefined, -32_600])
    expect(await fault(await post(PING, {}, null))).toEqual([401, '2.0', undefined, -32_000])
    expect(await fault(await post(PING, {}, 'qn_live_wrong'))).toEqual([403, '2.0', undefined, -32_000])
    expect(await fault(await post('x'.repeat(6_000_000)))).toEqual([413, '2.0', undefined, -32_000])
    const { error } = (await (await post(PING, {}, null)).json()) as { error: { data: object } }
    expect(error.data).toEqual({ statusCode: 401, name: 'missing_api_key' })
  })

  test('takes a response that a client posts, without an answer', async () => {
    for (const response of [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'No.' } },
    ]) {
      const answer = await post(response)
      expect([answer.status, await answer.text()]).toEqual([202, ''])
    }
  })

  test('refuses pages of other origins, also under a name that leads here', async () => {
    expect((await post(PING, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(PING, { Origin: service.server.baseUrl })).status).toBe(200)
  })

  test('counts its calls against the limits of the key, and refuses what is not JSON-RPC', async () => {
    const remaining = async (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'))
    const { accounts } = service.server.service
    const limited = await accounts.createKey({
      userId: service.userId,
      projectScope: null,
      name: 'limited',
      plan: 'standard',
      permissions: ['read'],
      expiresAt: null,
    })
    const before = await remaining(await post(PING, {}, limited.key))
    expect(await remaining(await post(PING, {}, limited.key))).toBe(before - 1)
    const call = { ...PING, method: 'tools/call', params: { name: 'listProjects' } }
    await post(call, {}, limited.key)
    // The call, and the request behind it.
    expect(await remaining(await post(PING, {}, limited.key))).toBe(before - 4)
    expect(await (await post({ hello: 1 })).json()).toMatchObject({ error: { code: -32_600 } })
    expect(await (await post({ ...PING, method: 'none' })).json()).toMatchObject({ error: { code: -32_601 } })
    expect((await post('x'.repeat(6_000_000))).status).toBe(413)
  })
})
