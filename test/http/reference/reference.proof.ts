import { execFileSync } from 'node:child_process'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiDocument } from '../../../src/http/openapi/api-document.ts'
import { curlSample, jsonSample } from '../../../src/http/reference/code-sample.ts'
import { exampleOf } from '../../../src/http/reference/example-of.ts'
import { inlineMarkdown } from '../../../src/http/reference/inline-markdown.ts'
import { readDocument, type Schema } from '../../../src/http/reference/read-document.ts'
import { referenceView } from '../../../src/http/reference/reference-view.ts'
import { LONG_FORM } from '../../support/long-form.ts'
import { startService, type TestService } from '../../support/service.ts'

const document = createApiDocument({
  themes: ['dark', 'default', 'minimal'],
  baseUrl: 'https://api.example.com',
})
const schemas = Object.entries<Schema>(JSON.parse(JSON.stringify(document.components.schemas)))
const view = referenceView(document)
const operation = (id: string) => {
  const found = view.groups.flatMap(({ operations }) => operations).find((one) => one.id === id)
  if (found === undefined) throw new RangeError(`There is no operation ${id}.`)
  return found
}

describe('an example', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'api')

  test.each(schemas)('is valid for the schema of %s', (name, schema) => {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    validate(exampleOf(schema, readDocument(document)))
    const { anyOf, properties } = schema
    // When one of two fields is required, an example need not contain both.
    const faults = (validate.errors ?? []).filter(
      ({ schemaPath }) =>
        !(properties !== undefined && anyOf !== undefined && schemaPath.startsWith('#/anyOf')),
    )
    expect(faults).toEqual([])
  })

  test('is, as a body, one that the operation takes', () => {
    for (const { operationId, requestBody } of readDocument(document).operations) {
      const media = requestBody?.content['application/json']
      if (media?.example === undefined) continue
      const validate = ajv.compile({ components: document.components, ...media.schema })
      expect(validate(media.example), operationId).toBe(true)
    }
  })
})

describe('the view', () => {
  test('has each operation once, in the group it belongs to', () => {
    const ids = view.groups.flatMap(({ operations }) => operations.map(({ id }) => id))
    expect(ids).toHaveLength(readDocument(document).operations.length)
    expect(new Set(ids).size).toBe(ids.length)
    expect(view.groups.every(({ operations }) => operations.length > 0)).toBe(true)
  })

  test('describes a field as its schema does', () => {
    const { body, either, ignored } = operation('createPage')
    expect(body.find(({ name }) => name === 'project_id')).toMatchObject({ type: 'string', required: true })
    expect(body.find(({ name }) => name === 'description')).toMatchObject({
      required: false,
      rules: ['at most 500 characters', 'default <code>&quot;&quot;</code>'],
    })
    expect(body.find(({ name }) => name === 'author')?.type).toBe('string or object or null')
    expect(body.find(({ name }) => name === 'author')?.fields.map(({ name }) => name)).toEqual([
      'name',
      'avatar',
      'bio',
      'url',
    ])
    expect(either).toEqual(['title', 'page_name'])
    expect(ignored).toContain('word_count')
  })

  test('tells every error of an operation with its meaning', () => {
    const { errors } = operation('unpublishPage')
    expect(errors.map(({ status }) => status)).toEqual([
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(errors.find(({ status }) => status === '409')?.meanings).toEqual([
      '<code>not_published</code>: The page is not live.',
    ])
  })

  test('ends where a schema contains itself', () => {
    const nav = operation('legacyUpdateSettings').body.find(({ name }) => name === 'docs_nav')
    expect(nav?.type).toBe('array of objects')
    expect(JSON.stringify(nav).length).toBeLessThan(5000)
  })
})

describe('a sample', () => {
  test('shows JSON as the JSON with marks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = jsonSample(value).replace(/<[^>]+>/g, '')
        const plain = text
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&')
        expect(plain).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  test('shows a request as a shell takes it apart', () => {
    const body = { text: `It's "quoted" $HOME \`x\` \\ & <b>` }
    const html = curlSample({ method: 'POST', url: 'https://a.example/x?y=1&z=*', withKey: true, body })
    const command = html
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    const args = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; KEY=k; ${command}`], {
      encoding: 'utf8',
    })
    expect(args.split('\0').slice(0, -1)).toEqual([
      'https://a.example/x?y=1&z=*',
      '-H',
      'Authorization: Bearer k',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body, null, 2),
    ])
  })

  test('shows a description as text, whatever stands in it', () => {
    expect(inlineMarkdown('`a<b>` **and** <script>')).toBe(
      '<code>a&lt;b&gt;</code> <strong>and</strong> &lt;script&gt;',
    )
  })
})

describe('/reference', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  const get = (path: string, headers = {}) => service.call('GET', path, undefined, { key: null, headers })

  test.runIf(LONG_FORM)('is valid HTML with an anchor for each operation', async () => {
    const { status, headers, body } = await get('/reference')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const { operationId } of readDocument(document).operations) {
      expect(body).toContain(`id="${operationId}"`)
      expect(body).toContain(`href="#${operationId}"`)
    }
    const rules = {
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'prefer-native-element': 'off',
    } as const
    const report = await new HtmlValidate({ extends: ['html-validate:recommended'], rules }).validateString(
      body,
    )
    expect(
      report.results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)),
    ).toEqual([])
  })

  test('is where a browser that opens / is led to; a client is asked for its key there', async () => {
    const open = (headers: Record<string, string>) =>
      fetch(`${service.url}/`, { redirect: 'manual', headers })
    const led = await open({ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(led.status).toBe(303)
    expect(new URL(led.headers.get('location') ?? '', `${service.url}/`).pathname).toBe('/reference')
    for (const headers of [{ Accept: '*/*' }, { Accept: 'application/json' }]) {
      const asked = await open(headers)
      expect([asked.status, await asked.json()]).toEqual([
        401,
        expect.objectContaining({ name: 'missing_api_key' }),
      ])
    }
    expect((await open({ Accept: 'text/html', Authorization: `Bearer ${service.key}` })).status).toBe(404)
  })

  test('takes at most 200 KB of a connection, compressed as the client prefers', async () => {
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { headers, body } = await get('/reference', { 'Accept-Encoding': accepted })
      expect(headers.get('content-encoding')).toBe(coding)
      expect(headers.get('vary')).toMatch(/accept-encoding/i)
      expect(body).toContain('id="createPage"')
      if (coding !== null) expect(Number(headers.get('content-length'))).toBeLessThan(200_000)
    }
  })

  test('is asked for once, and so is its style', async () => {
    for (const path of ['/reference', '/reference/style.css']) {
      const { headers } = await get(path)
      expect((await get(path, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304)
    }
  })
})
