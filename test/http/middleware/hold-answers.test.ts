import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/domain/errors.ts'
import { holdAnswers } from '../../../src/http/middleware/hold-answers.ts'
import { createByteBudget } from '../../../src/limits/byte-budget.ts'
import { contextOf } from '../../support/koa-context.ts'

const MIB = 2 ** 20

/** A service with 10 MiB for answers; each request is answered with the body. */
function service() {
  const budget = createByteBudget({ total: 10 * MIB, share: 1, free: 0 })
  const hold = holdAnswers({ budget, trustProxy: [] })
  const answer = async (body: unknown, method = 'GET') => {
    const ctx = contextOf(method, '/')
    await hold(ctx, async () => {
      ctx.body = body
    })
    return ctx
  }
  /** Bytes that still fit. */
  const room = () => {
    const probe = budget.open('probe')
    let [fits, tooMany] = [0, 10 * MIB + 1]
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1
      if (probe.resize(middle)) fits = middle
      else tooMany = middle
      probe.resize(0)
    }
    return fits
  }
  return { answer, room }
}

describe('an answer', () => {
  test('counts until its client has taken it or is gone', async () => {
    const { answer, room } = service()
    const ctx = await answer('x'.repeat(4 * MIB))
    expect(room()).toBe(6 * MIB)
    ctx.res.emit('close')
    expect(room()).toBe(10 * MIB)
  })

  test('is refused when it does not fit, and then holds nothing', async () => {
    const { answer, room } = service()
    await answer('x'.repeat(8 * MIB))
    await expect(answer('x'.repeat(3 * MIB))).rejects.toThrow(UnavailableError)
    expect(room()).toBe(2 * MIB)
  })

  test('counts once when it shares its bytes with others', async () => {
    const { answer, room } = service()
    const document = Buffer.alloc(4 * MIB)
    const contexts = await Promise.all(Array.from({ length: 50 }, () => answer(document)))
    expect(room()).toBe(6 * MIB)
    for (const ctx of contexts.slice(1)) ctx.res.emit('close')
    expect(room()).toBe(6 * MIB)
    contexts[0]?.res.emit('close')
    expect(room()).toBe(10 * MIB)
  })

  test('is sent whole, in chunks of which one waits in the socket', async () => {
    const { answer } = service()
    const text = 'é'.repeat(200_000)
    const ctx = await answer(text)
    expect(ctx.length).toBe(400_000)
    expect(String(await buffer(ctx.body as Readable))).toBe(text)
  })

  test('counts for a stream what the stream holds, not what it will send', async () => {
    const { answer, room } = service()
    await answer(Readable.from([]))
    expect(room()).toBe(10 * MIB - 128 * 1024)
  })

  test('to HEAD has no body to hold', async () => {
    const { answer, room } = service()
    await answer('x'.repeat(4 * MIB), 'HEAD')
    expect(room()).toBe(10 * MIB)
  })
})

test('a request whose handler fails holds nothing', async () => {
  const budget = createByteBudget({ total: 100, share: 1, free: 0 })
  const hold = holdAnswers({ budget, trustProxy: [] })
  const ctx = contextOf('GET', '/')
  const handler = async () => {
    ctx.state['held'].reading(20)
    throw new Error('broken')
  }
  await expect(hold(ctx, handler)).rejects.toThrow('broken')
  expect(budget.open('other').resize(100)).toBe(true)
})
