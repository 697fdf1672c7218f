import { createDecipheriv, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSealStream, newIv, openChunks, SEALED_FILE_OVERHEAD } from '../../src/secrets/seal-stream.ts'

const KEY = randomBytes(32)

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const size of sizes) {
    yield bytes.subarray(start, start + size)
    start += size
  }
  yield bytes.subarray(start)
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const sealAs = (plaintext: AsyncIterable<Uint8Array>, key: Uint8Array, iv: Uint8Array) =>
  whole(Readable.from(plaintext, { objectMode: false }).pipe(createSealStream(key, iv)))
const sealed = (plaintext: Uint8Array, key: Uint8Array = KEY) => sealAs(cut(plaintext, []), key, newIv())
const opened = (file: Uint8Array, key: Uint8Array = KEY) => whole(openChunks(cut(file, []), key))

const anySizes = fc.array(fc.nat({ max: 40 }), { maxLength: 8 })

describe('a file that is sealed in chunks', () => {
  test('is the same however it is cut, and opens however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), anySizes, anySizes, async (bytes, ones, others) => {
        const iv = newIv()
        const file = await sealAs(cut(bytes, ones), KEY, iv)
        expect(file).toEqual(await sealAs(cut(bytes, others), KEY, iv))
        expect(file).toHaveLength(bytes.length + SEALED_FILE_OVERHEAD)
        expect(await whole(openChunks(cut(file, others), KEY))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('is iv, ciphertext and tag', async () => {
    const file = await sealed(Buffer.from('Ada'))
    const decipher = createDecipheriv('aes-256-gcm', KEY, file.subarray(0, 12)).setAuthTag(file.subarray(-16))
    expect(decipher.update(file.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')).toBe('Ada')
  })

  test('opens with no other key, and not when it was changed, cut off or made longer', async () => {
    const file = await sealed(Buffer.from('A picture.'))
    await expect(opened(file, randomBytes(32))).rejects.toThrow(RangeError)
    for (let end = 0; end < file.length; end++)
      await expect(opened(file.subarray(0, end)), `${end}`).rejects.toThrow(RangeError)
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(opened(changed), `${at}`).rejects.toThrow(RangeError)
    }
    await expect(opened(Buffer.concat([file, Buffer.from([0])]))).rejects.toThrow(RangeError)
  })
})
