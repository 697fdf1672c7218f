import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { type ErrorName, RateLimitError, ServiceError, UnavailableError } from '../../../src/domain/errors.ts'
import { answerErrors, errorBody, STATUS } from '../../../src/http/middleware/errors.ts'
import { ErrorBody } from '../../../src/http/openapi/error-schema.ts'
import { contextOf } from '../../support/koa-context.ts'

const NAMES = Object.keys(STATUS) as ErrorName[]
const LIMIT = new RateLimitError('Too many.', { window: 'burst', limit: 5, retryAfter: 3 })

async function answerTo(error: unknown) {
  const lines = new PassThrough()
  const ctx = contextOf('GET', '/pages/secret')
  ctx.state['requestId'] = 'req_1'
  await answerErrors({ log: pino(lines), baseUrl: 'https://api.example.com' })(ctx, () =>
    Promise.reject(error),
  )
  lines.end()
  return { status: ctx.status, body: ctx.body, log: await text(lines) }
}

describe('an error', () => {
  test.each(NAMES)('named %s is answered with its status in the head and in the body', async (name) => {
    const { status, body } = await answerTo(new ServiceError(name, 'Why.'))
    expect(status).toBe(STATUS[name])
    expect(body).toEqual({ statusCode: status, name, message: 'Why.' })
    expect(ErrorBody.safeParse(body).error).toBeUndefined()
  })

  test('says for a rate limit how long to wait, as its description says', async () => {
    const { status, body } = await answerTo(LIMIT)
    expect(status).toBe(429)
    expect(body).toMatchObject({ retry_after: 3, limit: 5, window: 'burst' })
    expect(ErrorBody.safeParse(body).error).toBeUndefined()
  })

  test.each([
    new Error('password=hunter2'),
    new TypeError('x is undefined'),
    'text',
    null,
    undefined,
    { name: 'not_found' },
  ])('is answered without any detail when it was unexpected: %j', async (thrown) => {
    const { status, body } = await answerTo(thrown)
    expect(status).toBe(500)
    expect(body).toEqual(errorBody(new Error('another one')))
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  test('is in the log with its request when the service made it, and not when the client did', async () => {
    const { log } = await answerTo(new Error('password=hunter2'))
    expect(JSON.parse(log)).toMatchObject({
      request_id: 'req_1',
      method: 'GET',
      path: '/pages/secret',
      err: { message: 'password=hunter2' },
    })
    for (const error of [LIMIT, new ServiceError('not_found', 'No page.')])
      expect((await answerTo(error)).log).toBe('')
  })
})

test('an answer that there is no room for says when to try again, has no headers of what it replaces and is not logged', async () => {
  const lines = new PassThrough()
  const ctx = contextOf('GET', '/pages/large')
  await answerErrors({ log: pino(lines), baseUrl: 'https://api.example.com' })(ctx, async () => {
    ctx.set({
      ETag: '"one"',
      'Cache-Control': 'private',
      'Content-Encoding': 'gzip',
      'Content-Range': 'bytes 0-1/2',
      'Accept-Ranges': 'bytes',
      Location: '/jobs/one',
      'X-Request-Id': 'req_1',
    })
    throw new UnavailableError('No room.', 7)
  })
  lines.end()
  const { 'retry-after': retryAfter, 'x-request-id': requestId, ...rest } = ctx.response.headers
  expect([ctx.status, retryAfter, requestId]).toEqual([503, '7', 'req_1'])
  expect(Object.keys(rest).filter((name) => !/^(vary|content-(type|length))$/.test(name))).toEqual([])
  expect(await text(lines)).toBe('')
})

test('an answer without an error is left alone', async () => {
  const ctx = contextOf('GET', '/')
  await answerErrors({ log: pino(new PassThrough()), baseUrl: 'https://api.example.com' })(ctx, async () => {
    ctx.body = 'fine'
  })
  expect(ctx).toMatchObject({ status: 200, body: 'fine' })
})
