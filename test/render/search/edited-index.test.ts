import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../../src/domain/artifact.ts'
import { characterOf, type SearchEntry, searchPlace } from '../../../src/domain/search-entry.ts'
import { editedIndex } from '../../../src/render/search/edited-index.ts'
import { encodedHits, hitAt, hitsIn } from '../../../src/render/search/postings.ts'
import { SEARCH_MANIFEST, searchFiles, shardKey } from '../../../src/render/search/search-index.ts'
import { runs } from '../../support/long-form.ts'

const PAGES = 120
const VOCABULARY = Array.from({ length: 4_000 }, (_, n) => `w${(n * 7_919) % 4_000}${'x'.repeat(n % 9)}`)

/** A page that has each word with the chance given. */
function entry(number: number, has: (word: string) => boolean, section = 0): SearchEntry {
  const words = VOCABULARY.filter(has).sort()
  return {
    title: `Page ${number}`,
    path: `/page-${String(number).padStart(3, '0')}`,
    about: words.slice(0, 3).join(' '),
    sections: [{ heading: 'Part', anchor: 'part' }],
    words: words.join(' '),
    places: String.fromCharCode(...words.map((word) => characterOf(searchPlace(section, word.length % 8)))),
  }
}

const SITE = Array.from({ length: PAGES }, (_, n) =>
  entry(n, (word) => (word.length * 31 + n * 7 + Number.parseInt(word.slice(1), 10)) % 5 === 0),
)

const textsOf = (artifacts: readonly Artifact[]) =>
  new Map(artifacts.map(({ key, body }) => [key, Buffer.from(body).toString()]))

/** What the folder holds after the pages were edited, and the shards were read for it. */
function edited(site: readonly SearchEntry[], edits: ReadonlyMap<number, SearchEntry>) {
  const { artifacts, cut } = searchFiles(site)
  const lying = textsOf(artifacts)
  const read: string[] = []
  const index = editedIndex(
    {
      manifest: lying.get(SEARCH_MANIFEST) ?? '',
      cut,
      read(name) {
        read.push(name)
        return lying.get(shardKey(name)) ?? ''
      },
    },
    [...edits].map(([number, after]) => ({ number, before: site[number] as SearchEntry, after })),
  )
  if (index === null) throw new Error('It is not what was written.')
  const kept = [...index.kept].map((key) => [key, lying.get(key)] as const)
  return {
    files: new Map([...kept, ...textsOf(index.artifacts)]),
    cut: index.cut,
    read,
    shards: lying.size - 1,
  }
}

describe('an index of which pages were edited', () => {
  test('is the index of the pages as they are now, whatever words came and went', () => {
    const edit = fc.record({
      number: fc.nat(PAGES - 1),
      step: fc.integer({ min: 1, max: 400 }),
      from: fc.nat(VOCABULARY.length),
      section: fc.nat(3),
    })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const after = new Map(
          edits.map(({ number, step, from, section }) => {
            const gone = new Set(VOCABULARY.filter((_, n) => n >= from && (n - from) % step === 0))
            const own = new Set(SITE[number]?.words.split(' '))
            return [number, entry(number, (word) => own.has(word) !== gone.has(word), section)] as const
          }),
        )
        const whole = searchFiles(SITE.map((page, number) => after.get(number) ?? page))
        const { files, cut } = edited(SITE, after)
        expect(files).toEqual(textsOf(whole.artifacts))
        expect(cut).toEqual(whole.cut)
      }),
      { numRuns: runs(200) },
    )
  })

  test('reads few shards for a few words', () => {
    const own = new Set(SITE[60]?.words.split(' '))
    const { read, shards } = edited(
      SITE,
      new Map([[60, entry(60, (word) => own.has(word) || word === 'w10')]]),
    )
    expect(shards).toBeGreaterThan(20)
    expect(read.length).toBeLessThan(5)
  })

  test('is not made of a shard that is not what was written there', () => {
    const { artifacts, cut } = searchFiles(SITE)
    const manifest = textsOf(artifacts).get(SEARCH_MANIFEST) ?? ''
    const [before] = SITE
    const after = entry(0, () => true)
    expect(
      editedIndex(
        { manifest, cut, read: () => '[]' },
        before === undefined ? [] : [{ number: 0, before, after }],
      ),
    ).toBeNull()
  })
})

test('hits are read as they were written', () => {
  const hit = fc.tuple(fc.nat(2_000_000), fc.nat(1023)).map(([number, place]) => hitAt(number, place))
  fc.assert(
    fc.property(fc.uniqueArray(hit), (hits) => {
      const sorted = hits.toSorted((a, b) => a - b)
      expect(hitsIn(encodedHits(sorted))).toEqual(sorted)
    }),
  )
})
