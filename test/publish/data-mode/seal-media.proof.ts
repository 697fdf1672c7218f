import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { sealMedia } from '../../../src/publish/data-mode/seal-media.ts'
import { openChunks } from '../../../src/secrets/seal-stream.ts'
import { createLocalFolderStorage } from '../../../src/storage/local-folder.ts'
import type { StreamedBody } from '../../../src/storage/storage.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const KEY = randomBytes(32)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function bodyOf(bytes: Buffer, open = () => Readable.from([bytes], { objectMode: false })): StreamedBody {
  return { size: bytes.length, digest: sha256(bytes), open }
}

describe('sealing a picture', () => {
  test('has an iv of its own each time, a thousand times over', async () => {
    const picture = bodyOf(Buffer.from('The same picture.'))
    const seals = await Promise.all(Array.from({ length: 1_000 }, () => sealMedia(picture, KEY)))
    const files = await Promise.all(seals.map(async ({ open }) => buffer(open())))
    expect(new Set(files.map((file) => file.toString('hex', 0, 12))).size).toBe(1_000)
    expect(new Set(seals.map(({ digest }) => digest)).size).toBe(1_000)
  })

  test('stores the same bytes at each attempt, of which it knows size and digest before', async () => {
    const { size, digest, open } = await sealMedia(bodyOf(Buffer.from('A picture.')), KEY)
    const [first, second] = [await buffer(open()), await buffer(open())]
    expect(second).toEqual(first)
    expect([first.length, sha256(first)]).toEqual([size, digest])
  })

  test('fails before the end when the media store has other bytes than those of the picture', async () => {
    const right = Buffer.from('A picture.')
    for (const wrong of ['B picture.', 'A pictur', 'A picture. And more.']) {
      const torn = bodyOf(right, () => Readable.from([Buffer.from(wrong)], { objectMode: false }))
      await expect(sealMedia(torn, KEY), wrong).rejects.toThrow('The file changed while it was read.')
    }
    // Changed after the first reading: nothing is stored.
    let reads = 0
    const changing = bodyOf(right, () =>
      Readable.from([reads++ === 0 ? right : Buffer.from('B picture.')], { objectMode: false }),
    )
    const storage = createLocalFolderStorage({ root: await temporaryFolder() })
    const body = await sealMedia(changing, KEY)
    await expect(storage.put({ key: 'a.bin', body })).rejects.toThrow('The file changed while it was read.')
    expect(await storage.list('')).toEqual([])
  })

  test('ends when the publish does, although the media store stalls', async () => {
    const controller = new AbortController()
    const stalled = new Readable({ read() {} })
    const sealing = sealMedia(
      bodyOf(Buffer.from('A picture.'), () => stalled),
      KEY,
      controller.signal,
    )
    controller.abort(new Error('Too late.'))
    await expect(sealing).rejects.toThrow('Too late.')
    expect(stalled.destroyed).toBe(true)
  })

  test('takes no more memory for 95 MB than for a few chunks', async () => {
    const CHUNK = 64 * 1024
    const CHUNKS = (95 * 1024 * 1024) / CHUNK
    const chunk = randomBytes(CHUNK)
    const hash = createHash('sha256')
    for (let n = 0; n < CHUNKS; n++) hash.update(chunk)
    let most = 0
    const large: StreamedBody = {
      size: CHUNKS * CHUNK,
      digest: hash.digest('hex'),
      open: () => Readable.from(chunks(), { objectMode: false }),
    }
    async function* chunks() {
      for (let n = 0; n < CHUNKS; n++) {
        const { arrayBuffers, heapUsed } = process.memoryUsage()
        most = Math.max(most, arrayBuffers + heapUsed)
        yield Buffer.from(chunk)
      }
    }
    const storage = createLocalFolderStorage({ root: await temporaryFolder() })
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    await storage.put({ key: 'large.bin', body: await sealMedia(large, KEY) })
    // Less than half of the file, garbage included.
    expect(most - arrayBuffers - heapUsed).toBeLessThan(45 * 1024 * 1024)
    const stored = await storage.open('large.bin')
    const opened = createHash('sha256')
    if (stored !== null) for await (const part of openChunks(stored.stream(), KEY)) opened.update(part)
    expect(opened.digest('hex')).toBe(large.digest)
  })
})
