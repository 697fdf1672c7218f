import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServiceError } from '../../../src/domain/errors.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { Page } from '../../../src/domain/page.ts'
import * as current from '../../../src/http/bodies/page-schemas.ts'
import { parseQuery } from '../../../src/http/parse.ts'
import { ListPages, readCreatePage, readUpdatePage } from '../../../src/http/v1/page-schemas.ts'
import { anyPage, THEMES } from '../../support/stored-values.ts'

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return (error as ServiceError).message
  }
  return ''
}

describe('a page that a legacy client creates', () => {
  const BODY = { project_id: 'p', page_name: 'A', slug: 'a' }
  const create = (more: JsonObject = {}) => readCreatePage({ ...BODY, ...more }, THEMES, 'standard')

  test('needs three fields, and is a page by default', () => {
    expect(create()).toMatchObject({
      title: 'A',
      slug: 'a',
      subroute: '',
      type: 'page',
      config: {},
      markdown: '',
    })
    for (const name of Object.keys(BODY))
      expect(messageOf(() => create({ [name]: null }))).toMatch(new RegExp(`^${name}: `))
  })

  test('has no effect from fields that the surface does not have', () => {
    expect(create({ description: 'Text', nav_order: 'first', surprise: {} })).toEqual(create())
  })

  test('is the page that the current surface reads from the same fields', () => {
    fc.assert(
      fc.property(anyPage, ({ projectId, title, slug, subroute, type, config, markdown }) => {
        const body = {
          project_id: projectId,
          title,
          slug,
          subroute,
          type,
          config,
          markdown_content: markdown,
        }
        expect(readCreatePage(body, THEMES, 'standard')).toEqual(
          current.readCreatePage(body, THEMES, 'standard'),
        )
      }),
    )
  })

  test('is refused for the same config as on the current surface', () => {
    const config = { sections: [3], theme: 'none' }
    const body = { ...BODY, subroute: '', type: 'page', config }
    const messages = [readCreatePage, current.readCreatePage].map((read) =>
      messageOf(() => read(body, THEMES, 'standard')),
    )
    expect(messages[0]).toContain('config.sections[0]')
    expect(messages[0]).toBe(messages[1])
  })
})

describe('an edit by a legacy client', () => {
  const [ANY_PAGE] = fc.sample(anyPage, 1) as [Page]
  const update = (body: JsonObject, page: Partial<Page>) =>
    readUpdatePage(body, { ...ANY_PAGE, config: {}, ...page }, THEMES, 'standard')

  test('may change the type, and names none when it does not', () => {
    expect(update({ type: 'post' }, { type: 'docs' }).edit.type).toBe('article')
    expect(update({ type: 'doc' }, { type: 'docs' }).edit.type).toBeUndefined()
    expect(update({}, { type: 'docs' }).edit.type).toBeUndefined()
  })

  test('never makes an item a page, since the surface shows an item as one', () => {
    for (const type of ['page', 'post', 'item'])
      expect(update({ type }, { type: 'item' }).edit.type).toBeUndefined()
  })

  test('to the type page is refused while the stored config is not one of a page', () => {
    const stored = { type: 'docs', config: { sections: 'none' } } as const
    expect(messageOf(() => update({ type: 'page' }, stored))).toContain('config.sections')
    expect(update({ type: 'page', config: {} }, stored).edit).toMatchObject({ type: 'page', config: {} })
    expect(update({ page_name: 'New' }, stored).edit.title).toBe('New')
  })

  test('cannot change the status', () => {
    expect(update({ status: 'published', is_published: true }, { status: 'draft' }).status).toBeNull()
  })
})

test('a list has 20 pages unless the client asks for more, and never over 100', () => {
  const read = (query: string) => parseQuery(ListPages, new URLSearchParams(`project_id=p&${query}`))
  expect(read('')).toEqual({ project_id: 'p', limit: 20, offset: 0 })
  expect(read('limit=100').limit).toBe(100)
  expect(messageOf(() => read('limit=101'))).toContain('limit: ')
})
