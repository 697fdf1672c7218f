import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { readDescription } from '../../src/openapi/read-description.ts'
import { referencePages } from '../../src/openapi/reference-pages.ts'
import { mayInclude } from '../../src/page-text/includes.ts'
import { SHOP } from './shop-api.ts'

function pagesOf(document: object): ReadonlyMap<string, string> {
  const pages = referencePages(document as JsonObject)
  if (typeof pages === 'string') throw new Error(pages)
  return new Map([['index.md', pages.indexPage], ...pages.pages])
}

function messagesOf(text: string): readonly string[] {
  return readDescription(text, 'api.yaml').errors.map(({ message, line }) =>
    `${line ?? ''} ${message}`.trim(),
  )
}

const withPaths = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'A' },
  paths,
  ...more,
})
const ok = { responses: { 200: { description: 'Fine.' } } }

describe('the pages of an API reference', () => {
  const pages = pagesOf(SHOP)
  const page = (path: string) => pages.get(path) ?? ''

  test('there is one for each operation and each tag, named after operationId, or after method and path', () => {
    expect([...pages.keys()]).toEqual([
      'index.md',
      'orders/index.md',
      'orders/get-order.md',
      'orders/delete-order.md',
      'orders/list-orders.md',
      'orders/create-order.md',
      'other/index.md',
      'other/get-ping.md',
    ])
  })

  test('the index lists servers, authorization and the operations of each tag', () => {
    expect(page('index.md')).toContain('`https://eu.shop.example/v2`')
    expect(page('index.md')).toContain('Bearer authentication in the header `Authorization`')
    expect(page('index.md')).toContain('- :badge[GET] [Get an order](orders/get-order.md)')
    expect(page('index.md')).toContain('(orders/delete-order.md) :badge[Deprecated]{warning}')
    expect(page('index.md')).toContain('See [orders](orders/index.md).')
  })

  test('an operation shows its address, its parameters and those of its path', () => {
    expect(page('orders/get-order.md')).toContain(':badge[GET] `https://eu.shop.example/v2/orders/{id}`')
    expect(page('orders/get-order.md')).toContain('::field[id]{type="string" required}\n\nIts id.')
    expect(page('orders/list-orders.md')).toContain('Values: `open`, `paid`.')
  })

  test('a request leaves out what is read-only, a response what is write-only', () => {
    const request = page('orders/create-order.md').split('## Example')[0]
    expect(request).not.toContain('::field[id]')
    expect(request).toContain('::field[number]')
    expect(page('orders/get-order.md')).toContain('::field[id]{type="string" required}')
    expect(page('orders/get-order.md')).not.toContain('::field[number]')
  })

  test('allOf is joined, alternatives can be opened, and a schema within itself is not listed again', () => {
    const text = page('orders/create-order.md')
    expect(text).toContain('::field[payment]{type="Card or Invoice" required}')
    expect(text).toContain(':::details Card')
    expect(text).toContain(':::details Invoice')
    expect(text.match(/::field\[replaces\]\{type="Order"\}/g)).toHaveLength(1)
    expect(text).toContain('::field[items]{type="array of Item"}')
    expect(text).toContain('::field[name]{type="string" default="thing"}')
  })

  test('there are examples in three languages, with the credentials from the environment', () => {
    const text = page('orders/create-order.md')
    expect(text).toContain(
      `curl -X POST 'https://eu.shop.example/v2/orders' \\\n  -H "Authorization: Bearer $TOKEN"`,
    )
    expect(text).toContain('Authorization: `Bearer $' + '{process.env.TOKEN}`')
    expect(text).toContain(`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}`)
    expect(page('other/get-ping.md')).not.toContain('Authorization')
  })

  test('a response shows its stated example, and refers to a status with the same body', () => {
    const text = page('orders/get-order.md')
    expect(text).toContain('```json title="Example"\n{\n  "id": "ord_1",\n  "total": 20\n}\n```')
    expect(text).toContain('### 404\n\nThere is no such order.')
  })

  test('texts of a description keep their CommonMark and get no other syntax of Quoin', () => {
    const text = page('orders/get-order.md')
    expect(text).toContain('[all](../orders/list-orders.md), costs \\$5.')
    expect(text).toContain('\\:::note')
    expect(page('orders/index.md')).toContain('\n## About orders')
  })

  test('headings of a description keep their anchors, and code in them', () => {
    const description = '# About\n\n## The `limit` field {#limit}\n\nText.'
    const index = pagesOf({ ...withPaths({ '/a': { get: ok } }), info: { title: 'A', description } })
    expect(index.get('index.md')).toMatch(/^#+ The `limit` field \{#limit\}$/m)
  })

  test('a text of a description includes no file, in a code span of several lines either', () => {
    const description = 'A `span\n::include{file="secret.md"}\n::code{file="secret.md"} of` lines.'
    const text = pagesOf(withPaths({ '/a': { get: { ...ok, description } } })).get('other/get-a.md') ?? ''
    expect(text).toContain('A `span ::include{file="secret.md"} ::code{file="secret.md"} of` lines.')
    expect(mayInclude(text)).toBe(false)
  })

  test('half a surrogate pair in a name or an example is shown as a replacement character', () => {
    const parameters = [{ name: 'q\ud800', in: 'query', required: true, example: '\udc00' }]
    const text = pagesOf(withPaths({ '/a': { get: { ...ok, parameters } } })).get('other/get-a.md')
    expect(text).toContain('/a?q%EF%BF%BD=%EF%BF%BD')
  })

  test('a value of a server that is an object is not shown as one', () => {
    const servers = [
      { url: 'https://{region}.api.example/{n}', variables: { region: { default: {} }, n: { default: 2 } } },
    ]
    expect(pagesOf(withPaths({ '/a': { get: ok } }, { servers })).get('index.md')).toContain(
      '`https://{region}.api.example/2`',
    )
  })

  test('a chain of 20,000 schemas with a single alternative each is shown as far as it is read', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `S${index}`,
        {
          description: `Schema ${index}`,
          [index % 2 === 0 ? 'oneOf' : 'anyOf']: [{ $ref: `#/components/schemas/S${index + 1}` }],
        },
      ]),
    )
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
    const pages = pagesOf(
      withPaths({ '/a': { post: { ...ok, requestBody: { content } } } }, { components: { schemas } }),
    )
    expect(pages.get('other/post-a.md')).toContain('## Request body')
  })

  test('curl sends a text of a form as it is, also one that begins like the name of a file', () => {
    const schema = {
      properties: { note: { example: '@home' }, picture: { type: 'string', format: 'binary' } },
    }
    const requestBody = { content: { 'multipart/form-data': { schema } } }
    const text = pagesOf(withPaths({ '/a': { post: { ...ok, requestBody } } })).get('other/post-a.md')
    expect(text).toContain("--form-string 'note=@home'")
    expect(text).toContain("-F 'picture=@file'")
  })

  test('two operations never have the same page, whatever their names are', () => {
    const { size } = pagesOf(
      withPaths({
        '/a': { get: { ...ok, operationId: 'same' }, post: { ...ok, operationId: 'Same' } },
        '/b': { get: { ...ok, operationId: 'index' } },
        '/get/a': { get: { ...ok, operationId: 'same' } },
      }),
    )
    expect(size).toBe(6)
  })

  test('a page stays within its limits for a schema that refers to itself in many ways', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `p${index}`,
        { $ref: `#/components/schemas/S${index % 20}` },
      ]),
    )
    const schemas = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`S${index}`, { type: 'object', properties }]),
    )
    const response = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } }
    const pages = pagesOf(
      withPaths(
        { '/a': { get: { responses: { 200: { description: '', ...response } } } } },
        { components: { schemas } },
      ),
    )
    expect((pages.get('other/get-a.md') ?? '').length).toBeLessThan(100_000)
  })
})

describe('a description that cannot be read', () => {
  test('is refused with what to do', () => {
    expect(messagesOf('swagger: "2.0"\n')[0]).toContain('npx swagger2openapi')
    expect(messagesOf('openapi: 4.0.0\n')).toEqual([
      'The file is no OpenAPI description: openapi must say 3.0 or 3.1.',
    ])
    expect(messagesOf('openapi: 3.1.0\n')).toEqual([
      'The description has no paths, so there is no operation to describe.',
    ])
    expect(messagesOf('openapi: 3.1.0\npaths: {\n')[0]).toMatch(/^\d/)
    expect(referencePages(withPaths({}) as JsonObject)).toBe('The description has no operations.')
  })

  test('names the line of a reference to another file, which is never loaded', () => {
    expect(
      messagesOf('openapi: 3.1.0\npaths:\n  /a:\n    $ref: https://elsewhere.example/paths.yaml\n')[0],
    ).toMatch(/^4 \$ref "https:\/\/elsewhere\.example\/paths\.yaml" leads to another file/)
  })

  test('is refused when it is nested too deeply or expands too far', () => {
    const deep = `{"openapi":"3.1.0","paths":${'{"a":'.repeat(500)}1${'}'.repeat(501)}`
    expect(messagesOf(deep)[0]).toContain('nested more than 128 levels deep')
    const laughs = Array.from({ length: 12 }, (_, index) =>
      index === 0
        ? 'a0: &a0 [1,2]'
        : `a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(',')}]`,
    )
    expect(messagesOf(`openapi: 3.1.0\npaths: {}\n${laughs.join('\n')}\n`)).toHaveLength(1)
  })

  test('has at most 2,000 operations', () => {
    const paths = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`/p${index}`, { get: ok }]))
    expect(referencePages(withPaths(paths) as JsonObject)).toContain('2001 operations')
  })
})
