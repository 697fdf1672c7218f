import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import type { PageContent } from '../../src/domain/page.ts'
import { derive, deriveForRendering, resolvedFields } from '../../src/page-text/derive.ts'
import { livePage } from '../support/live-page.ts'

const contentOf = (more: Partial<PageContent> = {}): PageContent => ({
  ...livePage({ page: { type: 'article', markdown: 'One two *three*.' } }).page,
  ...more,
})

/** Any content that an author can write. */
const anyChange = fc.record(
  {
    title: fc.string(),
    slug: fc.constantFrom('a', 'b'),
    description: fc.string(),
    markdown: fc.string(),
    config: fc.dictionary(fc.constantFrom('a', 'b'), fc.string()),
    meta: fc.dictionary(fc.constantFrom('title', 'keywords'), fc.string()),
  },
  { requiredKeys: [] },
)

describe('the content digest', () => {
  const digestOf = (content: PageContent) => derive(content).contentDigest

  test('changes with every change an author makes, and with no other', () => {
    fc.assert(
      fc.property(anyChange, anyChange, (one, other) => {
        const [a, b] = [contentOf(one as Partial<PageContent>), contentOf(other as Partial<PageContent>)]
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect(digestOf(a) === digestOf(b)).toBe(isSame)
      }),
    )
  })

  test('does not depend on the order of meta tags', () => {
    expect(digestOf(contentOf({ meta: { title: '1', keywords: '2' } }))).toBe(
      digestOf(contentOf({ meta: { keywords: '2', title: '1' } })),
    )
  })

  test('changes with a front matter field that counts as a field of the page', () => {
    const written = contentOf({ markdown: '---\nauthor: Ada\n---\nText' })
    const changed = contentOf({ markdown: '---\nauthor: Bob\n---\nText' })
    expect(digestOf(written)).not.toBe(digestOf(changed))
    expect(resolvedFields({ ...written, firstPublishedAt: null }).author).toEqual({
      name: 'Ada',
      avatar: null,
    })
  })

  test.each([{ locale: 'fr' }, { translationKey: 'about' }, { locale: 'fr', translationKey: 'about' }])(
    'changes with the language and the translation key of a page: %j',
    (ownFields) => {
      expect(digestOf(contentOf({ ownFields }))).not.toBe(digestOf(contentOf()))
      expect(digestOf(contentOf({ ownFields: { tags: ['fr'], ...ownFields } }))).not.toBe(
        digestOf(contentOf({ ownFields: { tags: ['fr'] } })),
      )
    },
  )

  test('is that of earlier versions for a page without tags, language and translation key', () => {
    expect(digestOf(contentOf({ ownFields: { locale: null, translationKey: null } }))).toBe(
      digestOf(contentOf()),
    )
    expect(digestOf(contentOf())).toBe('W8yJh5Uj-H5MU7K23-W3HUZq4hkesrZxI7uq1C8SXrY')
  })

  test('changes when text moves from one field to the next', () => {
    expect(digestOf(contentOf({ title: 'a', description: 'bc' }))).not.toBe(
      digestOf(contentOf({ title: 'ab', description: 'c' })),
    )
  })
})

describe('the word count', () => {
  test('counts visible text, without front matter, markup and code fences', () => {
    expect(derive(contentOf()).wordCount).toBe(3)
    expect(
      derive(contentOf({ markdown: '---\nauthor: Ada Lovelace\n---\n# One\n\n[two](https://example.com)' }))
        .wordCount,
    ).toBe(2)
  })

  test('counts the text of a page and its sections, and the fields of an item', () => {
    const config: JsonObject = { sections: [{ type: 'hero', title: 'One two', subtitle: 'three' }] }
    expect(derive(contentOf({ type: 'page', config, markdown: 'four five' })).wordCount).toBe(5)
    expect(
      derive(contentOf({ type: 'item', config: { place: 'Old harbour' }, markdown: '' })).wordCount,
    ).toBeGreaterThan(0)
  })

  test('is estimated to within a tenth for a very long text', () => {
    const words = 60_000
    const { wordCount } = derive(contentOf({ markdown: 'word '.repeat(words) }))
    expect(Math.abs(wordCount - words)).toBeLessThan(words / 10)
  })

  test('is computed for a rendered page only if it is an article, which shows it', () => {
    expect(deriveForRendering(contentOf()).wordCount).toBe(3)
    expect(deriveForRendering(contentOf({ type: 'docs' })).wordCount).toBe(0)
    expect(deriveForRendering(contentOf({ type: 'docs' })).contentDigest).toBe(
      derive(contentOf({ type: 'docs' })).contentDigest,
    )
  })
})

function sorted({ meta, ...content }: PageContent): unknown {
  return [content, Object.entries(meta).sort()]
}
