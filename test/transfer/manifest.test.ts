import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { ASSET_PLACES } from '../../src/transfer/asset-places.ts'
import {
  digestOf,
  type Manifest,
  manifestText,
  readManifest,
  unfinishedText,
} from '../../src/transfer/manifest.ts'
import { anyInstant, anyPage, anyProject, anySettings, anyTitle } from '../support/stored-values.ts'

const anyState = fc.record(
  { isArchived: fc.constant(true as const), scheduled: fc.record({ at: anyInstant, strict: fc.boolean() }) },
  { requiredKeys: [] },
)
const anyValues = anyPage.map(
  ({ type, title, slug, subroute, description, ogImageUrl, meta, config, markdown, ownFields }) => {
    const { parentPage: _, ...fields } = ownFields
    const parent = type === 'docs' ? { subroute, slug: 'index' } : null
    return {
      type,
      title,
      slug,
      subroute,
      description,
      ogImageUrl,
      meta,
      config,
      markdown,
      ownFields: fields,
      parent,
    }
  },
)
const anyManifest: fc.Arbitrary<Omit<Manifest, 'format'>> = fc.record({
  home: anyProject.map(({ hosting, context, legacySettings }) => ({
    status: 'active' as const,
    hosting,
    context,
    legacySettings,
  })),
  site: fc.record({ digest: anyTitle, name: anyTitle, settings: anySettings }, { requiredKeys: ['digest'] }),
  pages: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,5}\.md$/),
    fc.tuple(anyState, anyValues).map(([state, values]) => ({ digest: 'd', ...state, values })),
    { maxKeys: 3 },
  ),
  aside: fc.array(
    fc
      .tuple(anyState, anyValues)
      .map(([state, values]) => ({ ...values, ...state, source: 'a.md', draft: true })),
    { maxLength: 2 },
  ),
  assets: fc.array(
    fc.record({
      name: fc.constantFrom('a.png', 'team/ada lovelace.jpg', '__proto__', 'é@2x+.webp'),
      digest: fc.stringMatching(/^[0-9a-f]{64}$/),
      place: fc.constantFrom(...ASSET_PLACES),
      alt: anyTitle,
      title: anyTitle,
      focus: fc.option(fc.record({ x: fc.double({ min: 0, max: 1, noNaN: true }), y: fc.constant(0.25) })),
    }),
    { maxLength: 2 },
  ),
})

describe('the manifest of an export', () => {
  test('is read as it was written, whatever the project holds', () => {
    fc.assert(
      fc.property(anyManifest, (manifest) => {
        expect(readManifest(manifestText(manifest))).toEqual({ format: 1, ...manifest })
      }),
    )
  })

  test('has after an interrupted export the digests that each file may have', () => {
    const unfinished = { 'a.md': ['1', '2'], 'site.yaml': [] }
    expect(readManifest(unfinishedText(unfinished))).toEqual({ format: 1, unfinished })
  })

  test('is a text for people too: indented, with a line end at its end', () => {
    expect(unfinishedText({})).toBe('{\n  "format": 1,\n  "unfinished": {}\n}\n')
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"format":1}',
    '{"format":2,"unfinished":{}}',
    '"a"',
    '{"unfinished":{}}',
  ])('is null for %j, which no export of this version wrote', (text) => expect(readManifest(text)).toBeNull())

  test('with any value damaged is read whole or not at all, and never throws', () => {
    const whole = manifestText({
      home: { status: 'active', hosting: DEFAULT_HOSTING, context: '', legacySettings: {} },
      site: { digest: 'd' },
      pages: { 'a.md': { digest: 'd', isArchived: true } },
      aside: [],
      assets: [],
    })
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length }),
        fc.nat({ max: 40 }),
        fc.string({ maxLength: 3 }),
        (at, length, by) => {
          const read = readManifest(whole.slice(0, at) + by + whole.slice(at + length))
          if (read !== null && 'home' in read) expect(readManifest(manifestText(read))).toEqual(read)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('a digest tells any two contents apart, and a text is its bytes in UTF-8', () => {
  expect(digestOf('é')).toBe(digestOf(new TextEncoder().encode('é')))
  expect(digestOf('a')).not.toBe(digestOf('a\n'))
  expect(digestOf('')).toMatch(/^[\w-]{43}$/)
})
