import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createTextSpool,
  keptProperty,
  keptText,
  openTexts,
  type TextPlace,
} from '../../../src/site-build/spill/spill-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function spooling() {
  return (await spoolingIn()).spool
}

async function spoolingIn() {
  const path = join(await temporaryFolder(), 'texts')
  const spool = createTextSpool(path)
  onTestFinished(() => spool.close())
  return { path, spool }
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

describe('texts in a file', () => {
  test('are read as they were put, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (texts, asked) => {
          const spool = await spooling()
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

  test('are read from the file by others once all is in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (groups, asked) => {
          const { path, spool } = await spoolingIn()
          const reader = openTexts(path)
          onTestFinished(() => reader.close())
          const known: (readonly [string, TextPlace])[] = []
          for (const texts of groups) {
            for (const text of texts) {
              const kept = spool.put(text)
              if (kept !== null) known.push([text, kept])
            }
            expect(spool.flush()).toBe(true)
            for (const each of asked) {
              const [text, place] = known[each % Math.max(1, known.length)] ?? []
              if (place) expect(reader.read(place)).toBe(text)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('that are not in the file are told by its name', async () => {
    const { path, spool } = await spoolingIn()
    const kept = spool.put('One text.')
    if (kept === null) throw new Error('Nothing was put.')
    const reader = openTexts(path)
    onTestFinished(() => reader.close())
    expect(() => reader.read(kept)).toThrow(`${path} was cut`)
    spool.flush()
    expect(reader.read(kept)).toBe('One text.')
  })

  test('stay in memory once the file cannot be written, and those that were not written yet are there', async () => {
    const spool = createTextSpool(join(await temporaryFolder(), 'texts'))
    const waiting = spool.put('a'.repeat(100_000))
    spool.close()
    expect(spool.put('b'.repeat(100_000))).toBeNull()
    expect(spool.put('c')).toBeNull()
    expect(spool.flush()).toBe(false)
    expect(waiting?.file.read(waiting)).toBe('a'.repeat(100_000))
  })
})

test('an object whose text lies in a file is as it was, to whoever looks', async () => {
  const spool = await spooling()
  const kept = spool.put('long')
  if (kept === null) throw new Error('Nothing was put.')
  const page = keptProperty('markdown', (text) => text.toUpperCase()).on({ title: 'A' }, kept)
  expect(keptText(page)).toBe(kept)
  expect(JSON.stringify(page)).toBe('{"title":"A","markdown":"LONG"}')
  expect(structuredClone(page)).toEqual({ title: 'A', markdown: 'LONG' })
  expect({ ...page }).toEqual({ title: 'A', markdown: 'LONG' })
  expect(keptText({ ...page })).toBeNull()
})

test('a text that was put, or asked for, right before is not put once more', async () => {
  const spool = await spooling()
  const first = spool.put('One')
  expect(spool.put('One')).toBe(first)
  const second = spool.put('Two')
  expect(second?.start).toBe(3)
  expect(first?.file.read(first)).toBe('One')
  expect(spool.put('One')).toBe(first)
  expect(spool.put('Two')?.start).toBe(6)
})
