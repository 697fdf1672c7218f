import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite, type SqliteConnections } from '../../src/db/sqlite.ts'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { readId } from '../../src/domain/ids.ts'
import { PUBLISH_PAGES, SCHEDULED_PUBLISH } from '../../src/domain/job.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { startReceiver } from '../support/receiver.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/** In each text that a request of this file sends. */
const MARK = 'Zanzibar'
/** A real file, so that the test can read every column, and make the log refuse rows. */
const isFile = !process.env['QUOIN_TEST_DATABASE_URL']

let service: TestService
let manager: string
let reader: string
let project: string
let connections: SqliteConnections
let receiver: Awaited<ReturnType<typeof startReceiver>>
let made = 0
const unique = () => `${MARK.toLowerCase()}-${++made}`

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  manager = await service.newKey({ permissions: PERMISSIONS })
  reader = await service.newKey({ permissions: ['read'] })
  project = await service.newProject(MARK)
  if (isFile) connections = openSqlite(join(service.data, 'quoin.db'))
})
afterAll(async () => {
  if (isFile) await connections.close()
  await service.close()
  await receiver.close()
})

const call = (method: string, path: string, body?: unknown, key = manager) =>
  service.call(method, path, body, { key })
const make = async (path: string, body?: unknown): Promise<string> => {
  const answer = await call('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data.id
}
const total = async () => (await call('GET', '/users/me/audit?limit=1')).body.meta.total as number
const newest = async (limit: number) =>
  limit === 0 ? [] : (await call('GET', `/users/me/audit?limit=${limit}`)).body.data

/** A request, prepared before its rows are counted, with the acts that it records, oldest first. */
interface Case {
  readonly acts: readonly string[]
  readonly request: () => Promise<readonly [path: string, body?: unknown]>
  /** Waits for what the request starts. */
  readonly settle?: () => Promise<void>
}

const newPage = (fields: object = {}) =>
  make('/pages', pageBody(project, { title: MARK, slug: unique(), description: MARK, ...fields }))
const livePage = async () => {
  const id = await newPage()
  expect((await call('POST', `/pages/${id}/publish`)).status).toBe(200)
  return id
}
const dataModeProject = async (isOn: boolean) => {
  const id = await make('/projects', { name: unique() })
  if (isOn) expect((await call('POST', `/projects/${id}/data-mode/enable`)).status).toBe(200)
  return id
}
const newAsset = () => make(`/projects/${project}/assets?name=${unique()}.pdf&alt=${MARK}`, bytes())
const bytes = () => Buffer.from(`%PDF-1.7 ${unique()}`)
async function newRedirect(): Promise<string> {
  const redirect = { from: `/old/${unique()}`, to: 'https://example.org/' }
  const { id } = (await call('POST', `/projects/${project}/redirects`, redirect)).body.data
  return `/projects/${project}/redirects/${id}`
}
const newWebhook = async () =>
  `/projects/${project}/webhooks/${await make(`/projects/${project}/webhooks`, { url: `${receiver.url}/${MARK}`, events: ['page.deleted'], description: MARK })}`
const newMember = async () =>
  `/projects/${project}/members/${await make(`/projects/${project}/members`, { email: `${unique()}@example.com`, role: 'viewer' })}`
/** A project of another user that is offered to the manager. */
const offered = async () => {
  const email = 'manager@example.com'
  await service.server.service.accounts.setEmail(service.userId, email)
  const other = await service.newKey({ user: await service.newUser(), permissions: PERMISSIONS })
  const id = (await call('POST', '/projects', { name: MARK }, other)).body.data.id
  expect((await call('POST', `/projects/${id}/transfer`, { email }, other)).status).toBe(202)
  return (await call('GET', '/users/me/offers')).body.data[0].id as string
}
const newPush = async () =>
  `/pushes/${await make(`/projects/${project}/pushes`, { folder: unique(), name: MARK })}`
const newKey = () => make('/keys', { name: MARK })
const archived = async () => {
  const id = await make('/projects', { name: MARK })
  expect((await call('PUT', `/projects/${id}`, { status: 'archived' })).status).toBe(200)
  return id
}
const withDomain = async () => {
  const id = await make('/projects', { name: MARK })
  expect((await call('PUT', `/projects/${id}`, { domain: `${unique()}.example.com` })).status).toBe(200)
  return id
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const delivered = async () => {
  const webhook = await newWebhook()
  const { id } = (await call('POST', `${webhook}/test`)).body.data
  await expect
    .poll(async () => (await call('GET', `${webhook}/deliveries/${id}`)).body.data.status, {
      timeout: 30_000,
    })
    .toBe('delivered')
  return `${webhook}/deliveries/${id}`
}
let bulkPage = ''

const one = (act: string, request: Case['request']): Case => ({ acts: [act], request })
/** Nothing is stored. */
const none = (request: Case['request']): Case => ({ acts: [], request })

const assetCases = (prefix: string): Readonly<Record<string, Case>> => ({
  [`POST ${prefix}/projects/{id}/assets`]: one('asset.create', async () => [
    `${prefix}/projects/${project}/assets?name=${unique()}.pdf&title=${MARK}`,
    bytes(),
  ]),
  [`POST ${prefix}/projects/{id}/assets/missing`]: none(async () => [
    `${prefix}/projects/${project}/assets/missing`,
    { digests: [] },
  ]),
  [`PUT ${prefix}/assets/{id}`]: one('asset.update', async () => [
    `${prefix}/assets/${await newAsset()}`,
    { alt: `${MARK} twice` },
  ]),
  [`DELETE ${prefix}/assets/{id}`]: one('asset.delete', async () => [`${prefix}/assets/${await newAsset()}`]),
  [`PUT ${prefix}/assets/{id}/content`]: one('asset.replace', async () => [
    `${prefix}/assets/${await newAsset()}/content`,
    bytes(),
  ]),
})

/** By operation; a suffix after ` - ` tells several requests of one operation apart. */
const CASES: Readonly<Record<string, Case>> = {
  'POST /projects': one('project.create', async () => ['/projects', { name: MARK }]),
  'PUT /projects/{id}': one('project.update', async () => [`/projects/${project}`, { name: unique() }]),
  'PUT /projects/{id} - with settings': one('project.update', async () => [
    `/projects/${project}`,
    { name: unique(), settings: { theme: 'dark' } },
  ]),
  'DELETE /projects/{id}': one('project.delete', async () => [`/projects/${await archived()}`]),
  'POST /projects/{id}/domain/verify': one('domain.check', async () => [
    `/projects/${await withDomain()}/domain/verify`,
  ]),
  'PUT /projects/{id}/settings': one('settings.update', async () => [
    `/projects/${project}/settings`,
    { footer_text: MARK, custom_css: `.${MARK} { color: red }`, custom_head_html: `<!-- ${MARK} -->` },
  ]),
  'POST /projects/{id}/data-mode/enable': one('data_mode.enable', async () => [
    `/projects/${await dataModeProject(false)}/data-mode/enable`,
  ]),
  'POST /projects/{id}/data-mode/disable': one('data_mode.disable', async () => [
    `/projects/${await dataModeProject(true)}/data-mode/disable`,
  ]),
  'POST /projects/{id}/data-mode/regenerate-key': one('data_mode.regenerate_key', async () => [
    `/projects/${await dataModeProject(true)}/data-mode/regenerate-key`,
  ]),
  'POST /projects/{id}/data-mode': one('data_mode.enable', async () => [
    `/projects/${await dataModeProject(false)}/data-mode`,
    { action: 'enable' },
  ]),
  'POST /pages': one('page.create', async () => [
    '/pages',
    pageBody(project, { title: MARK, slug: unique(), description: MARK, meta: { title: MARK } }),
  ]),
  'POST /projects/{id}/pages/bulk': {
    acts: ['page.create', 'page.update'],
    async request() {
      const page = { title: MARK, slug: unique(), subroute: '', type: 'article' }
      return [
        `/projects/${project}/pages/bulk`,
        {
          items: [
            { op: 'create', page },
            { op: 'update', id: await newPage(), page: { meta: { title: MARK } } },
          ],
        },
      ]
    },
  },
  'PUT /pages/{id}': one('page.update', async () => [`/pages/${await newPage()}`, { description: MARK }]),
  'PUT /pages/{id} - of no field': none(async () => [`/pages/${await newPage()}`, {}]),
  'PUT /pages/{id} - to published': one('page.publish', async () => [
    `/pages/${await newPage()}`,
    { status: 'published' },
  ]),
  // Two changes: the edit is stored before the page goes live, and stays when the store fails.
  'PUT /pages/{id} - to published, with fields': {
    acts: ['page.update', 'page.publish'],
    request: async () => [`/pages/${await newPage()}`, { title: MARK, status: 'published' }],
  },
  'PUT /pages/{id} - to draft': one('page.unpublish', async () => [
    `/pages/${await livePage()}`,
    { status: 'draft' },
  ]),
  'PUT /pages/{id} - to archived, never live': one('page.update', async () => [
    `/pages/${await newPage()}`,
    { status: 'archived' },
  ]),
  'DELETE /pages/{id}': one('page.delete', async () => [`/pages/${await newPage()}`]),
  'DELETE /pages/{id} - live': one('page.delete', async () => [`/pages/${await livePage()}`]),
  'POST /pages/{id}/publish': one('page.publish', async () => [`/pages/${await newPage()}/publish`]),
  'POST /pages/{id}/publish - without a change': none(async () => [`/pages/${await livePage()}/publish`]),
  'POST /pages/{id}/publish - later': one('page.schedule', async () => [
    `/pages/${await newPage()}/publish`,
    { publish_at: inAnHour() },
  ]),
  'POST /pages/{id}/publish - no more': one('page.unschedule', async () => {
    const id = await newPage()
    await call('POST', `/pages/${id}/publish`, { publish_at: inAnHour() })
    return [`/pages/${id}/publish`, { publish_at: null }]
  }),
  'POST /pages/{id}/rollback': one('page.roll_back', async () => {
    const id = await livePage()
    const [first] = (await call('GET', `/pages/${id}/releases`)).body.data
    await call('PUT', `/pages/${id}`, { title: `${MARK} again`, status: 'published' })
    return [`/pages/${id}/rollback`, { release_id: first.id }]
  }),
  'POST /pages/{id}/unpublish': one('page.unpublish', async () => [`/pages/${await livePage()}/unpublish`]),
  'POST /pages/publish': one('page.publish', async () => ['/pages/publish', { page_id: await newPage() }]),
  'POST /pages/unpublish': one('page.unpublish', async () => [
    '/pages/unpublish',
    { page_id: await livePage() },
  ]),
  // A link is no record: its signature says what it opens.
  'POST /pages/{id}/preview': one('preview.create', async () => [`/pages/${await newPage()}/preview`, {}]),
  // One row for the start, and one for each page that goes live.
  'POST /projects/{id}/publish': {
    acts: ['job.start', 'page.publish'],
    async request() {
      bulkPage = await newPage()
      return [`/projects/${project}/publish`, { pages: [bulkPage] }]
    },
    async settle() {
      await expect
        .poll(async () => (await call('GET', `/pages/${bulkPage}`)).body.data.status)
        .toBe('published')
    },
  },
  'DELETE /jobs/{id}': one('job.cancel', async () => {
    const answer = await call('POST', `/pages/${await newPage()}/publish`, { publish_at: inAnHour() })
    return [`/jobs/${answer.body.data.id}`]
  }),
  'POST /projects/{id}/webhooks': one('webhook.create', async () => [
    `/projects/${project}/webhooks`,
    { url: `${receiver.url}/${MARK}`, description: MARK, active: false },
  ]),
  'PUT /projects/{id}/webhooks/{webhook_id}': one('webhook.update', async () => [
    await newWebhook(),
    { description: `${MARK} twice`, active: false },
  ]),
  'DELETE /projects/{id}/webhooks/{webhook_id}': one('webhook.delete', async () => [await newWebhook()]),
  'POST /projects/{id}/webhooks/{webhook_id}/rotate-secret': one('webhook.rotate_secret', async () => [
    `${await newWebhook()}/rotate-secret`,
  ]),
  'POST /projects/{id}/webhooks/{webhook_id}/test': one('webhook.test', async () => [
    `${await newWebhook()}/test`,
  ]),
  'POST /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': one(
    'webhook.redeliver',
    async () => [`${await delivered()}/redeliver`],
  ),
  'POST /keys': one('key.create', async () => ['/keys', { name: MARK }]),
  'PUT /keys/{id}': one('key.update', async () => [`/keys/${await newKey()}`, { name: `${MARK} twice` }]),
  'DELETE /keys/{id}': one('key.revoke', async () => [`/keys/${await newKey()}`]),
  'POST /keys/{id}/rotate': one('key.rotate', async () => [`/keys/${await newKey()}/rotate`]),
  'POST /projects/{id}/members': one('member.invite', async () => [
    `/projects/${project}/members`,
    { email: `${unique()}@example.com`, role: 'viewer' },
  ]),
  'POST /projects/{id}/members/{member_id}/invitation': one('member.resend', async () => [
    `${await newMember()}/invitation`,
  ]),
  'POST /projects/{id}/transfer': one('project.offer', async () => [
    `/projects/${await make('/projects', { name: MARK })}/transfer`,
    { email: `${unique()}@example.com` },
  ]),
  'DELETE /projects/{id}/transfer': one('project.offer', async () => {
    const id = await make('/projects', { name: MARK })
    const offered = await call('POST', `/projects/${id}/transfer`, { email: `${unique()}@example.com` })
    expect(offered.status).toBe(202)
    return [`/projects/${id}/transfer`]
  }),
  'POST /users/me/offers/{id}/accept': one('project.transfer', async () => [
    `/users/me/offers/${await offered()}/accept`,
  ]),
  // Recorded in the log of the account that made the offer.
  'POST /users/me/offers/{id}/decline': none(async () => [`/users/me/offers/${await offered()}/decline`]),
  'POST /projects/{id}/redirects': one('page.update', async () => [
    `/projects/${project}/redirects`,
    { from: `/old/${unique()}`, page_id: await newPage() },
  ]),
  'POST /projects/{id}/redirects - of the project': one('redirect.create', async () => [
    `/projects/${project}/redirects`,
    { from: `/old/${unique()}`, to: 'https://example.org/' },
  ]),
  'POST /projects/{id}/redirects/bulk': one('redirect.create', async () => [
    `/projects/${project}/redirects/bulk`,
    { items: [{ from: `/old/${unique()}`, to: 'https://example.org/' }] },
  ]),
  'PUT /projects/{id}/redirects/{redirect_id}': one('redirect.update', async () => [
    await newRedirect(),
    { to: 'https://example.net/' },
  ]),
  'PUT /projects/{id}/redirects/{redirect_id} - without a change': none(async () => [
    await newRedirect(),
    { to: 'https://example.org/' },
  ]),
  'DELETE /projects/{id}/redirects/{redirect_id}': one('redirect.delete', async () => [await newRedirect()]),
  'DELETE /projects/{id}/redirects': one('page.update', async () => {
    const from = `/old/${unique()}`
    await call('POST', `/projects/${project}/redirects`, { from, page_id: await newPage() })
    return [`/projects/${project}/redirects?from=${from}`]
  }),
  'PUT /projects/{id}/members/{member_id}': one('member.update', async () => [
    await newMember(),
    { role: 'editor' },
  ]),
  'DELETE /projects/{id}/members/{member_id}': one('member.remove', async () => [await newMember()]),
  'POST /projects/{id}/pushes': one('push.start', async () => [
    `/projects/${project}/pushes`,
    { folder: unique(), name: MARK },
  ]),
  'PUT /pushes/{id}': one('push.end', async () => [await newPush(), { state: 'done' }]),
  'PUT /pushes/{id} - still running': none(async () => [await newPush(), { state: 'running' }]),
  ...assetCases(''),
  ...assetCases('/v1'),
  'POST /v1/projects': one('project.create', async () => ['/v1/projects', { name: MARK }]),
  'PUT /v1/projects/{id}': one('project.update', async () => [
    `/v1/projects/${project}`,
    { context: unique() },
  ]),
  'PUT /v1/projects/{id}/settings': one('settings.update', async () => [
    `/v1/projects/${project}/settings`,
    { footer_text: unique() },
  ]),
  'POST /v1/projects/{id}/data-mode': one('data_mode.enable', async () => [
    `/v1/projects/${await dataModeProject(false)}/data-mode`,
    { action: 'enable' },
  ]),
  'POST /v1/pages': one('page.create', async () => [
    '/v1/pages',
    { project_id: project, page_name: MARK, slug: unique() },
  ]),
  'PUT /v1/pages/{id}': one('page.update', async () => [
    `/v1/pages/${await newPage()}`,
    { page_name: `${MARK} 2` },
  ]),
  'POST /v1/pages/publish': one('page.publish', async () => [
    '/v1/pages/publish',
    { page_id: await newPage() },
  ]),
  'POST /v1/pages/unpublish': one('page.unpublish', async () => [
    '/v1/pages/unpublish',
    { page_id: await livePage() },
  ]),
}

const methodOf = (name: string) => name.split(' ')[0] ?? ''
const { paths } = createApiDocument({ themes: ['default'], baseUrl: 'http://127.0.0.1' })
const MUTATING = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => ['post', 'put', 'delete', 'patch'].includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
)

test('every operation that changes something has a case, and every case has an operation', () => {
  expect([...new Set(Object.keys(CASES).map((name) => name.split(' - ')[0]))].sort()).toEqual(
    [...MUTATING].sort(),
  )
})

describe.each(Object.entries(CASES))('%s', (name, { acts, request, settle }) => {
  test('records what it did, once, and nothing when it is refused', async () => {
    const [path, body] = await request()
    const before = await total()
    const refused = await call(methodOf(name), path, body, reader)
    if (acts.length > 0) expect(refused.status, JSON.stringify(refused.body)).toBe(403)
    expect(await total(), 'after a refusal').toBe(before)

    const answer = await call(methodOf(name), path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    await settle?.()
    const rows = await newest((await total()) - before)
    expect(rows.map((row: { act: string }) => row.act).reverse()).toEqual(acts)
    for (const row of rows)
      expect(row).toMatchObject({
        actor: {
          type: 'key',
          client_address: '127.0.0.1',
          user_id: expect.any(String),
          credential_id: expect.any(String),
        },
      })
  })
})

/** Everything of a transaction has been written then, but its commit. */
const REFUSE_ROWS =
  "CREATE TRIGGER refuse_rows AFTER INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no row'); END"

const lastOf = async (target: string, act: string) => {
  const { data } = (await call('GET', `/users/me/audit?act=${act}&limit=100`)).body
  return data.find((row: { target: { id: string } }) => row.target.id === target)
}
const actsOn = async (target: string) => {
  const { data } = (await call('GET', '/users/me/audit?limit=100')).body
  const rows = data.filter((row: { target: { id: string } }) => row.target.id === target)
  return rows.map((row: { act: string }) => row.act).reverse()
}

describe('a row', () => {
  test('has the release that was live before and after, also of a rollback and a deletion', async () => {
    const id = await newPage()
    const publish = async () => {
      await call('POST', `/pages/${id}/publish`)
      return lastOf(id, 'page.publish')
    }
    const first = await publish()
    expect(first).toMatchObject({ before: null, after: { release_id: expect.any(String) } })
    await call('PUT', `/pages/${id}`, { title: 'Second' })
    const second = await publish()
    expect(second.before.release_id).toBe(first.after.release_id)
    await call('POST', `/pages/${id}/rollback`, { release_id: first.after.release_id })
    expect((await lastOf(id, 'page.roll_back')).before.release_id).toBe(second.after.release_id)
    await call('DELETE', `/pages/${id}`)
    expect(await lastOf(id, 'page.delete')).toMatchObject({ before: { version: null }, after: null })
  })

  test('has the versions before and after, the names of the fields, and the digests of a file', async () => {
    const id = await newPage()
    await call('PUT', `/pages/${id}`, { title: `${MARK} two`, meta: { title: 'Other' }, description: MARK })
    expect(await lastOf(id, 'page.update')).toMatchObject({
      before: { version: 1 },
      after: { version: 2 },
      fields: ['title', 'meta'],
    })
    const asset = await newAsset()
    const { digest } = (await call('GET', `/assets/${asset}`)).body.data
    await call('PUT', `/assets/${asset}/content`, bytes())
    const row = await lastOf(asset, 'asset.replace')
    expect([row.before.digest, row.after.digest]).toEqual([
      digest,
      (await call('GET', `/assets/${asset}`)).body.data.digest,
    ])
  })

  test('names the request, the key and the user', async () => {
    const headers = { 'X-Request-Id': 'request-of-the-audit-test' }
    const created = await service.call('POST', '/projects', { name: 'Named' }, { key: manager, headers })
    const row = await lastOf(created.body.data.id, 'project.create')
    const me = (await call('GET', '/users/me')).body.data
    expect(row.actor).toMatchObject({
      type: 'key',
      user_id: me.id,
      credential_id: me.api_key_id,
      request_id: 'request-of-the-audit-test',
      job_id: null,
    })
    expect(row.project_id).toBe(created.body.data.id)
  })

  test('names the job, and who started it from where, for a page that a job published', async () => {
    const id = await newPage()
    const job = (await call('POST', `/projects/${project}/publish`, { pages: [id] })).body.data.id
    await expect.poll(() => lastOf(id, 'page.publish')).toBeDefined()
    const started = await lastOf(job, 'job.start')
    expect((await lastOf(id, 'page.publish')).actor).toEqual({ ...started.actor, job_id: job })
  })

  test('follows the row of the edit when an edit was undone', async () => {
    const [taken, other] = [await livePage(), await newPage()]
    const { slug } = (await call('GET', `/pages/${taken}`)).body.data
    // Free for a draft, but the page is live there still.
    await call('PUT', `/pages/${taken}`, { slug: unique() })
    const refused = await call('PUT', `/pages/${other}`, { slug, status: 'published' })
    expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
    expect(await actsOn(other)).toEqual(['page.create', 'page.update', 'page.undo'])
    expect(await lastOf(other, 'page.undo')).toMatchObject({
      before: { version: 2 },
      after: { version: 1 },
      actor: { type: 'key', client_address: '127.0.0.1' },
    })
  })

  test('is written once, however often a request is repeated with its idempotency key', async () => {
    const id = await newPage()
    const headers = { 'Idempotency-Key': unique() }
    const publish = () => service.call('POST', `/pages/${id}/publish`, undefined, { key: manager, headers })
    for (let i = 0; i < 3; i++) expect((await publish()).status).toBe(200)
    expect(await actsOn(id)).toEqual(['page.create', 'page.publish'])
    const body = pageBody(project, { slug: unique() })
    const create = () => service.call('POST', '/pages', body, { key: manager, headers })
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) ids.add((await create()).body.data.id)
    expect([ids.size, await actsOn([...ids][0] ?? '')]).toEqual([1, ['page.create']])
  })
})

describe('the list', () => {
  test('has the rows of its project only, newest first, in pages without overlap', async () => {
    const id = await make('/projects', { name: 'Listed' })
    for (let i = 0; i < 4; i++) await call('PUT', `/projects/${id}`, { name: `Listed ${i}` })
    const slice = async (offset: number) =>
      (await call('GET', `/projects/${id}/audit?limit=2&offset=${offset}`)).body
    const pages = [await slice(0), await slice(2), await slice(4)]
    expect(pages.map(({ meta }) => [meta.total, meta.has_more])).toEqual([
      [5, true],
      [5, true],
      [5, false],
    ])
    const rows = pages.flatMap(({ data }) => data)
    expect(rows.map(({ act, project_id }) => [act, project_id])).toEqual([
      ...Array.from({ length: 4 }, () => ['project.update', id]),
      ['project.create', id],
    ])
    expect(rows.map(({ after }) => after.version)).toEqual([5, 4, 3, 2, 1])
    expect(new Set(rows.map((row) => row.id)).size).toBe(5)
  })

  test('can be limited to an act and to a time', async () => {
    const id = await make('/projects', { name: 'Filtered' })
    const [row] = (await call('GET', `/projects/${id}/audit`)).body.data
    const count = async (query: string) =>
      (await call('GET', `/projects/${id}/audit?${query}`)).body.meta.total
    expect(await count('act=project.create')).toBe(1)
    expect(await count('act=page.create')).toBe(0)
    expect(await count(`created_after=${row.created_at}`)).toBe(0)
    expect(await count(`created_before=2000-01-01`)).toBe(0)
    expect(await count('created_after=2000-01-01')).toBe(1)
    const refused = await call('GET', `/projects/${id}/audit?act=page.creat`)
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('act')])
  })

  test('keeps for the account the rows of a deleted project, whose own list is gone', async () => {
    const id = await archived()
    await call('DELETE', `/projects/${id}`)
    expect(await actsOn(id)).toEqual(['project.create', 'project.update', 'project.delete'])
    expect((await call('GET', `/projects/${id}/audit`)).status).toBe(404)
  })

  test('has for a key of one project the rows of that project only', async () => {
    const [own, other] = [
      await make('/projects', { name: 'Own' }),
      await make('/projects', { name: 'Other' }),
    ]
    const internal = readId('proj', own) ?? expect.unreachable()
    const key = await service.newKey({ project: internal, permissions: PERMISSIONS })
    const { data } = (await call('GET', '/users/me/audit', undefined, key)).body
    expect(new Set(data.map((row: { project_id: string }) => row.project_id))).toEqual(new Set([own]))
    expect((await call('GET', `/projects/${other}/audit`, undefined, key)).status).toBe(403)
  })

  test('needs the permission "manage", and shows no rows of other accounts', async () => {
    const writer = await service.newKey({ permissions: ['read', 'write', 'publish'] })
    for (const path of ['/users/me/audit', `/projects/${project}/audit`])
      expect((await call('GET', path, undefined, writer)).status).toBe(403)
    const stranger = await service.newKey({ user: await service.newUser(), permissions: PERMISSIONS })
    expect((await call('GET', `/projects/${project}/audit`, undefined, stranger)).status).toBe(404)
    const { data } = (await call('GET', '/users/me/audit', undefined, stranger)).body
    expect(data.map((row: { act: string }) => row.act)).toEqual(['key.create', 'user.create'])
  })
})

describe.runIf(isFile)('the table', () => {
  // Last, because it refuses rows and changes the table.
  test.each(Object.entries(CASES).filter(([name, { acts }]) => acts.length === 1 && !isReleased(name)))(
    '%s changes nothing when its row cannot be written',
    async (name, { request }) => {
      const [path, body] = await request()
      const before = await contents()
      await connections.writer.raw(REFUSE_ROWS)
      const answer = await call(methodOf(name), path, body)
      await connections.writer.raw('DROP TRIGGER refuse_rows')
      expect(answer.status).toBe(500)
      expect(await contents()).toEqual(before)
      expect((await call(methodOf(name), path, body)).status).toBeLessThan(300)
    },
  )

  test('a publish whose row cannot be written fails, and goes live with its row when it is tried again', async () => {
    const id = await newPage()
    await connections.writer.raw(REFUSE_ROWS)
    const failed = await call('POST', `/pages/${id}/publish`)
    await connections.writer.raw('DROP TRIGGER refuse_rows')
    expect(failed.status).toBe(500)
    const { subroute, slug, status } = (await call('GET', `/pages/${id}`)).body.data
    expect(status).toBe('draft')
    const live = () =>
      fetch(`${service.url}/public/${project}/${subroute === '' ? '' : `${subroute}/`}${slug}`)
    await expect.poll(async () => (await live()).status).toBe(404)
    expect(await actsOn(id)).toEqual(['page.create'])
    expect((await call('POST', `/pages/${id}/publish`)).status).toBe(200)
    expect((await live()).status).toBe(200)
    expect(await actsOn(id)).toEqual(['page.create', 'page.publish'])
  })

  test('has no text that a client wrote, and no secret', async () => {
    const rows = await connections.reader('audit_log').select()
    expect(rows.length).toBeGreaterThan(100)
    for (const row of rows) {
      const text = Object.values(row).join(' ')
      expect(text).not.toMatch(new RegExp(MARK, 'i'))
      expect(text).not.toMatch(/qn_live_|whsec_|@/)
    }
  })
})

/** Their rows are written when the release goes live: `a publish` tests what happens when they cannot be. */
function isReleased(name: string): boolean {
  return /publish|rollback|data-mode|DELETE \/pages|- to (draft|published)/.test(name)
}

/** The records of the services, without what jobs write at any time: checks of domains, deliveries. */
async function contents(): Promise<object> {
  const rowsOf = (table: string, columns = '*') =>
    connections.reader(table).orderByRaw('rowid').select(columns)
  const projects = await rowsOf('projects')
  const asked = connections.reader('jobs').whereIn('kind', [PUBLISH_PAGES, SCHEDULED_PUBLISH])
  return {
    projects: projects.map((row) =>
      JSON.stringify(row, (name, value) => (/^domain_/.test(name) ? null : value)),
    ),
    jobs: await asked.select('id', 'state'),
    deliveries: await rowsOf('deliveries', 'id'),
    settings: await rowsOf('settings'),
    pages: await rowsOf('pages'),
    assets: await rowsOf('assets'),
    webhooks: await rowsOf('webhooks'),
    keys: await rowsOf('api_keys'),
    members: await rowsOf('members'),
  }
}
