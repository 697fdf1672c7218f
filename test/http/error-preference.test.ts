import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIELD_ERROR_CODES } from '../../src/domain/invalid-field.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project, { slug: 'taken', type: 'page' }))).body.data
    .id
})
afterAll(() => service.close())

const PREFER = { Prefer: 'errors=fields' }
const preferring = (method: string, path: string, body?: object, headers: Record<string, string> = PREFER) =>
  service.call(method, path, body, { headers })

const SPECIFIED = { statusCode: 422, name: expect.any(String), message: expect.any(String) }

describe('a client that prefers the fields of errors', () => {
  test('gets every invalid field at once, with a code and a message', async () => {
    const { status, body, headers } = await preferring('POST', '/pages', {
      project_id: project,
      title: '',
      slug: 'a b',
      subroute: 5,
      type: 'news',
      tags: [],
      og_image_url: 'cover.png',
      meta: { title: 'x'.repeat(61), colour: 'red' },
      nav_order: 2_000_000,
    })
    expect(status).toBe(422)
    expect(headers.get('preference-applied')).toBe('errors=fields')
    const codes = Object.fromEntries(
      body.errors.map(({ field, code }: Record<string, string>) => [field, code]),
    )
    expect(codes).toMatchObject({
      title: 'wrong_length',
      slug: 'wrong_format',
      subroute: 'wrong_type',
      type: 'not_allowed',
      og_image_url: 'wrong_format',
      'meta.title': 'wrong_length',
      'meta.colour': 'unknown_field',
      nav_order: 'out_of_range',
    })
    for (const { field, code, message } of body.errors) {
      expect(Object.keys(FIELD_ERROR_CODES)).toContain(code)
      expect(body.message).toContain(`${field}: ${message}`)
    }
  })

  test.each<[what: string, method: string, path: () => string, body: object | undefined, errors: object[]]>([
    ['a missing field', 'POST', () => '/projects', {}, [{ field: 'name', code: 'required' }]],
    [
      'two names of one field',
      'PUT',
      () => `/pages/${page}`,
      { title: 'A', page_name: 'B' },
      [{ field: 'page_name', code: 'contradictory' }],
    ],
    ['a type', 'PUT', () => `/pages/${page}`, { type: 'item' }, [{ field: 'type', code: 'cannot_change' }]],
    [
      'sections',
      'PUT',
      () => `/pages/${page}`,
      { config: { sections: [{}, { type: 'hero', props: 5 }] } },
      [
        { field: 'config.sections[0].type', code: 'required' },
        { field: 'config.sections[1].props', code: 'wrong_type' },
      ],
    ],
    [
      'a query',
      'GET',
      () => `/pages?project_id=${project}&limit=0`,
      undefined,
      [{ field: 'limit', code: 'out_of_range' }],
    ],
    [
      'a repeated parameter',
      'GET',
      () => `/pages?project_id=${project}&limit=1&limit=2`,
      undefined,
      [{ field: 'limit', code: 'given_twice' }],
    ],
    [
      'a number that JSON cannot carry',
      'PUT',
      () => `/pages/${page}`,
      { config: { id: 'NUMBER' } },
      [{ field: 'config.id', code: 'out_of_range' }],
    ],
    [
      'a reserved name',
      'PUT',
      () => `/projects/${project}`,
      { hosting: { mode: 'data_mode' } },
      [{ field: 'hosting.mode', code: 'cannot_change' }],
    ],
    [
      'a parent',
      'POST',
      () => '/pages',
      { slug: 'p', type: 'docs', parent_page: 'page_aaaaaaaaaaaaaaaa' },
      [{ field: 'parent_page', code: 'invalid' }],
    ],
  ])('is told the code of %s', async (_, method, path, body, errors) => {
    const whole = method === 'POST' && path() === '/pages' ? pageBody(project, body) : body
    const sent = JSON.stringify(whole)?.replace('"NUMBER"', '12345678901234567890')
    const answer = await service.call(method, path(), sent, { headers: PREFER })
    expect(answer.body.errors).toEqual(errors.map((error) => expect.objectContaining(error)))
  })

  test('is told which field has a value that is taken', async () => {
    const { status, body } = await preferring('POST', '/pages', pageBody(project, { slug: 'taken' }))
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { field: 'slug', code: 'taken', message: expect.stringContaining('has the slug "taken"') },
    ])
  })

  test.each([
    ['an unknown page', 'GET', '/pages/page_aaaaaaaaaaaaaaaa', 404],
    ['an unknown route', 'GET', '/nowhere', 404],
    ['a page that is not live', 'POST', 'unpublish', 409],
  ])('gets an empty list for an error that is about no field: %s', async (_, method, path, status) => {
    const answer = await preferring(method, path === 'unpublish' ? `/pages/${page}/unpublish` : path)
    expect(answer.status).toBe(status)
    expect(answer.body.errors).toEqual([])
  })

  test('gets at most a hundred fields, and the message says how many more there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`field${n}`, 1]))
    const { body } = await preferring('PUT', `/pages/${page}`, unknown)
    expect(body.errors).toHaveLength(100)
    expect(body.message).toMatch(/And 50 more\.$/)
  })

  test.each([
    'errors=fields',
    'Errors = fields',
    'errors="fields"',
    'respond-async, errors=fields; strict',
    'wait="a, b", errors=fields',
  ])('may write the preference as %s', async (Prefer) => {
    const { body } = await preferring('POST', '/projects', {}, { Prefer })
    expect(body.errors).toHaveLength(1)
  })
})

describe('every other client gets exactly the specified fields', () => {
  test.each([
    undefined,
    'return=minimal',
    'errors',
    'errors=all',
    'errors=all, errors=fields',
    'wait="errors=fields"',
    `errors=fields, ${'x'.repeat(1_000)}`,
  ])('with the preference %s', async (Prefer) => {
    const { body, headers } = await preferring(
      'POST',
      '/projects',
      {},
      Prefer === undefined ? {} : { Prefer },
    )
    expect(body).toEqual(SPECIFIED)
    expect(headers.get('preference-applied')).toBeNull()
    expect(headers.get('vary')).toMatch(/\bPrefer\b/)
  })

  test('on the legacy surface, whatever it prefers', async () => {
    for (const path of ['/v1/projects', '/V1/Projects', '/v1/nowhere']) {
      const { body, headers } = await preferring('POST', path, {})
      expect(body).toEqual({ ...SPECIFIED, statusCode: path === '/v1/nowhere' ? 404 : 422 })
      expect(headers.get('vary') ?? '').not.toMatch(/Prefer/)
    }
  })

  test('while answers that are no errors are the same for all', async () => {
    const plain = await service.call('GET', `/pages/${page}`)
    const preferred = await preferring('GET', `/pages/${page}`)
    expect(preferred.body).toEqual(plain.body)
    expect(preferred.headers.get('preference-applied')).toBeNull()
  })
})

describe('a repeated request', () => {
  test.each([
    ['first', { ...PREFER, 'Idempotency-Key': 'first-prefers' }, { 'Idempotency-Key': 'first-prefers' }],
    ['second', { 'Idempotency-Key': 'second-prefers' }, { ...PREFER, 'Idempotency-Key': 'second-prefers' }],
  ] as const)('is answered by its own preference when only the %s has one', async (which, first, second) => {
    const answers = [
      await preferring('POST', '/projects', {}, first),
      await preferring('POST', '/projects', {}, second),
    ]
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    const withFields = { ...SPECIFIED, errors: [{ field: 'name', code: 'required', message: 'required.' }] }
    const bodies = answers.map(({ body }) => body)
    expect(bodies).toEqual(which === 'first' ? [withFields, SPECIFIED] : [SPECIFIED, withFields])
  })
})
