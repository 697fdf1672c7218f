import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { some } from '../support/long-form.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

const MAX_BYTES = 5 * 1024 * 1024

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
})
afterAll(() => service.close())

/** Every endpoint that reads a body; a publish and an unpublish need none. */
const ENDPOINTS = [
  ['POST', () => '/projects'],
  ['PUT', () => `/projects/${project}`],
  ['PUT', () => `/projects/${project}/settings`],
  ['POST', () => '/pages'],
  ['PUT', () => `/pages/${page}`],
  ['POST', () => `/pages/${page}/publish`],
  ['POST', () => `/pages/${page}/unpublish`],
  ['PUT', () => `/v1/projects/${project}/settings`],
] as const

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const brackets = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('the body of a request', () => {
  test.each([
    ['half an object', '{"title":'],
    ['text that is no JSON', 'title=x'],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"title":"x",}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"title"'],
    ['a number', '1'],
    ['objects nested 33 levels deep', nested(33)],
    ['arrays nested 33 levels deep', brackets(33)],
    ['33 levels behind a text that ends in a backslash', `{"title":"\\\\","config":${nested(32)}}`],
    ['33 levels behind a quote in a text', `{"title":"\\"","config":${nested(32)}}`],
    ['objects nested 200,000 levels deep', nested(200_000)],
    ['brackets that never close', '['.repeat(100_000)],
    ['a __proto__ key', '{"__proto__":{"title":"x"}}'],
    ['a __proto__ key deep inside', '{"config":{"list":[{"__proto__":1}]}}'],
    ['a __proto__ key that is spelled with escapes', '{"\\u005f\\u005fproto\\u005f\\u005f":1}'],
    ['half of a surrogate pair', '{"title":"\\ud83d"}'],
    ['half of a surrogate pair in a key', '{"config":{"\\udc00":1}}'],
    ['bytes that are not UTF-8', Buffer.from('{"title":"\xff"}', 'latin1')],
    ['UTF-8 cut in half', Buffer.from('{"title":"é"}').subarray(0, 11)],
    ['UTF-16', Buffer.from('{"title":"x"}', 'utf16le')],
  ])('is refused by every endpoint with %s', async (_, body) => {
    for (const [method, path] of ENDPOINTS)
      expectRefusal(await service.call(method, path(), body), 'invalid_request')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', ''])(
    'is refused by every endpoint as Content-Type %j',
    async (type) => {
      for (const [method, path] of ENDPOINTS) {
        const answer = await service.call(method, path(), Buffer.from('{}'), {
          headers: { 'Content-Type': type },
        })
        expectRefusal(answer, 'invalid_request', 'application/json')
      }
    },
  )

  test('is refused by every endpoint when it is compressed', async () => {
    const answer = await service.call('POST', '/pages', '{}', { headers: { 'Content-Encoding': 'gzip' } })
    expectRefusal(answer, 'invalid_request', 'Content-Encoding')
  })

  test('is refused by every endpoint that needs an object when it is empty', async () => {
    for (const [method, path] of ENDPOINTS.filter(([, at]) => !/publish$/.test(at())))
      expectRefusal(await service.call(method, path()), 'invalid_request')
  })
})

describe('a well-formed body', () => {
  const put = (body: string | Uint8Array, headers = {}) =>
    service.call('PUT', `/pages/${page}`, body, { headers })

  test.each([
    ['an empty object', '{}'],
    ['white space around the object', ' \r\n\t{} '],
    ['a byte order mark before it', '\ufeff{}'],
    ['an escaped surrogate pair', '{"title":"\\ud83d\\ude00"}'],
    ['brackets and __proto__ in a text', `{"title":"${'['.repeat(40)} __proto__"}`],
    ['brackets behind a quote in a text', `{"title":"\\\\\\"${'['.repeat(40)}"}`],
    ['a key that prototypes have too', '{"config":{"constructor":1,"toString":2,"hasOwnProperty":3}}'],
    ['32 levels', `{"config":${nested(31)}}`],
  ])('is accepted when it has %s', async (_, body) => {
    expect((await put(body)).status).toBe(200)
  })

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"'])(
    'is accepted as Content-Type %j',
    async (type) => {
      expect((await put('{}', { 'Content-Type': type })).status).toBe(200)
    },
  )

  test('is none at all for a publish and an unpublish, with or without a Content-Type', async () => {
    for (const headers of [{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }]) {
      for (const act of ['publish', 'unpublish'])
        expect((await service.call('POST', `/pages/${page}/${act}`, undefined, { headers })).status).toBe(200)
    }
  })

  test('is accepted in pieces of unknown number', async () => {
    const pieces = new ReadableStream({
      async start(controller) {
        for (const piece of ['{"tit', 'le":"In ', 'pieces"}']) controller.enqueue(Buffer.from(piece))
        controller.close()
      },
    })
    expect((await streamed(`/pages/${page}`, pieces)).body.data.title).toBe('In pieces')
  })
})

describe('too large', () => {
  const padded = (bytes: number) => {
    const body = `{"title":"","padding":""}`
    return body.replace('""}', `"${'x'.repeat(bytes - body.length)}"}`)
  }

  test('5 MiB are read, one byte more is 413, announced or not', async () => {
    expectRefusal(
      await service.call('PUT', `/pages/${page}`, padded(MAX_BYTES)),
      'validation_error',
      'padding',
    )
    const announced = await service.call('PUT', `/pages/${page}`, padded(MAX_BYTES + 1))
    expectRefusal(announced, 'payload_too_large', '5 MiB')
    const pieces = ReadableStream.from([Buffer.from(padded(MAX_BYTES)), Buffer.from(' ')])
    expectRefusal(await streamed(`/pages/${page}`, pieces), 'payload_too_large')
  })

  test('a client that sends 64 MiB reads the refusal, and the next request is answered', async () => {
    for (const attempt of some([1, 2, 3])) {
      const answer = await service.call('PUT', `/pages/${page}`, Buffer.alloc(64 * 1024 * 1024, ' '))
      expectRefusal(answer, 'payload_too_large')
      const next = await service.call('PUT', `/pages/${page}`, { title: `Attempt ${attempt}` })
      expect(next.status).toBe(200)
    }
  })
})

async function streamed(path: string, body: ReadableStream) {
  const response = await fetch(service.url + path, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body,
    duplex: 'half',
  })
  const { status, headers } = response
  const answer: Answer = { status, headers, body: await response.json() }
  return answer
}
