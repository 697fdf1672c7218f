import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../src/http/app.ts'
import { createApiDocument } from '../../../src/http/openapi/api-document.ts'
import { METHODS } from '../../../src/http/openapi/operation.ts'
import { startService, type TestService } from '../../support/service.ts'
import { routesOf } from './routes-of.ts'

const document = createApiDocument({ themes: ['dark', 'default', 'minimal'], baseUrl: 'http://127.0.0.1' })
/** Enough for an app that is asked for its routes only. */
const SETTINGS = {
  referenceTemplates: fileURLToPath(new URL('../../../templates/api-reference', import.meta.url)),
  sectionsSchema: {},
  themes: [],
  ownHosts: [],
  addresses: { contentUrl: 'http://127.0.0.1/public', sitesDomain: null },
  https: { allowHttp: true, trustProxy: [] },
}

const plain = JSON.parse(JSON.stringify(document))

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

/** The protocol of agents, which is made of this document, and the page of the operator, on loopback only. */
const NOT_OF_THE_API = ['/mcp', '/internal/status']

describe('the document', () => {
  test('is OpenAPI 3.1 to an independent validator', async () => {
    expect(await new Validator().validate(plain)).toEqual({ valid: true })
  })

  test('names every route of the app, and no other', () => {
    const app = createApp({ ...SETTINGS, document: () => document } as never)
    const isApi = (route: string) => !NOT_OF_THE_API.some((path) => route.endsWith(` ${path}`))
    expect([...described].sort()).toEqual(routesOf(app).filter(isApi))
  })

  test('names each operation once', () => {
    const ids = Object.values(plain.paths).flatMap((methods) =>
      Object.values(methods as object).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('refers to nothing that it does not hold', () => {
    const refs = [...JSON.stringify(plain).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    const missing = refs.filter(
      (path) => path.split('/').reduce((at, step) => at?.[step], plain) === undefined,
    )
    expect(refs.length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })

  test('gives each operation a summary, an answer and the errors that any request can meet', () => {
    for (const methods of Object.values(plain.paths)) {
      for (const [method, operation] of Object.entries<Record<string, never>>(methods as never)) {
        expect(METHODS).toContain(method)
        expect(operation['summary']).toBeTypeOf('string')
        const statuses = Object.keys(operation['responses'] ?? {})
        expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
        expect(statuses).toEqual(expect.arrayContaining(['429', '500']))
      }
    }
  })

  test('has no empty text for readers', () => {
    const empty: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || /\/(examples?|default)$/.test(path)) return
      for (const [key, inner] of Object.entries(value)) {
        if (/^(summary|description|operationId|title|name)$/.test(key) && inner === '')
          empty.push(`${path}/${key}`)
        visit(inner, `${path}/${key}`)
      }
    }
    visit(plain, '')
    expect(empty).toEqual([])
  })

  test('states alternatives by anyOf alone, which the reference and the client read', () => {
    expect(JSON.stringify(plain)).not.toContain('"oneOf"')
  })

  test('shows a value in each example of a text that may not be left empty', () => {
    const empty: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'examples' && Array.isArray(inner) && inner[0] === '') empty.push(path)
        visit(inner, `${path}/${key}`)
      }
    }
    visit(plain, '')
    expect(empty.filter((path) => !/\/(title|description)$/.test(path))).toEqual([])
  })

  test.each([
    ['a bound', '/components/schemas/CreatePage/properties/title', { minLength: 1, maxLength: 200 }],
    ['a default', '/components/schemas/CreatePage/properties/description', { default: '', maxLength: 500 }],
    ['a number of a query', '/paths/~1projects/get/parameters/0/schema', { type: 'integer', default: 25 }],
    ['a pattern', '/components/schemas/CreatePage/properties/slug', { pattern: expect.any(String) }],
    [
      'the installed themes',
      '/components/schemas/UpdateSettings/properties/theme',
      { enum: ['dark', 'default', 'minimal'] },
    ],
    ['unknown fields', '/components/schemas/CreatePage', { additionalProperties: false }],
    ['read-only fields', '/components/schemas/UpdatePage/properties/word_count', { readOnly: true }],
    [
      'either of two names',
      '/components/schemas/CreatePage',
      { anyOf: [{ required: ['title'] }, { required: ['page_name'] }] },
    ],
  ])('tells %s that the validation knows', (_, pointer, expected) => {
    const steps = pointer.slice(1).split('/')
    const found = steps.reduce((at, step) => at[step.replaceAll('~1', '/')], plain)
    expect(found).toMatchObject(expected)
  })
})

describe('/openapi.json', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  test('is served without a key, once per client', async () => {
    const { status, headers, body } = await service.call('GET', '/openapi.json', undefined, { key: null })
    expect(status).toBe(200)
    expect(body).toEqual({ ...plain, servers: [{ url: service.url }] })
    const again = await service.call('GET', '/openapi.json', undefined, {
      key: null,
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })
})
