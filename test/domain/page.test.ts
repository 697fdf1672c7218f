import { describe, expect, test } from 'vitest'
import {
  applyEdit,
  newPage,
  type Page,
  type PageEdit,
  revertEdit,
  typeFieldsOf,
} from '../../src/domain/page.ts'
import { randomId } from '../../src/services/new-id.ts'

const EARLY = '2026-01-01T00:00:00.000Z'
const LATE = '2026-01-02T00:00:00.000Z'

const derive = () => ({ wordCount: 0, tags: [], feedGuid: null, contentDigest: '' })
const edit = (page: Page, fields: PageEdit) => applyEdit(page, fields, { now: LATE, derive })
const before = newPage(
  {
    projectId: randomId<'proj'>(),
    title: 'Before',
    slug: 'before',
    subroute: '',
    type: 'article',
    description: '',
    ogImageUrl: null,
    meta: {},
    config: {},
    markdown: '',
    ownFields: {},
  },
  { id: randomId<'page'>(), now: EARLY, derive },
)
const after = edit(before, { title: 'After', slug: 'after' })

describe('an edit that is taken back', () => {
  test('leaves the page as it was, its version too', () => {
    expect(revertEdit(after, { before, after })).toEqual(before)
  })

  test('leaves what an earlier publish has made true meanwhile', () => {
    const live = { status: 'published', publishedAt: LATE, firstPublishedAt: LATE } as const
    expect(revertEdit({ ...after, ...live }, { before, after })).toEqual({ ...before, ...live })
  })

  test('keeps fields that were written again since then', () => {
    const theirs = edit(after, { title: 'Theirs', description: 'Theirs too.' })
    expect(revertEdit(theirs, { before, after })).toMatchObject({
      title: 'Theirs',
      description: 'Theirs too.',
      slug: 'before',
      version: theirs.version + 1,
    })
  })
})

describe('a translation key', () => {
  test.each(['a\tb', 'a\nb', 'a\u0000b', 'a\u0085b', 'x'.repeat(201), ' ', 7])(
    'is one line of up to 200 characters, so not %j',
    (written) => {
      expect(typeFieldsOf({ ...before, config: { translation_key: written } }, {}).translationKey).toBeNull()
      expect(typeFieldsOf(before, { translation_key: written }).translationKey).toBeNull()
      const ownFields = { translationKey: String(written) }
      const own = typeFieldsOf({ ...before, ownFields }, {}).translationKey
      expect(own).toBe(written === 7 ? '7' : null)
    },
  )

  test('has up to 200 characters as people count them, wherever it is written', () => {
    const key = '🗼'.repeat(200)
    expect(typeFieldsOf(before, { translation_key: key }).translationKey).toBe(key)
    expect(typeFieldsOf({ ...before, ownFields: { translationKey: key } }, {}).translationKey).toBe(key)
    expect(typeFieldsOf(before, { translation_key: `${key}🗼` }).translationKey).toBeNull()
  })

  test('is stored without white space around it', () => {
    expect(typeFieldsOf(before, { translation_key: ' über uns\t' }).translationKey).toBe('über uns')
  })
})
