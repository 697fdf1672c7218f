import { Readable } from 'node:stream'
import fc from 'fast-check'
import Koa, { type Context } from 'koa'
import { describe, expect, test } from 'vitest'
import type { ServiceError } from '../../src/domain/errors.ts'
import { readJson, readOptionalJson } from '../../src/http/read-json.ts'
import { createRequestBytes } from '../../src/http/request-bytes.ts'
import { createByteBudget } from '../../src/limits/byte-budget.ts'

/** A request with this body, as Koa hands it to a route. */
function requestWith(body: string | Uint8Array | null, headers: Record<string, string> = {}): Context {
  const bytes = body === null ? null : Buffer.from(body)
  const request = Object.assign(Readable.from(bytes === null ? [] : [bytes], { objectMode: false }), {
    method: 'POST',
    url: '/',
    headers: {
      'content-type': 'application/json',
      ...(bytes !== null && { 'content-length': String(bytes.length) }),
      ...headers,
    },
  })
  const response = { setHeader() {}, getHeader() {}, removeHeader() {}, headersSent: false, socket: null }
  const ctx = new Koa().createContext(request as never, response as never)
  const budget = createByteBudget({ total: 64 * 2 ** 20, share: 1, free: 0 })
  ctx.state['held'] = createRequestBytes(budget, () => 'test')
  return ctx
}

const read = (body: string | Uint8Array, headers?: Record<string, string>) =>
  readJson(requestWith(body, headers))

async function refusalOf(body: string | Uint8Array, headers?: Record<string, string>) {
  const error = await read(body, headers).catch((thrown: unknown) => thrown)
  return error as ServiceError
}

describe('a JSON body', () => {
  test('is read whatever object it is', async () => {
    const object = fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(object, async (value) => {
        const text = JSON.stringify(value)
        expect(JSON.stringify(await read(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test.each([
    ['', 'needs a JSON object'],
    ['{', 'not valid JSON'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['{"a":1}x', 'not valid JSON'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'UTF-8'],
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":[{"\\u005f_proto__":1}]}', '__proto__'],
    ['{"a":"\\ud800"}', 'surrogate'],
    ['{"\\udc00":1}', 'surrogate'],
  ])('is refused when it is %j', async (body, reason) => {
    const error = await refusalOf(body)
    expect(error).toMatchObject({ name: 'invalid_request' })
    expect(error.message).toContain(reason)
  })

  test('names every field that contains U+0000, in a text or in a name', async () => {
    const error = await refusalOf('{"a":["x",{"b":"\\u0000"}],"c\\u0000":1,"d":"\\\\u0000"}')
    expect(error).toMatchObject({ name: 'validation_error' })
    expect(error.fields?.map(({ path }) => path)).toEqual(['a[1].b', 'c\ufffd'])
  })

  test('may be nested 32 levels deep and no deeper, however the brackets are written', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
    expect(await read(nested(32))).toBeTypeOf('object')
    expect((await refusalOf(nested(33))).message).toContain('32')
    expect((await refusalOf(`{"a":${'['.repeat(500_000)}`)).message).toContain('32')
  })

  test('may hold any number of brackets within strings', async () => {
    const text = '[{'.repeat(1_000)
    expect(await read(JSON.stringify({ text, quoted: `\\"${text}` }))).toEqual({ text, quoted: `\\"${text}` })
  })

  test('is refused before it is parsed when it has another content type or is compressed', async () => {
    expect((await refusalOf('{}', { 'content-type': 'text/plain' })).message).toContain('application/json')
    expect((await refusalOf('{}', { 'content-encoding': 'gzip' })).message).toContain('Content-Encoding')
    expect(await read('{}', { 'content-type': 'application/json; charset=utf-8' })).toEqual({})
  })

  test('larger than 5 MiB is refused, and one of just that size is not', async () => {
    const largest = 5 * 1024 * 1024
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`
    expect(await read(body(largest))).toBeTypeOf('object')
    expect(await refusalOf(body(largest + 1))).toMatchObject({ name: 'payload_too_large' })
  })

  test('has at most 100,000 values, however they are nested, and names do not count', async () => {
    const list = (values: number) => `{"a":[${Array(values).fill('0').join()}]}`
    const objects = (count: number) => `{"a":[${Array(count).fill('{"name":"b"}').join()}]}`
    // The object around it and the array are values too.
    expect(await read(list(99_998))).toBeTypeOf('object')
    expect(await read(objects(49_999))).toBeTypeOf('object')
    for (const body of [list(99_999), objects(50_000), `{"a":[${'[],'.repeat(500_000)}`]) {
      const error = await refusalOf(body)
      expect(error).toMatchObject({ name: 'payload_too_large' })
      expect(error.message).toContain('100,000 values')
    }
  })

  test('has at most 10,000 fields in an object, and names the limit that counts', async () => {
    const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"a${i}":0`).join()}}`
    expect(await read(fields(10_000))).toBeTypeOf('object')
    const wide = await refusalOf(fields(10_001))
    expect(wide).toMatchObject({ name: 'invalid_request' })
    expect(wide.message).toContain('10,000 fields')
    expect(await refusalOf(fields(100_000))).toMatchObject({ name: 'payload_too_large' })
  })

  test('counts brackets, commas and colons within texts as text', async () => {
    const text = `\\"[{:,}]`.repeat(50_000)
    expect(await read(JSON.stringify({ text }))).toEqual({ text })
  })

  test.each([
    ['{"a":1e400}', 'a: '],
    ['{"a":-1e400}', 'a: '],
    ['{"a":1e-400}', 'a: '],
    ['{"config":{"list":[0,{"id":12345678901234567890}]}}', 'config.list[1].id: '],
    ['{"a":9007199254740993}', 'a: '],
    ['{"a":0.12345678901234567890}', 'a: '],
    ['{"a":{"b \\u0022":"c","d":[[],[1e999]]}}', 'a.d[1][0]: '],
  ])('with the number of %s is refused, because it would be stored as another one', async (body, field) => {
    const error = await refusalOf(body)
    expect(error).toMatchObject({ name: 'validation_error' })
    expect(error.message).toContain(`${field}is a number that cannot be stored exactly`)
  })

  test('reports 100 such numbers and counts the others', async () => {
    const { message } = await refusalOf(`{"a":[${Array(250).fill('1e999').join()}]}`)
    expect(message.match(/a\[\d+\]: /g)).toHaveLength(100)
    expect(message).toContain('And 150 more.')
  })

  test('keeps every number that a double can hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true }), async (number) => {
        expect(await read(JSON.stringify({ number }))).toEqual({ number: number === 0 ? 0 : number })
      }),
    )
    for (const text of ['0', '-0', '0e999', '1.0', '10E-1', '0.10000000000000001', '1000000000000000000000'])
      expect(await read(`{"number":${text}}`)).toEqual({ number: JSON.parse(text) })
  })

  test('may be left out where it is optional', async () => {
    expect(await readOptionalJson(requestWith(null))).toBeNull()
    expect(await readOptionalJson(requestWith(''))).toBeNull()
    expect(await readOptionalJson(requestWith('{"a":1}'))).toEqual({ a: 1 })
  })

  test('may be asked for twice', async () => {
    const ctx = requestWith('{"a":1}')
    expect(await readJson(ctx)).toEqual(await readJson(ctx))
  })
})
