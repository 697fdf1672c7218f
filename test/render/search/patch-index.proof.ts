import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../../src/domain/artifact.ts'
import { characterOf, type SearchEntry, searchPlace } from '../../../src/domain/search-entry.ts'
import { patchIndex } from '../../../src/render/search/patch-index.ts'
import { decodeHits, encodeHits, hitAt } from '../../../src/render/search/postings.ts'
import { SEARCH_MANIFEST, searchFiles, shardKey } from '../../../src/render/search/search-index.ts'
import { runs } from '../../support/long-form.ts'

const PAGES = 120
const VOCABULARY = Array.from({ length: 4_000 }, (_, n) => `w${(n * 7_919) % 4_000}${'x'.repeat(n % 9)}`)

/** A page with the words of the vocabulary that `has` accepts. */
function entry(number: number, has: (word: string) => boolean, section = 0): SearchEntry {
  const words = VOCABULARY.filter(has).sort()
  return {
    title: `Page ${number}`,
    path: `/page-${String(number).padStart(3, '0')}`,
    language: words.length % 3 === 0 ? 'de' : 'en',
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

/** Patches the index of a site. Returns the files of the new index and the names of the shards that were read. */
function patched(site: readonly SearchEntry[], edits: ReadonlyMap<number, SearchEntry>) {
  const { artifacts, layout } = searchFiles(site)
  const stored = textsOf(artifacts)
  const read: string[] = []
  const index = patchIndex(
    {
      manifest: stored.get(SEARCH_MANIFEST) ?? '',
      layout,
      readShard(name) {
        read.push(name)
        return stored.get(shardKey(name)) ?? ''
      },
    },
    [...edits].map(([number, next]) => ({ number, previous: site[number] as SearchEntry, next })),
  )
  if (index === null) throw new Error('A shard was taken for changed.')
  const unchanged = [...index.unchanged].map((key) => [key, stored.get(key)] as const)
  return {
    files: new Map([...unchanged, ...textsOf(index.artifacts)]),
    layout: index.layout,
    read,
    shards: stored.size - 1,
  }
}

describe('patchIndex', () => {
  test('returns the index that a full build of the edited pages returns', () => {
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
        const { files, layout } = patched(SITE, after)
        expect(files).toEqual(textsOf(whole.artifacts))
        expect(layout).toEqual(whole.layout)
      }),
      { numRuns: runs(200) },
    )
  })

  test('reads few shards when few words change', () => {
    const own = new Set(SITE[60]?.words.split(' '))
    const { read, shards } = patched(
      SITE,
      new Map([[60, entry(60, (word) => own.has(word) || word === 'w10')]]),
    )
    expect(shards).toBeGreaterThan(20)
    expect(read.length).toBeLessThan(5)
  })

  test('returns null if a shard was changed after it was written', () => {
    const { artifacts, layout } = searchFiles(SITE)
    const manifest = textsOf(artifacts).get(SEARCH_MANIFEST) ?? ''
    const [previous] = SITE
    const next = entry(0, () => true)
    expect(
      patchIndex(
        { manifest, layout, readShard: () => '[]' },
        previous === undefined ? [] : [{ number: 0, previous, next }],
      ),
    ).toBeNull()
  })
})

test('decoding returns the hits that were encoded', () => {
  const hit = fc.tuple(fc.nat(2_000_000), fc.nat(1023)).map(([number, place]) => hitAt(number, place))
  fc.assert(
    fc.property(fc.uniqueArray(hit), (hits) => {
      const sorted = hits.toSorted((a, b) => a - b)
      expect(decodeHits(encodeHits(sorted))).toEqual(sorted)
    }),
  )
})
