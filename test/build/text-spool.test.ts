import * as fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTextSpool, keptText, withKeptText } from '../../src/build/text-spool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

vi.mock('node:fs', { spy: true })
afterEach(() => {
  vi.mocked(fs.writeSync).mockReset()
})

async function spooling(readAhead: boolean) {
  const spool = createTextSpool(join(await temporaryFolder(), 'texts'), { readAhead })
  onTestFinished(() => spool.close())
  return spool
}

/** Of one byte a letter and of two, with half characters, some longer than what is written at once. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  }),
  fc
    .tuple(fc.constantFrom('a', 'é', 'ж', '\ud800'), fc.nat({ max: 140_000 }))
    .map(([letter, times]) => letter.repeat(times)),
)

describe.each([true, false])('texts in a file, read ahead: %s', (readAhead) => {
  test('are read as they were put, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (texts, asked) => {
          const spool = await spooling(readAhead)
          const kept = texts.map((each) => spool.put(each))
          for (const each of asked) {
            const place = each % Math.max(1, texts.length)
            const one = kept[place]
            if (one) expect(one.file.read(one)).toBe(texts[place])
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('stay in memory from when the disk is full on, and those before are there', async () => {
    const spool = await spooling(readAhead)
    const [before, waiting] = [spool.put('a'.repeat(100_000)), spool.put('b'.repeat(100_000))]
    vi.mocked(fs.writeSync).mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC'), { syscall: 'write' })
    })
    expect(spool.put('c'.repeat(100_000))).toBeNull()
    vi.mocked(fs.writeSync).mockReset()
    expect(spool.put('d')).toBeNull()
    expect(before?.file.read(before)).toBe('a'.repeat(100_000))
    expect(waiting?.file.read(waiting)).toBe('b'.repeat(100_000))
  })
})

test('an object whose text lies in a file is as it was, to whoever looks', async () => {
  const spool = await spooling(true)
  const kept = spool.put('long')
  if (kept === null) throw new Error('Nothing was put.')
  const page = withKeptText({ title: 'A' }, 'markdown', kept)
  expect(keptText(page)).toBe(kept)
  expect(JSON.stringify(page)).toBe('{"title":"A","markdown":"long"}')
  expect(structuredClone(page)).toEqual({ title: 'A', markdown: 'long' })
  expect({ ...page }).toEqual({ title: 'A', markdown: 'long' })
  expect(keptText({ ...page })).toBeNull()
})
