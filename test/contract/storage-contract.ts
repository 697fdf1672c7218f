import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { objectHeaders } from '../../src/domain/artifact.ts'
import type { Storage, StreamedBody } from '../../src/storage/storage.ts'
import { runs } from '../support/long-form.ts'

const UNSAFE_KEYS = [
  '',
  '/',
  '/root.html',
  'folder/',
  'a//b.html',
  '.',
  '..',
  '../up.html',
  'a/../b.html',
  'a/./b.html',
  'a/..',
  'a\\b.html',
  '..\\up.html',
  'nul\0.html',
  'line\n.html',
  'del\u007f.html',
  'half\ud83d.html',
  'k'.repeat(1025),
]

const UNUSUAL_KEYS = [
  'ünï/日本語/😀.html',
  'a b/c d.html',
  '%2e%2e/%2F.html',
  '..a/...',
  '.well-known/x',
  '-rf',
  '~',
  '__proto__/constructor',
  'file.tmp',
  `${'long-'.repeat(40)}/index.html`,
]

/**
 * Tests every promise of `src/storage/storage.ts`. Call it once per adapter.
 *
 * @param create returns an empty storage; called once per test, or per run of a property.
 */
export function testStorageContract(create: () => Promise<Storage>): void {
  describe('reading and writing', () => {
    test('get returns what put stored, byte for byte', async () => {
      const storage = await create()
      const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      await storage.put({ key: 'docs/install/index.html', body })
      expect(await read(storage, 'docs/install/index.html')).toEqual(body)
    })

    test('put replaces a body by a longer, a shorter and an empty one', async () => {
      const storage = await create()
      for (const text of ['one', 'longer than one', 'x', '']) {
        await storage.put({ key: 'a.html', body: Buffer.from(text) })
        expect(String(await read(storage, 'a.html'))).toBe(text)
        expect(String(await readByStream(storage, 'a.html'))).toBe(text)
      }
    })

    test('bodies of 5 MB are read whole and in ranges', async () => {
      const storage = await create()
      const body = randomBytes(5 * 1024 * 1024)
      await storage.put({ key: 'big.bin', body })
      expect((await read(storage, 'big.bin'))?.equals(body)).toBe(true)
      expect((await readByStream(storage, 'big.bin'))?.equals(body)).toBe(true)
      const range = { start: 1_000_000, end: 4_000_000 }
      const part = await readByStream(storage, 'big.bin', range)
      expect(part?.equals(body.subarray(range.start, range.end + 1))).toBe(true)
    })

    test('a slice of a buffer is stored as that slice, and later changes of the buffer have no effect', async () => {
      const storage = await create()
      const whole = Buffer.from('before|body|after')
      await storage.put({ key: 'part.txt', body: whole.subarray(7, 11) })
      whole.fill('x')
      expect(String(await read(storage, 'part.txt'))).toBe('body')
      const got = await storage.get('part.txt')
      got?.fill(0)
      expect(String(await read(storage, 'part.txt'))).toBe('body')
    })

    test('a streamed body is stored byte for byte, and replaces another', async () => {
      const storage = await create()
      const body = randomBytes(3 * 1024 * 1024)
      await storage.put({ key: 'intro.mp4', body: Buffer.from('former') })
      for (const bytes of [body, Buffer.alloc(0)]) {
        await storage.put({ key: 'intro.mp4', body: streamedBody(bytes) })
        expect((await readByStream(storage, 'intro.mp4'))?.equals(bytes)).toBe(true)
      }
    })

    test.each([
      ['longer', (body: Buffer) => Buffer.concat([body, Buffer.from('x')])],
      ['shorter', (body: Buffer) => body.subarray(1)],
      ['of other bytes', (body: Buffer) => Buffer.from(body).fill(1, 700_000, 700_010)],
    ])('a streamed body that is %s than announced leaves the former object', async (_, change) => {
      const storage = await create()
      const body = Buffer.alloc(1024 * 1024, 7)
      await storage.put({ key: 'intro.mp4', body: Buffer.from('former') })
      const put = storage.put({
        key: 'intro.mp4',
        body: { ...streamedBody(body), open: () => Readable.from([change(body)]) },
      })
      await expect(put).rejects.toThrow('The file changed while it was read.')
      expect(String(await read(storage, 'intro.mp4'))).toBe('former')
      expect(await storage.list('')).toEqual(['intro.mp4'])
    })

    test('a streamed body that fails half-way leaves the former object, and its error is the reason', async () => {
      const storage = await create()
      await storage.put({ key: 'intro.mp4', body: Buffer.from('former') })
      async function* failing() {
        yield Buffer.alloc(500_000, 7)
        throw new Error('The disk is gone.')
      }
      const body = { ...streamedBody(Buffer.alloc(1024 * 1024, 7)), open: () => Readable.from(failing()) }
      const [put] = await Promise.allSettled([storage.put({ key: 'intro.mp4', body })])
      expect(reasonsOf(put)).toContain('The disk is gone.')
      expect(String(await read(storage, 'intro.mp4'))).toBe('former')
      expect(await storage.list('')).toEqual(['intro.mp4'])
    })

    test('a streamed body that stalls ends with the signal, is closed, and leaves the former object', async () => {
      const storage = await create()
      await storage.put({ key: 'intro.mp4', body: Buffer.from('former') })
      const stalled = new Readable({ read() {} })
      stalled.push(Buffer.alloc(300_000, 7))
      const body = { ...streamedBody(Buffer.alloc(1024 * 1024, 7)), open: () => stalled }
      const call = new AbortController()
      const put = storage.put({ key: 'intro.mp4', body }, { signal: call.signal })
      const reason = new Error('It took too long.')
      setTimeout(() => call.abort(reason), 50)
      await expect(put).rejects.toBe(reason)
      await expect.poll(() => stalled.destroyed).toBe(true)
      expect(String(await read(storage, 'intro.mp4'))).toBe('former')
      expect(await storage.list('')).toEqual(['intro.mp4'])
    })

    test('after 8 streamed puts to one key, one body is stored whole', async () => {
      const storage = await create()
      const bodies = Array.from({ length: 8 }, (_, version) => uniform(version, 200_000 + version * 9_973))
      await Promise.all(bodies.map((body) => storage.put({ key: 'intro.mp4', body: streamedBody(body) })))
      const left = await read(storage, 'intro.mp4')
      expect(bodies.some((body) => left?.equals(body))).toBe(true)
      expect(await storage.list('')).toEqual(['intro.mp4'])
    })

    test('getting a missing object returns null, and deleting it does nothing', async () => {
      const storage = await create()
      const missing = ['missing.html', 'no/such/folder.html', 'n'.repeat(1000)]
      for (const key of missing) {
        expect(await storage.get(key)).toBeNull()
        expect(await storage.open(key)).toBeNull()
      }
      await storage.delete(missing)
      await storage.delete([])
      expect(await storage.list('')).toEqual([])
    })

    test('the folder of an object, and a path below it, are not objects', async () => {
      const storage = await create()
      await storage.put({ key: 'docs/index.html', body: Buffer.from('x') })
      for (const key of ['docs', 'docs/index.html/index.html']) {
        expect(await storage.get(key)).toBeNull()
        expect(await storage.open(key)).toBeNull()
        await storage.delete([key])
      }
      expect(await storage.list('')).toEqual(['docs/index.html'])
    })

    test('delete removes the given keys and nothing else', async () => {
      const storage = await create()
      for (const key of ['a/1.html', 'a/2.html', 'a.html', 'b/1.html'])
        await storage.put({ key, body: Buffer.from(key) })
      await storage.delete(['a/1.html', 'missing', 'b/1.html', 'a/1.html'])
      expect(await storage.list('')).toEqual(['a.html', 'a/2.html'])
      expect(await storage.get('a/1.html')).toBeNull()
    })

    test.each([
      ['docs', 'docs/index.html'],
      ['docs/index.html', 'docs'],
      ['a/b/c', 'a/b/c/d/e'],
    ])('the object %j is unchanged after a put to %j, whether stored or refused', async (first, second) => {
      const storage = await create()
      await storage.put({ key: first, body: Buffer.from('first') })
      const [put] = await Promise.allSettled([storage.put({ key: second, body: Buffer.from('second') })])
      expect(String(await read(storage, first))).toBe('first')
      expect(await storage.list('')).toEqual(put.status === 'fulfilled' ? [first, second].sort() : [first])
    })

    test('a name can become that of a file once everything in the folder of that name is deleted', async () => {
      const storage = await create()
      await storage.put({ key: 'docs/a/b/index.html', body: Buffer.from('x') })
      await storage.delete(['docs/a/b/index.html'])
      await storage.put({ key: 'docs', body: Buffer.from('file') })
      await storage.delete(['docs'])
      await storage.put({ key: 'docs/index.html', body: Buffer.from('folder') })
      expect(await storage.list('')).toEqual(['docs/index.html'])
    })
  })

  describe('open', () => {
    test('returns size, headers and a strong quoted entity tag', async () => {
      const storage = await create()
      await storage.put({ key: 'docs/index.html', body: Buffer.from('één') })
      const object = await storage.open('docs/index.html')
      expect(object).toMatchObject({ size: 5, headers: objectHeaders('docs/index.html') })
      expect(object?.etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
      await object?.close()
    })

    test('reading only the headers returns those of the key; null where there is no object', async () => {
      const storage = await create()
      await storage.put({ key: 'a/style.css', body: Buffer.from('a{}') })
      expect(await storage.headers('a/style.css')).toEqual(objectHeaders('a/style.css'))
      await storage.put({ key: 'a/plan.svgz', body: Buffer.from([31, 139]) })
      expect(await storage.headers('a/plan.svgz')).toEqual(objectHeaders('a/plan.svgz'))
      expect(await storage.headers('a/other.css')).toBeNull()
      expect(await storage.headers('a')).toBeNull()
    })

    test('the entity tag is stable per body and changes with every replacement', async () => {
      const storage = await create()
      const tags: (string | undefined)[] = []
      for (let version = 100; version < 200; version += 1) {
        await storage.put({ key: 'a.txt', body: Buffer.from(String(version)) })
        tags.push(await etagOf(storage, 'a.txt'))
        expect(await etagOf(storage, 'a.txt')).toBe(tags.at(-1))
      }
      expect(new Set(tags).size).toBe(100)
    })

    test('keeps reading one version while the object is replaced and deleted', async () => {
      const storage = await create()
      const body = randomBytes(1024 * 1024)
      await storage.put({ key: 'a.bin', body })
      const [replaced, deleted] = [await storage.open('a.bin'), await storage.open('a.bin')]
      await storage.put({ key: 'a.bin', body: Buffer.from('new') })
      expect(replaced && (await buffer(replaced.stream())).equals(body)).toBe(true)
      await storage.delete(['a.bin'])
      expect(deleted && (await buffer(deleted.stream())).equals(body)).toBe(true)
    })

    test('a range returns that slice', async () => {
      const storage = await create()
      const body = randomBytes(200)
      await storage.put({ key: 'a.bin', body })
      const position = fc.nat({ max: body.length - 1 })
      await fc.assert(
        fc.asyncProperty(position, position, async (one, other) => {
          const range = { start: Math.min(one, other), end: Math.max(one, other) }
          expect(await readByStream(storage, 'a.bin', range)).toEqual(
            body.subarray(range.start, range.end + 1),
          )
        }),
      )
    })
  })

  describe('list', () => {
    test('is recursive, limited to the prefix and sorted by UTF-16 code unit', async () => {
      const storage = await create()
      const keys = [
        'b.html',
        'a/é.html',
        'a/～.html',
        'a/😀.html',
        'a/Z.html',
        'a/z/1.html',
        'a.html',
        'ab/1.html',
      ]
      for (const key of keys) await storage.put({ key, body: Buffer.from(key) })
      expect(await storage.list('')).toEqual([...keys].sort())
      expect(await storage.list('a/')).toEqual([
        'a/Z.html',
        'a/z/1.html',
        'a/é.html',
        'a/😀.html',
        'a/～.html',
      ])
      expect(await storage.list('a')).toEqual(keys.filter((key) => key.startsWith('a')).sort())
      expect(await storage.list('a/z')).toEqual(['a/z/1.html'])
      expect(await storage.list('a/z/1.html')).toEqual(['a/z/1.html'])
      expect(await storage.list('a/z/1.html/')).toEqual([])
      expect(await storage.list('c/')).toEqual([])
    })

    test('is empty for an empty storage', async () => {
      const storage = await create()
      expect(await storage.list('')).toEqual([])
      expect(await storage.list('docs/')).toEqual([])
    })

    test.each(['../', '/', 'a//', 'a/../', './', 'a\\', '\0'])('refuses the prefix %j', async (prefix) => {
      await expect((await create()).list(prefix)).rejects.toThrow(RangeError)
    })
  })

  describe('keys', () => {
    test.each(UNSAFE_KEYS)('%j is refused by every method', async (key) => {
      const storage = await create()
      await expect(storage.put({ key, body: Buffer.from('x') })).rejects.toThrow(RangeError)
      await expect(storage.get(key)).rejects.toThrow(RangeError)
      await expect(storage.open(key)).rejects.toThrow(RangeError)
      await expect(storage.delete([key])).rejects.toThrow(RangeError)
      expect(await storage.list('')).toEqual([])
    })

    test('an unsafe key among others is refused before anything is deleted', async () => {
      const storage = await create()
      await storage.put({ key: 'a.html', body: Buffer.from('x') })
      await expect(storage.delete(['a.html', '../a.html'])).rejects.toThrow(RangeError)
      expect(await storage.list('')).toEqual(['a.html'])
    })

    test('unusual keys are keys like any other', async () => {
      const storage = await create()
      for (const key of UNUSUAL_KEYS) await storage.put({ key, body: Buffer.from(key) })
      expect(await storage.list('')).toEqual([...UNUSUAL_KEYS].sort())
      for (const key of UNUSUAL_KEYS) expect(String(await read(storage, key))).toBe(key)
      await storage.delete(UNUSUAL_KEYS)
      expect(await storage.list('')).toEqual([])
    })
  })

  describe('many at once', () => {
    test('a reader only ever sees whole bodies while they are replaced', async () => {
      const storage = await create()
      const versions = Array.from({ length: runs(200) }, (_, version) =>
        uniform(version, 1 + ((version * 7919) % 60_000)),
      )
      await storage.put({ key: 'page.html', body: uniform(0, 10) })

      let writing = true
      const torn: string[] = []
      const reads = [0, 0]
      const poll = async (reader: 0 | 1, readOnce: () => Promise<Buffer | null>): Promise<void> => {
        for (; writing; reads[reader] = (reads[reader] ?? 0) + 1) {
          const body = await readOnce()
          if (body === null || !isUniform(body)) torn.push(`read ${reads[reader]}: ${body?.length} bytes`)
          await new Promise(setImmediate)
        }
      }
      const readers = [
        poll(0, () => read(storage, 'page.html')),
        poll(1, () => readByStream(storage, 'page.html')),
      ]
      try {
        // Repeats until both readers have read some bodies, because an adapter may write quickly.
        for (let version = 0; version < versions.length || Math.min(...reads) < 6; version += 1) {
          await storage.put({ key: 'page.html', body: versions[version % versions.length] as Buffer })
          await new Promise(setImmediate)
        }
      } finally {
        writing = false
      }
      await Promise.all(readers)
      expect(torn).toEqual([])
    })

    test('after 32 puts to one key, one body is stored whole', async () => {
      const storage = await create()
      const bodies = Array.from({ length: 32 }, (_, version) => uniform(version, 1000 + version * 997))
      await Promise.all(bodies.map((body) => storage.put({ key: 'new/folder/page.html', body })))
      const left = await read(storage, 'new/folder/page.html')
      expect(bodies.some((body) => left?.equals(body))).toBe(true)
      expect(await storage.list('')).toEqual(['new/folder/page.html'])
    })

    test('a put is never lost to a concurrent delete of another key', async () => {
      const storage = await create()
      for (let round = 0; round < runs(40); round += 1) {
        await storage.put({ key: 'a/b/old.html', body: Buffer.from('old') })
        await Promise.all([
          storage.delete(['a/b/old.html']),
          ...[1, 2, 3].map((n) => storage.put({ key: `a/b/${n}.html`, body: Buffer.from(String(n)) })),
        ])
        expect(await storage.list('')).toEqual(['a/b/1.html', 'a/b/2.html', 'a/b/3.html'])
        await storage.delete(['a/b/1.html', 'a/b/2.html', 'a/b/3.html'])
      }
    })
  })

  test('a call with an aborted signal does nothing and rejects with the reason', async () => {
    const storage = await create()
    await storage.put({ key: 'a.html', body: Buffer.from('old') })
    const reason = new Error('No longer wanted.')
    const signal = AbortSignal.abort(reason)
    for (const call of [
      () => storage.put({ key: 'a.html', body: Buffer.from('new') }, { signal }),
      () => storage.put({ key: 'b.html', body: Buffer.from('new') }, { signal }),
      () => storage.get('a.html', { signal }),
      () => storage.open('a.html', { signal }),
      () => storage.delete(['a.html'], { signal }),
      () => storage.list('', { signal }),
      () => storage.check({ signal }),
    ])
      await expect(call()).rejects.toBe(reason)
    expect(String(await read(storage, 'a.html'))).toBe('old')
    expect(await storage.list('')).toEqual(['a.html'])
  })

  test('a signal that is never aborted changes nothing', async () => {
    const storage = await create()
    const { signal } = new AbortController()
    await storage.check({ signal })
    await storage.put({ key: 'a.html', body: Buffer.from('x') }, { signal })
    expect(String(await storage.get('a.html', { signal }))).toBe('x')
    expect(await storage.list('', { signal })).toEqual(['a.html'])
    await storage.delete(['a.html'], { signal })
    expect(await storage.open('a.html', { signal })).toBeNull()
  })

  test('check resolves on an empty storage and on a full one, and leaves nothing behind', async () => {
    const storage = await create()
    await storage.check()
    await storage.put({ key: 'a.html', body: Buffer.from('x') })
    await storage.check()
    expect(await storage.list('')).toEqual(['a.html'])
  })

  test('a storage is a map from keys to bodies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
        const storage = await create()
        const model = new Map<string, Buffer>()
        for (const next of operations) await applyToBoth(next, storage, model)
        expect(await storage.list('')).toEqual([...model.keys()].sort())
        for (const [key, body] of model) expect(await read(storage, key)).toEqual(body)
      }),
      { numRuns: runs(40) },
    )
  })
}

/** Folders and files have different names, so that no key is a prefix of another. */
const key = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'ü'), { maxLength: 3 }),
    fc.constantFrom('index.html', 'data.json', '😀.txt'),
  )
  .map(([folders, file]) => [...folders, file].join('/'))

const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('put' as const), key, body: fc.uint8Array({ maxLength: 50 }) }),
  },
  fc.record({ does: fc.constant('get' as const), key }),
  fc.record({ does: fc.constant('open' as const), key }),
  fc.record({ does: fc.constant('delete' as const), keys: fc.array(key, { maxLength: 4 }) }),
  fc.record({
    does: fc.constant('list' as const),
    prefix: fc.constantFrom('', 'a', 'a/', 'a/b/', 'a/b/i', 'ü/', 'i'),
  }),
)

type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never

async function applyToBoth(next: Operation, storage: Storage, model: Map<string, Buffer>): Promise<void> {
  if (next.does === 'put') {
    await storage.put(next)
    model.set(next.key, Buffer.from(next.body))
  } else if (next.does === 'get') {
    expect(await read(storage, next.key)).toEqual(model.get(next.key) ?? null)
  } else if (next.does === 'open') {
    expect(await readByStream(storage, next.key)).toEqual(model.get(next.key) ?? null)
  } else if (next.does === 'delete') {
    await storage.delete(next.keys)
    for (const gone of next.keys) model.delete(gone)
  } else {
    const expected = [...model.keys()].filter((stored) => stored.startsWith(next.prefix)).sort()
    expect(await storage.list(next.prefix)).toEqual(expected)
  }
}

/** The messages of a rejection and of its causes. */
function reasonsOf(outcome: PromiseSettledResult<void> | undefined): readonly string[] {
  const reasons: string[] = []
  let reason: unknown = outcome?.status === 'rejected' ? outcome.reason : undefined
  for (; reason instanceof Error; reason = reason.cause) reasons.push(reason.message)
  return reasons
}

async function read(storage: Storage, key: string): Promise<Buffer | null> {
  const body = await storage.get(key)
  return body && Buffer.from(body)
}

async function readByStream(
  storage: Storage,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer | null> {
  const object = await storage.open(key)
  return object && buffer(object.stream(range))
}

async function etagOf(storage: Storage, key: string): Promise<string | undefined> {
  const object = await storage.open(key)
  await object?.close()
  return object?.etag
}

/** A body from which a test can tell whether it is whole: one repeated byte, then their number. */
function uniform(version: number, length: number): Buffer {
  return Buffer.concat([Buffer.alloc(length, 97 + (version % 26)), Buffer.from(`:${length}`)])
}

function isUniform(body: Buffer): boolean {
  const [text = '', length] = body.toString('latin1').split(':')
  return text.length === Number(length) && text === text.charAt(0).repeat(text.length)
}

function streamedBody(bytes: Buffer): StreamedBody {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  )
  return {
    size: bytes.length,
    digest: createHash('sha256').update(bytes).digest('hex'),
    open: () => Readable.from(chunks),
  }
}
