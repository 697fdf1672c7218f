import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertMatch, entityTags } from '../../../src/http/middleware/entity-tags.ts'
import { contextOf } from '../../support/koa-context.ts'

interface Answered {
  readonly method?: string
  readonly status?: number
  readonly version?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cacheControl?: string
}

async function answer(
  body: unknown,
  { method = 'GET', status = 200, version, headers, cacheControl }: Answered = {},
) {
  const ctx = contextOf(method, '/', headers)
  await entityTags(ctx, async () => {
    ctx.body = body
    ctx.status = status
    if (version !== undefined) ctx.state['version'] = version
    if (cacheControl !== undefined) ctx.set('Cache-Control', cacheControl)
  })
  return {
    status: ctx.status,
    etag: String(ctx.response.headers['etag'] ?? ''),
    body: ctx.body,
    type: ctx.response.type,
  }
}

describe('an entity tag', () => {
  test('is the same for the same answer and another one for any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), async (one, key) => {
        const { etag } = await answer({ ...one })
        expect(etag).toMatch(/^"[\w-]{27}"$/)
        expect((await answer({ ...one })).etag).toBe(etag)
        expect((await answer({ ...one, [`${key}!`]: 'more' })).etag).not.toBe(etag)
      }),
    )
  })

  test('starts with the version of a single record', async () => {
    expect((await answer({ a: 1 }, { version: 12 })).etag).toMatch(/^"12-[\w-]{27}"$/)
  })

  test('is that of the JSON that is sent, which is what a string in the same words has', async () => {
    const sent = await answer({ a: 'é' })
    expect(sent).toMatchObject({ body: '{"a":"é"}', type: 'application/json' })
    expect((await answer('{"a":"é"}')).etag).toBe(sent.etag)
  })

  test('is that of the bytes for a large answer, which is sent as bytes', async () => {
    const body = { text: 'é'.repeat(300_000) }
    const text = JSON.stringify(body)
    const expected = createHash('sha1').update(text).digest('base64url')
    const { etag, body: sent, type } = await answer(body, { version: 3 })
    expect(etag).toBe(`"3-${expected}"`)
    expect((sent as Buffer).toString()).toBe(text)
    expect(type).toBe('application/json')
    expect((await answer(text, { headers: { 'if-none-match': `"${expected}"` } })).status).toBe(304)
  })

  test('leaves a large answer to a POST a text, which an Idempotency-Key stores', async () => {
    const text = 'a'.repeat(300_000)
    const stored = await answer(text, { method: 'POST', status: 201 })
    expect(stored.body).toBe(text)
    expect(stored.etag).toBe((await answer(text)).etag)
  })

  test.each([
    ['an error', { a: 1 }, { status: 404 }],
    ['an answer with a secret', { a: 1 }, { cacheControl: 'no-store' }],
    ['bytes', Buffer.from('a'), {}],
    ['a stream', Readable.from(['a']), {}],
    ['a list that is not an object', [1], {}],
  ] as const)('is not on %s', async (_, body, answered) => {
    expect((await answer(body, answered)).etag).toBe('')
  })
})

describe('a client that has the answer', () => {
  test.each(['GET', 'HEAD'])('gets 304 to a %s, also when a proxy weakened the tag', async (method) => {
    const { etag } = await answer({ a: 1 })
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await answer({ a: 1 }, { method, headers: { 'If-None-Match': tag } })).status).toBe(304)
    for (const tag of ['"other"', etag.slice(1, -1), ''])
      expect((await answer({ a: 1 }, { method, headers: { 'If-None-Match': tag } })).status).toBe(200)
  })

  test('gets the whole answer to anything that writes', async () => {
    expect((await answer({ a: 1 }, { method: 'POST', headers: { 'If-None-Match': '*' } })).status).toBe(200)
  })
})

describe('a write with If-Match', () => {
  const matches = (given: string | null, version = 3) => {
    const ctx = contextOf('PUT', '/', given === null ? {} : { 'If-Match': given })
    try {
      assertMatch(ctx, version)
      return true
    } catch (error) {
      expect(error).toMatchObject({ name: 'precondition_failed' })
      return false
    }
  }

  test.each([null, '', '*', ' * ', '"3-abc"', 'W/"3-abc"', '"2-a", "3-b"', '"3-"'])(
    'is accepted with the value %j',
    (given) => {
      expect(matches(given)).toBe(true)
    },
  )

  test.each(['"2-abc"', '3', '"3"', '"33-a"', '"-3-a"', '"abc"', 'anything', '"0x3-a"'])(
    'is refused with the value %j',
    (given) => {
      expect(matches(given)).toBe(false)
    },
  )

  test('is accepted with the tag that was read, whatever other parts of the answer have become', async () => {
    for (const body of [{ a: 1 }, { a: 2 }]) {
      const { etag } = await answer(body, { version: 3 })
      expect(matches(etag, 3)).toBe(true)
      expect(matches(etag, 4)).toBe(false)
    }
  })
})
