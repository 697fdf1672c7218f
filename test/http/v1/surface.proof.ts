import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/domain/caller.ts'
import { readId } from '../../../src/domain/ids.ts'
import { expectRefusal, type Refusal } from '../../support/refusal.ts'
import { type Answer, startService, type TestService } from '../../support/service.ts'

const NOBODY = 'aaaaaaaaaaaaaaaa'
const DEPRECATION = /^@\d{10}$/

let service: TestService
let project: string
let page: string
let archived: string
let archivedPage: string
let made = 0

beforeAll(async () => {
  service = await startService()
  ;[project, page] = await newSite()
  ;[archived, archivedPage] = await newSite()
  await service.call('PUT', `/projects/${archived}`, { status: 'archived' })
})
afterAll(() => service.close())

async function newSite(): Promise<[project: string, page: string]> {
  const { data } = (await service.call('POST', '/v1/projects', { name: 'Site' })).body
  const body = { project_id: data.id, page_name: 'A page', slug: 'a-page' }
  return [data.id, (await service.call('POST', '/v1/pages', body)).body.data.id]
}

interface Ids {
  readonly project: string
  readonly page: string
}

/** Every endpoint of the legacy table that is about one project. */
const ENDPOINTS: readonly {
  readonly name: string
  readonly needs: Permission
  readonly status: number
  readonly request: (ids: Ids) => readonly [method: string, path: string, body?: object]
}[] = [
  {
    name: 'GET /v1/projects/:id',
    needs: 'read',
    status: 200,
    request: ({ project }) => ['GET', `/v1/projects/${project}`],
  },
  {
    name: 'PUT /v1/projects/:id',
    needs: 'write',
    status: 200,
    request: ({ project }) => ['PUT', `/v1/projects/${project}`, { name: 'New' }],
  },
  {
    name: 'GET /v1/projects/:id/settings',
    needs: 'read',
    status: 200,
    request: ({ project }) => ['GET', `/v1/projects/${project}/settings`],
  },
  {
    name: 'PUT /v1/projects/:id/settings',
    needs: 'write',
    status: 200,
    request: ({ project }) => ['PUT', `/v1/projects/${project}/settings`, { docs_nav: [] }],
  },
  {
    name: 'GET /v1/projects/:id/data-mode',
    needs: 'read',
    status: 200,
    request: ({ project }) => ['GET', `/v1/projects/${project}/data-mode`],
  },
  {
    name: 'POST /v1/projects/:id/data-mode',
    needs: 'publish',
    status: 409,
    request: ({ project }) => ['POST', `/v1/projects/${project}/data-mode`, { action: 'disable' }],
  },
  {
    name: 'GET /v1/pages',
    needs: 'read',
    status: 200,
    request: ({ project }) => ['GET', `/v1/pages?project_id=${project}`],
  },
  {
    name: 'POST /v1/pages',
    needs: 'write',
    status: 201,
    request: ({ project }) => [
      'POST',
      '/v1/pages',
      { project_id: project, page_name: 'New', slug: `new-${++made}` },
    ],
  },
  {
    name: 'GET /v1/pages/:id',
    needs: 'read',
    status: 200,
    request: ({ page }) => ['GET', `/v1/pages/${page}`],
  },
  {
    name: 'PUT /v1/pages/:id',
    needs: 'write',
    status: 200,
    request: ({ page }) => ['PUT', `/v1/pages/${page}`, { page_name: 'New' }],
  },
  {
    name: 'POST /v1/pages/publish',
    needs: 'publish',
    status: 200,
    request: ({ page }) => ['POST', '/v1/pages/publish', { pageId: page }],
  },
  {
    name: 'POST /v1/pages/unpublish',
    needs: 'publish',
    status: 200,
    request: ({ page }) => ['POST', '/v1/pages/unpublish', { pageId: page }],
  },
]

/** Errors look the same on every surface, and say that this one is deprecated. */
function expectLegacyRefusal(answer: Answer, name: Refusal, ...mentions: readonly string[]): void {
  expectRefusal(answer, name, ...mentions)
  expect(answer.headers.get('deprecation')).toMatch(DEPRECATION)
}

describe.each(ENDPOINTS)('$name', ({ needs, status, request }) => {
  const ask = (ids: Ids, key: string | null = service.key) => service.call(...sent(request(ids)), { key })
  const own = () => ({ project, page })
  const sent = ([method, path, body]: ReturnType<typeof request>) => [method, path, body] as const

  test('answers a key with its permission, and says it is deprecated', async () => {
    const key = await service.newKey({ permissions: [needs] })
    const answer = await ask(own(), key)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('deprecation')).toMatch(DEPRECATION)
    if (status < 400) expect(answer.body.success).toBe(true)
  })

  test('refuses a key without it', async () => {
    const others = (['read', 'write', 'publish'] as const).filter((permission) => permission !== needs)
    const key = await service.newKey({ permissions: others })
    expectLegacyRefusal(await ask(own(), key), 'forbidden', needs)
  })

  test('refuses a request without a key, or with a dead one', async () => {
    expectLegacyRefusal(await ask(own(), null), 'missing_api_key')
    expectLegacyRefusal(await ask(own(), `qn_live_${'a'.repeat(38)}`), 'invalid_api_key')
  })

  test('does not find what does not exist, or is another user’s', async () => {
    expectLegacyRefusal(await ask({ project: NOBODY, page: NOBODY }), 'not_found')
    expectLegacyRefusal(await ask({ project: 'x', page: 'x' }), 'not_found')
    const foreign = await service.newKey({ user: await service.newUser() })
    expectLegacyRefusal(await ask(own(), foreign), 'not_found')
  })

  test('refuses a key that is scoped to another project', async () => {
    const key = await service.newKey({ project: readId('proj', archived) ?? expect.unreachable() })
    expectLegacyRefusal(await ask(own(), key), 'project_scope_violation')
  })

  test('takes prefixed ids as well', async () => {
    if (needs === 'publish') await service.call('POST', '/v1/pages/publish', { pageId: page })
    expect((await ask({ project: `proj_${project}`, page: `page_${page}` })).status).toBe(status)
  })

  test('reads an archived project, and changes nothing of it', async () => {
    const answer = await ask({ project: archived, page: archivedPage })
    if (needs === 'read') expect(answer.status).toBe(200)
    else expectLegacyRefusal(answer, 'forbidden', 'archived')
  })
})

describe('the form of a body', () => {
  const writes = ENDPOINTS.filter(({ request }) => request({ project: '', page: '' })[2] !== undefined)

  test.each(writes)('answers in $name before everything but the key', async ({ request }) => {
    const [method, path] = request({ project: NOBODY, page: NOBODY })
    for (const body of ['{', '[]', '5', '{"__proto__":1}', '"x"'])
      expectLegacyRefusal(await service.call(method, path, body), 'invalid_request')
    const headers = { 'Content-Type': 'text/plain' }
    expectLegacyRefusal(await service.call(method, path, '{}', { headers }), 'invalid_request')
    expectLegacyRefusal(await service.call(method, path, '{', { key: null }), 'missing_api_key')
  })
})

describe('of two faults the first in the agreed order answers', () => {
  const reading = () => service.newKey({ permissions: ['read'] })

  test('existence before permission and fields', async () => {
    const key = await reading()
    const answer = await service.call('PUT', `/v1/pages/${NOBODY}`, { slug: 5 }, { key })
    expectLegacyRefusal(answer, 'not_found')
  })

  test('permission before the state of the project and fields', async () => {
    const key = await reading()
    const paths = [`/v1/pages/${archivedPage}`, `/v1/projects/${archived}/settings`]
    for (const path of paths) {
      const body = { page_name: '', docs_nav: 5 }
      expectLegacyRefusal(await service.call('PUT', path, body, { key }), 'forbidden', 'write')
    }
  })

  test('permission before fields, also where nothing can be looked up', async () => {
    const key = await reading()
    for (const [path, need] of [
      ['/v1/pages', 'write'],
      ['/v1/pages/publish', 'publish'],
      ['/v1/pages/unpublish', 'publish'],
    ] as const)
      expectLegacyRefusal(await service.call('POST', path, {}, { key }), 'forbidden', need)
  })

  test('the state of the project before If-Match and fields', async () => {
    const headers = { 'If-Match': '"9-x"' }
    const answer = await service.call('PUT', `/v1/pages/${archivedPage}`, { slug: 5 }, { headers })
    expectLegacyRefusal(answer, 'forbidden', 'archived')
    const action = await service.call('POST', `/v1/projects/${archived}/data-mode`, { action: 5 })
    expectLegacyRefusal(action, 'forbidden', 'archived')
  })

  test('If-Match before the fields', async () => {
    const headers = { 'If-Match': '"9999-x"' }
    for (const [path, body] of [
      [`/v1/pages/${page}`, { slug: 5 }],
      [`/v1/projects/${project}`, { name: 5 }],
      [`/v1/projects/${project}/settings`, { docs_nav: 5 }],
    ] as const)
      expectLegacyRefusal(await service.call('PUT', path, body, { headers }), 'precondition_failed')
  })

  test('the query before existence', async () => {
    const answer = await service.call('GET', `/v1/pages?project_id=${NOBODY}&limit=0`)
    expectLegacyRefusal(answer, 'invalid_request', 'limit')
  })

  test('fields before a conflict', async () => {
    const body = { project_id: project, page_name: '', slug: 'a-page' }
    expectLegacyRefusal(await service.call('POST', '/v1/pages', body), 'validation_error', 'page_name')
  })
})

describe('what only the current surface has', () => {
  test.each([
    ['POST', (): string => `/v1/pages/${page}/publish`],
    ['POST', () => `/v1/pages/${page}/unpublish`],
    ['POST', () => `/v1/pages/${page}/preview`],
    ['GET', () => `/v1/pages/${page}/releases`],
    ['POST', () => `/v1/projects/${project}/publish`],
    ['POST', () => `/v1/projects/${project}/data-mode/enable`],
    ['POST', () => `/v1/projects/${project}/data-mode/disable`],
    ['POST', () => `/v1/projects/${project}/data-mode/regenerate-key`],
    ['GET', () => `/v1/projects/${project}/webhooks`],
    ['GET', () => `/v1/render/${page}`],
    ['PUT', () => '/v1/pages/publish'],
    ['GET', () => '/v1'],
    ['GET', () => '/v1/'],
    ['GET', () => '/v1/v1/pages'],
  ])('%s (%s) is not_found under /v1', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    expectLegacyRefusal(await service.call(method, path(), body), 'not_found')
    expect((await service.call('GET', `/v1/pages/${page}`)).status).toBe(200)
  })
})

test.each([
  ['DELETE', (): string => `/v1/pages/${page}`],
  ['DELETE', () => `/v1/projects/${project}`],
  ['PUT', () => '/v1/users/me'],
  ['PATCH', () => `/v1/pages/${page}`],
])('%s (%s) is method_not_allowed under /v1', async (method, path) => {
  const body = method === 'DELETE' ? undefined : {}
  expectLegacyRefusal(await service.call(method, path(), body), 'method_not_allowed')
  expect((await service.call('GET', `/v1/pages/${page}`)).status).toBe(200)
})

describe('Deprecation', () => {
  test('names a moment that has passed, in the form of RFC 9745', async () => {
    const { headers } = await service.call('GET', '/v1/users/me')
    const seconds = Number(headers.get('deprecation')?.slice(1))
    expect(new Date(seconds * 1000).toISOString()).toBe('2026-11-01T00:00:00.000Z')
  })

  test('is on answers without a body too', async () => {
    const path = `/v1/pages/${page}`
    const etag = (await service.call('GET', path)).headers.get('etag') ?? ''
    const cached = await service.call('GET', path, undefined, { headers: { 'If-None-Match': etag } })
    expect(cached.status).toBe(304)
    expect(cached.headers.get('deprecation')).toMatch(DEPRECATION)
  })

  test('is on no answer of the current surface', async () => {
    for (const path of ['/users/me', '/projects', '/v1x', '/pages/v1', '/healthz'])
      expect((await service.call('GET', path)).headers.get('deprecation')).toBeNull()
  })

  test('is on the refusal of plain HTTP', async () => {
    const strict = await startService({ env: { QUOIN_ALLOW_HTTP: 'false' } })
    try {
      expectLegacyRefusal(await strict.call('GET', '/v1/users/me'), 'forbidden', 'HTTPS')
    } finally {
      await strict.close()
    }
  })
})

test('a POST that is sent again under one Idempotency-Key has its effect once', async () => {
  const body = { project_id: project, page_name: 'Once', slug: 'once' }
  const send = () =>
    service.call('POST', '/v1/pages', body, { headers: { 'Idempotency-Key': 'legacy-once' } })
  const first = await send()
  const again = await send()
  expect(first.status).toBe(201)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('deprecation')).toMatch(DEPRECATION)
})
