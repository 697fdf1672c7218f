import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let page: string
let slugs = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())
beforeEach(async () => {
  page = (await service.call('POST', '/pages', pageBody(project, { slug: `page-${++slugs}` }))).body.data.id
})

const etagOf = async (path: string) => (await service.call('GET', path)).headers.get('etag') ?? ''
const edit = () => service.call('PUT', `/pages/${page}`, { title: `Edited ${slugs}` })
const publish = async () => {
  const { status, body } = await service.call('POST', `/pages/${page}/publish`)
  expect(status).toBe(200)
  return body.data.release_id
}
const send = (method: string, path: string, body: unknown, tag: string, more = {}) =>
  service.call(method, path, body, { headers: { 'If-Match': tag, ...more } })
const state = async () => {
  const { body } = await service.call('GET', `/pages/${page}`)
  return { status: body.data.status, published_at: body.data.published_at }
}

/** Each request with the resource whose tag it names. */
const REQUESTS = [
  ['DELETE', '/pages/:page', () => undefined, '/pages/:page'],
  ['POST', '/pages/:page/publish', () => undefined, '/pages/:page'],
  ['POST', '/pages/:page/publish', () => ({ publish_at: '2099-01-01T00:00:00Z' }), '/pages/:page'],
  ['POST', '/pages/:page/publish?dry_run=true', () => undefined, '/pages/:page'],
  ['POST', '/pages/:page/unpublish', () => undefined, '/pages/:page'],
  ['POST', '/pages/:page/rollback', (release: string) => ({ release_id: release }), '/pages/:page'],
  ['POST', '/pages/publish', () => ({ pageId: page }), '/pages/:page'],
  ['POST', '/pages/unpublish', () => ({ pageId: page }), '/pages/:page'],
  ['POST', '/v1/pages/publish', () => ({ pageId: page }), '/v1/pages/:page'],
  ['POST', '/v1/pages/unpublish', () => ({ pageId: page }), '/v1/pages/:page'],
  ['PUT', '/pages/:page', () => ({ title: 'Mine' }), '/pages/:page'],
  ['PUT', '/v1/pages/:page', () => ({ page_name: 'Mine' }), '/v1/pages/:page'],
] as const

describe.each(REQUESTS)('%s %s with If-Match', (method, path, bodyOf, resource) => {
  const at = (template: string) => template.replace(':page', page)

  test('is refused when the page was edited since, with the present tag, and changes nothing', async () => {
    const release = await publish()
    const old = await etagOf(at(resource))
    await edit()
    const before = await state()
    const refused = await send(method, at(path), bodyOf(release), old)
    expect(refused).toMatchObject({ status: 412, body: { name: 'precondition_failed' } })
    expect(refused.headers.get('etag')).toBe(await etagOf(at(resource)))
    expect(await state()).toEqual(before)
    const releases = await service.call('GET', `/pages/${page}/releases`)
    expect(releases.body.meta.total).toBe(1)
    const schedule = await service.call('GET', `/projects/${project}/schedule`)
    expect(JSON.stringify(schedule.body)).not.toContain(page)
  })

  test('is done when the page is as it was read, and the tag of a refusal is such a tag', async () => {
    const release = await publish()
    const refused = await send(method, at(path), bodyOf(release), '"0-x"')
    expect(refused.status).toBe(412)
    const done = await send(method, at(path), bodyOf(release), refused.headers.get('etag') ?? '')
    expect(done.status).toBeLessThan(300)
  })
})

describe('deleting a project or a webhook with If-Match', () => {
  const deleted = async (path: string, change: object) => {
    const old = await etagOf(path)
    await service.call('PUT', path, change)
    const refused = await send('DELETE', path, undefined, old)
    expect(refused).toMatchObject({ status: 412, body: { name: 'precondition_failed' } })
    expect(refused.headers.get('etag')).toBe(await etagOf(path))
    expect((await service.call('GET', path)).status).toBe(200)
    return send('DELETE', path, undefined, refused.headers.get('etag') ?? '')
  }

  test('is refused when the project was changed since', async () => {
    const other = await service.newProject('Other')
    expect((await deleted(`/projects/${other}`, { status: 'archived' })).status).toBe(200)
  })

  test('is refused when the webhook was changed since', async () => {
    const hook = { url: 'https://192.5.6.30/', active: false }
    const { body } = await service.call('POST', `/projects/${project}/webhooks`, hook)
    const path = `/projects/${project}/webhooks/${body.data.id}`
    expect((await deleted(path, { description: 'changed' })).status).toBe(200)
  })
})

test('the settings and the project name their present tags as well', async () => {
  for (const path of [
    `/projects/${project}`,
    `/v1/projects/${project}`,
    `/projects/${project}/settings`,
    `/v1/projects/${project}/settings`,
  ]) {
    const refused = await send('PUT', path, {}, '"0-x"')
    expect(refused.status).toBe(412)
    expect({ path, etag: refused.headers.get('etag') }).toEqual({ path, etag: await etagOf(path) })
  }
})

test('a key that cannot read gets the tag as well', async () => {
  const key = await service.newKey({ permissions: ['publish'] })
  const headers = { 'If-Match': '"0-x"' }
  const refused = await service.call('POST', `/pages/${page}/publish`, undefined, { key, headers })
  expect(refused.status).toBe(412)
  expect(refused.headers.get('etag')).toBe(await etagOf(`/pages/${page}`))
})

test('the answer of a publish, an unpublish and a rollback carries a tag for the next change', async () => {
  const release = await publish()
  let tag = await etagOf(`/pages/${page}`)
  for (const [path, body] of [
    ['unpublish', undefined],
    ['publish', undefined],
    ['rollback', { release_id: release }],
  ] as const) {
    const answer = await send('POST', `/pages/${page}/${path}`, body, tag)
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
    tag = answer.headers.get('etag') ?? ''
  }
  expect((await send('DELETE', `/pages/${page}`, undefined, tag)).status).toBe(200)
})

test('one of many edits and deletions of one version at a time is done', async () => {
  const tag = await etagOf(`/pages/${page}`)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      i % 2 === 0
        ? send('PUT', `/pages/${page}`, { title: `Version ${i}` }, tag)
        : send('DELETE', `/pages/${page}`, undefined, tag),
    ),
  )
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBe(1)
  for (const { status } of answers) expect([200, 404, 412]).toContain(status)
})

test('a refused publish is done when it is repeated under its Idempotency-Key with the present tag', async () => {
  const retry = { 'Idempotency-Key': `retry-${page}` }
  const refused = await send('POST', `/pages/${page}/publish`, undefined, '"0-x"', retry)
  expect(refused.status).toBe(412)
  const tag = refused.headers.get('etag') ?? ''
  const done: Answer = await send('POST', `/pages/${page}/publish`, undefined, tag, retry)
  expect(done.status).toBe(200)
  const repeated = await send('POST', `/pages/${page}/publish`, undefined, tag, retry)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
})

test('the order of the errors holds: permission, state of the project, If-Match, fields', async () => {
  const reader = await service.newKey({ permissions: ['read'] })
  const headers = { 'If-Match': '"0-x"' }
  const forbidden = await service.call('POST', `/pages/${page}/publish`, undefined, { key: reader, headers })
  expect(forbidden.body.name).toBe('forbidden')
  const wrong = await send('POST', `/pages/${page}/publish`, { strict: 'yes' }, '"0-x"')
  expect(wrong.body.name).toBe('precondition_failed')
  const unpublished = await send('POST', `/pages/${page}/unpublish`, undefined, '"0-x"')
  expect(unpublished.body.name).toBe('precondition_failed')
})
