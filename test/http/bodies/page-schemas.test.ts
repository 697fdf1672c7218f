import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServiceError } from '../../../src/domain/errors.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { newPage, type Page } from '../../../src/domain/page.ts'
import {
  GetPage,
  ListPages,
  readCreatePage,
  readListPages,
  readUpdatePage,
} from '../../../src/http/bodies/page-schemas.ts'
import { parseQuery } from '../../../src/http/parse.ts'
import { derive } from '../../../src/page-text/derive.ts'
import { anyPage, shownFields, THEMES } from '../../support/stored-values.ts'

const BODY = { project_id: 'p', title: 'A', slug: 'a', subroute: '', type: 'docs' }
const [ANY_PAGE] = fc.sample(anyPage, 1) as [Page]
const PAGE: Page = { ...ANY_PAGE, title: 'Stored', slug: 'ab', type: 'docs', config: {}, markdown: '' }

const create = (more: JsonObject = {}) => readCreatePage({ ...BODY, ...more }, THEMES, 'standard')
const update = (body: JsonObject, page = PAGE) =>
  readUpdatePage(body, page, shownFields(page), THEMES, 'standard')

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return (error as ServiceError).message
  }
  return ''
}

describe('a page that a client creates', () => {
  test('needs five fields, and has defaults for the others', () => {
    expect(create()).toEqual({
      title: 'A',
      slug: 'a',
      subroute: '',
      type: 'docs',
      description: '',
      ogImageUrl: null,
      meta: {},
      config: {},
      markdown: '',
      ownFields: {},
    })
    for (const field of Object.keys(BODY).filter((name) => name !== 'title'))
      expect(messageOf(() => create({ [field]: null }))).toMatch(new RegExp(`^${field}: `))
    expect(messageOf(() => readCreatePage({ ...BODY, title: null }, THEMES, 'standard'))).toMatch(/^title: /)
  })

  test('is read from the fields of any stored page as that page', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const draft = readCreatePage(
          {
            project_id: page.projectId,
            title: page.title,
            slug: page.slug,
            subroute: page.subroute,
            type: page.type,
            description: page.description,
            og_image_url: page.ogImageUrl,
            meta: { ...page.meta },
            config: page.config,
            markdown_content: page.markdown,
          },
          THEMES,
          'standard',
        )
        const { contentDigest } = newPage(
          { ...draft, projectId: page.projectId, ownFields: page.ownFields },
          { id: page.id, now: page.createdAt, derive },
        )
        expect(contentDigest).toBe(page.contentDigest)
      }),
    )
  })

  test('has one title under either name, and refuses two different ones', () => {
    const { title: _, ...others } = BODY
    expect(readCreatePage({ ...others, page_name: 'B' }, THEMES, 'standard').title).toBe('B')
    expect(create({ page_name: 'A' }).title).toBe('A')
    expect(messageOf(() => create({ page_name: 'B' }))).toContain('page_name: is the same field as title')
  })

  test('forgets metadata that is null, and Markdown that is null', () => {
    expect(create({ meta: { title: null, robots: 'none' }, markdown_content: null })).toMatchObject({
      meta: { robots: 'none' },
      markdown: '',
    })
  })

  test.each([
    [{ type: 'post' }, 'article'],
    [{ type: 'doc' }, 'docs'],
  ])('may name its type as the legacy surface does: %j', (body, type) => {
    expect(create(body).type).toBe(type)
  })

  test('is told about every wrong field at once, those within config included', () => {
    const message = messageOf(() =>
      create({
        type: 'page',
        slug: '../etc',
        og_image_url: 'javascript:alert(1)',
        meta: { title: 'a'.repeat(61), other: 1 },
        config: { sections: [{ type: 'hero', props: 3 }], theme: 'none' },
        surprise: true,
      }),
    )
    for (const path of [
      'slug: ',
      'og_image_url: ',
      'meta.title: ',
      'meta.other: ',
      'config.sections[0]',
      'surprise: ',
    ])
      expect(message).toContain(path)
    expect(message).toContain('config.theme: must be one of default, dark, minimal.')
  })

  test('may be the answer about another page, whose read-only fields have no effect', () => {
    expect(create({ id: 'page_x', url: '/x', word_count: -1, stale: 'yes', created_at: null })).toEqual(
      create(),
    )
  })
})

describe('an edit of a page', () => {
  test('touches nothing that it does not name', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const { status, edit } = update({}, page)
        expect(status).toBeNull()
        const { ownFields, ...fields } = edit
        expect(ownFields).toEqual({})
        expect(Object.values(fields).every((value) => value === undefined)).toBe(true)
      }),
    )
  })

  test('keeps a short slug that is stored already, and accepts no new one shorter than 3', () => {
    expect(update({ slug: 'ab' }).edit.slug).toBe('ab')
    expect(update({ slug: 'abc' }).edit.slug).toBe('abc')
    for (const slug of ['ba', 'Abc', '---', 'a b', 'ä-ö', 'a'.repeat(101)])
      expect(messageOf(() => update({ slug }))).toContain('slug: ')
  })

  test('cannot change the type, however the stored type is spelled', () => {
    for (const type of ['docs', 'doc']) expect(update({ type }).edit).not.toHaveProperty('type')
    expect(messageOf(() => update({ type: 'article' }))).toContain('type: is docs and cannot change.')
  })

  test('uses the title that differs from the stored one, under either name', () => {
    expect(update({ title: 'New', page_name: 'Stored' }).edit.title).toBe('New')
    expect(update({ title: 'Stored', page_name: 'New' }).edit.title).toBe('New')
    expect(messageOf(() => update({ title: 'One', page_name: 'Two' }))).toContain('page_name: ')
  })

  test('stores nothing when a field only repeats what config says', () => {
    const page = { ...PAGE, config: { nav_order: 3 }, ownFields: {} }
    expect(update({ nav_order: 3 }, page).edit.ownFields).toEqual({})
    expect(update({ nav_order: 4 }, page).edit.ownFields).toEqual({ navOrder: 4 })
    expect(update({ parent_page: null }, page).edit.ownFields).toEqual({})
  })

  test('empties Markdown with null', () => {
    expect(update({ markdown_content: null }).edit.markdown).toBe('')
  })

  test('is read or refused with a reason, whatever JSON it is', () => {
    const names = ['title', 'slug', 'type', 'status', 'meta', 'config', 'author', 'nav_order', 'parent_page']
    const body = fc.dictionary(fc.constantFrom(...names), fc.jsonValue())
    fc.assert(
      fc.property(body, anyPage, (given, page) => {
        try {
          update(given as JsonObject, page)
        } catch (error) {
          expect(['validation_error', 'missing_required_field']).toContain((error as ServiceError).name)
          expect((error as ServiceError).message).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a list of pages', () => {
  const read = (query: string) =>
    readListPages(parseQuery(ListPages, new URLSearchParams(`project_id=p&${query}`)))

  test('holds everything of the project by default, the last edited first', () => {
    const { filter, paging, meta } = read('')
    expect(Object.values(filter).every((value) => value === null)).toBe(true)
    expect(paging).toEqual({ sort: 'updated_at', order: 'desc', limit: 25, offset: 0 })
    expect(meta).toEqual({ type: 'all', status: 'all' })
  })

  test('is filtered by either name of a type, and its answer repeats the current one', () => {
    expect(read('type=doc')).toMatchObject({ filter: { type: 'docs' }, meta: { type: 'docs' } })
  })

  test('is filtered by addresses in any case, and by dates in UTC', () => {
    expect(read('slug=Open-*&subroute=/Docs/&created_after=2026-03-01').filter).toMatchObject({
      slug: 'open-*',
      subroute: 'docs',
      createdAfter: '2026-03-01T00:00:00.000Z',
    })
  })

  test.each(['type=none', 'status=live', 'sort=title', 'created_after=soon', 'include_content=yes'])(
    'refuses %s by name',
    (wrong) => expect(messageOf(() => read(wrong))).toContain(`${wrong.split('=')[0]}: `),
  )
})

test('a page is read with all its content as JSON, unless the query says otherwise', () => {
  const read = (query: string) => parseQuery(GetPage, new URLSearchParams(query))
  expect(read('')).toEqual({ include_sections: true, include_markdown: true, format: 'json' })
  expect(read('include_sections=0&include_markdown=false&format=markdown')).toEqual({
    include_sections: false,
    include_markdown: false,
    format: 'markdown',
  })
})
