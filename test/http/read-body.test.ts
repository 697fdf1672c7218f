import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'

const read = (chunks: readonly Uint8Array[], length: number | null, limit = 1000) => {
  const capacities: number[] = []
  const request = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  )
  const options = { limit, length, onGrow: (capacity: number) => void capacities.push(capacity) }
  return readBody(request, options).then((body) => ({ body, capacities }))
}

describe('a body', () => {
  test('is read in whatever chunks it arrives', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(chunks, fc.boolean(), async (given, isAnnounced) => {
        const whole = Buffer.concat(given)
        const { body } = await read(given, isAnnounced ? whole.length : null)
        expect(Buffer.from(body as Buffer).equals(whole)).toBe(true)
      }),
    )
  })

  test('takes memory for the bytes that arrive, not for those that are announced', async () => {
    const { capacities } = await read([new Uint8Array(10)], 900_000, 1_000_000)
    expect(capacities).toEqual([4096])
  })

  test('takes memory for the rest of an announced length once an eighth of it has arrived', async () => {
    const { capacities } = await read(Array(10).fill(new Uint8Array(10_000)), 100_000, 1_000_000)
    expect(capacities).toEqual([10_000, 100_000])
    expect((await read([new Uint8Array(12_499)], 100_000, 1_000_000)).capacities).toEqual([12_499])
    expect((await read([new Uint8Array(12_500)], 100_000, 1_000_000)).capacities).toEqual([100_000])
  })

  test('takes one buffer for ten thousand chunks of one byte', async () => {
    const { body, capacities } = await read(Array(10_000).fill(new Uint8Array(1)), null, 20_000)
    expect(body).toHaveLength(10_000)
    expect(capacities).toEqual([4096, 8192, 16_384])
  })

  test('is refused when it arrives in many chunks that are very short', async () => {
    const chunks = (bytes: number) => Array(10_001).fill(new Uint8Array(bytes))
    expect((await read(chunks(63), null, 2 ** 20)).body).toBe('too fragmented')
    expect((await read(chunks(64), null, 2 ** 20)).body).toHaveLength(10_001 * 64)
  })

  test('is refused above the limit, announced or not', async () => {
    expect((await read([], 1001)).body).toBe('too large')
    expect((await read([new Uint8Array(600), new Uint8Array(401)], null)).body).toBe('too large')
    expect((await read([new Uint8Array(600), new Uint8Array(400)], null)).body).toHaveLength(1000)
  })

  test('is reported when its client disconnects before the end', async () => {
    const request = new Readable({ read() {} })
    request.push('{"a":')
    const reading = readBody(request, { limit: 1000, length: 10, onGrow() {} })
    request.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    expect(await reading).toBe('ended early')
  })
})
