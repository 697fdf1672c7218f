import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ErrorName, ServiceError } from '../../../src/domain/errors.ts'
import { STATUS } from '../../../src/http/middleware/errors.ts'
import { OPEN_OPERATIONS } from '../../../src/http/open-operations.ts'
import { createErrorResponses } from '../../../src/http/openapi/error-responses.ts'
import { describeErrors, errorsByStatus } from '../../../src/http/openapi/error-schema.ts'
import {
  HEADERS,
  headersOf,
  isCacheable,
  REQUEST_HEADERS,
  requestHeadersOf,
} from '../../../src/http/openapi/headers.ts'
import { createSchemaCollector } from '../../../src/http/openapi/json-schema.ts'
import { json, METHODS, type Operation } from '../../../src/http/openapi/operation.ts'
import { responsesOf } from '../../../src/http/openapi/responses.ts'

const operation = (more: Partial<Operation> = {}): Operation => ({
  id: 'one',
  method: 'get',
  path: '/things/{id}',
  tag: 'Things',
  summary: 'Get a thing',
  answers: [json(200, 'The thing.', z.object({ a: z.string() }))],
  ...more,
})
const statusesOf = (more: Partial<Operation>) =>
  Object.keys(responsesOf(operation(more), createSchemaCollector(), createErrorResponses())).map(Number)

describe('a schema of the document', () => {
  test('is stored once and referred to when it has a name, also from within itself', () => {
    const collector = createSchemaCollector()
    const Tree = z
      .object({
        get children() {
          return z.array(Tree).optional()
        },
      })
      .meta({ id: 'Tree' })
    expect(collector.toJsonSchema(Tree, 'input')).toEqual({ $ref: '#/components/schemas/Tree' })
    expect(collector.toJsonSchema(z.array(Tree), 'input')).toMatchObject({
      items: { $ref: '#/components/schemas/Tree' },
    })
    expect(Object.keys(collector.schemas)).toEqual(['Tree'])
    expect(JSON.stringify(collector.schemas)).not.toContain('$defs')
  })

  test('cannot have the name of another one', () => {
    const collector = createSchemaCollector()
    collector.toJsonSchema(z.object({ a: z.string() }).meta({ id: 'Same' }), 'output')
    expect(() => collector.toJsonSchema(z.object({ b: z.string() }).meta({ id: 'Same' }), 'output')).toThrow(
      /Same/,
    )
  })

  test('keeps the default and the examples of a value that is converted when it is read', () => {
    const { toJsonSchema } = createSchemaCollector()
    const size = z
      .string()
      .transform(Number)
      .meta({ examples: ['5'] })
    expect(toJsonSchema(size.default(5), 'input')).toMatchObject({ default: 5 })
    expect(toJsonSchema(size, 'input')).toMatchObject({ examples: ['5'] })
  })
})

describe('the answers of an operation', () => {
  test('include those that follow from its method, path and schemas', () => {
    expect(statusesOf({ access: 'open' })).toEqual([200, 429, 500, 503])
    expect(statusesOf({})).toEqual([200, 304, 401, 403, 422, 429, 500, 503])
    expect(statusesOf({ params: z.object({ id: z.string() }) })).toContain(404)
    expect(statusesOf({ method: 'put', guarded: true })).toEqual([
      200, 401, 403, 412, 413, 422, 429, 500, 503,
    ])
    expect(statusesOf({ errors: ['conflict'] })).toContain(400)
  })

  test('have as many names of errors as clients can see, each with its meaning', () => {
    const names = Object.keys(STATUS) as ErrorName[]
    const grouped = errorsByStatus([...names, ...names])
    expect(grouped.flatMap(([, group]) => group).toSorted()).toEqual(names.toSorted())
    expect(grouped.map(([status]) => status)).toEqual(
      [...new Set(Object.values(STATUS))].toSorted((a, b) => a - b),
    )
    for (const [status, group] of grouped)
      for (const name of group) {
        expect(STATUS[new ServiceError(name, '').name]).toBe(status)
        expect(describeErrors([name])).toMatch(/^`\w+`: [A-Z].*\.$/)
      }
  })

  test('are stored once when they are equal, and others of the same status under a name of their own', () => {
    const shared = createErrorResponses()
    const refs = [{ a: 1 }, { a: 1 }, { a: 2 }].map((response) => shared.refTo(404, response)['$ref'])
    expect(refs).toEqual(
      ['Error404', 'Error404', 'Error404_2'].map((name) => `#/components/responses/${name}`),
    )
  })
})

describe('the headers of an operation', () => {
  const all = METHODS.flatMap((method) =>
    [undefined, 'open' as const].map((access) =>
      operation({ method, ...(access !== undefined && { access }) }),
    ),
  )

  test('are described, each named once in an answer', () => {
    for (const one of [...all, ...OPEN_OPERATIONS])
      for (const status of [200, 202, 304, 429, 503]) {
        const names = headersOf(one, status)
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(HEADERS).toHaveProperty([name])
      }
  })

  test('say how long to wait exactly where the client must', () => {
    expect(headersOf(operation(), 429)).toContain('Retry-After')
    expect(headersOf(operation(), 404)).not.toContain('Retry-After')
    expect(headersOf(operation({ path: '/public/{id}', access: 'open' }), 503)).toContain('Retry-After')
  })

  test('depend for a request on what the operation does', () => {
    expect(requestHeadersOf(operation({ access: 'open' }))).toEqual([])
    expect(requestHeadersOf(operation())).toContain('If-None-Match')
    expect(requestHeadersOf(operation({ method: 'post' }))).toContain('Idempotency-Key')
    expect(requestHeadersOf(operation({ method: 'put', guarded: true }))).toContain('If-Match')
    for (const one of all)
      for (const name of requestHeadersOf(one)) expect(REQUEST_HEADERS).toHaveProperty([name])
  })

  test('allow 304 only to a GET whose JSON has an entity tag', () => {
    expect(all.filter(isCacheable)).toEqual([operation()])
    expect(
      isCacheable(
        operation({ answers: [{ status: 200, description: 'A.', content: { 'text/html': z.string() } }] }),
      ),
    ).toBe(false)
  })
})

test('operations without a key describe no error that only a key can cause', () => {
  for (const one of OPEN_OPERATIONS) {
    const statuses = Object.keys(responsesOf(one, createSchemaCollector(), createErrorResponses()))
    for (const status of ['401', '403', '422']) expect(statuses).not.toContain(status)
  }
})
