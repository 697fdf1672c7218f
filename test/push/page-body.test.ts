import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DataOf } from '../../src/client/routes.ts'
import type { SitePage } from '../../src/content-folder/site.ts'
import { applyEdit, type Page } from '../../src/domain/page.ts'
import { readUpdatePage, UpdatePage } from '../../src/http/bodies/page-schemas.ts'
import { presentPage } from '../../src/http/current/present.ts'
import { derive, resolvedFields } from '../../src/page-text/derive.ts'
import { createBody, differentFields, updateBody } from '../../src/push/page-body.ts'
import { anyPage, anyProject, shownFields, THEMES } from '../support/stored-values.ts'

type ApiPage = DataOf<'GET /pages/{id}'>

const LATER = '2100-01-01T00:00:00.000Z'
const [PROJECT] = fc.sample(anyProject, 1)

/** The page as the server shows it to a client. */
function shown(page: Page): ApiPage {
  if (PROJECT === undefined) throw new RangeError('fast-check made no project.')
  const details = {
    page,
    fields: resolvedFields(page),
    home: { project: PROJECT, siteRoutes: {} },
    difference: { hasUnpublishedChanges: false, stale: [] },
    scheduledAt: null,
    source: null,
  }
  return JSON.parse(JSON.stringify(presentPage(details)))
}

/** The page as a file of its type holds it. */
function sitePage(page: Page): SitePage {
  const { publishDate, author, navOrder, locale, translationKey } = page.ownFields
  const article = {
    ...(publishDate !== undefined && { publishDate }),
    ...(author !== undefined && { author }),
  }
  const docs = navOrder === undefined ? {} : { navOrder }
  const ownFields = {
    ...(page.type === 'article' ? article : page.type === 'docs' ? docs : {}),
    ...(locale !== undefined && { locale }),
    ...(translationKey !== undefined && { translationKey }),
  }
  return { ...page, ownFields, source: 'a.md', parent: null, draft: false }
}

/** What the server stores after it received the body. */
function updated(page: Page, body: ReturnType<typeof updateBody>): Page {
  const received = JSON.parse(JSON.stringify(body))
  const { edit } = readUpdatePage(received, page, shownFields(page), THEMES, 'standard')
  return applyEdit(page, edit, { now: LATER, derive })
}

describe('the body that updates a page from its file', () => {
  test('leaves the server with nothing that differs from the file', () => {
    fc.assert(
      fc.property(anyPage, anyPage, (stored, written) => {
        const page = { ...stored, type: written.type, slug: `${stored.slug}xx`, ...derive(stored) }
        const file = sitePage({ ...written, slug: page.slug })
        const body = updateBody(file, null)
        const next = updated(page, body)
        expect(differentFields(body, file, shown(next))).toEqual([])
      }),
    )
  })

  test('has every field of pages but the type, which cannot change, the status, which publishing sets, and the source', () => {
    const [page] = fc.sample(anyPage, 1) as [Page]
    const sent = (type: Page['type']) => Object.keys(updateBody(sitePage({ ...page, type }), null))
    const fields = Object.keys(UpdatePage.shape).filter(
      (name) => !['type', 'status', 'source'].includes(name),
    )
    expect(new Set([...sent('docs'), ...sent('article')])).toEqual(new Set(fields))
  })

  test('resets metadata that the file does not have', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const { meta } = updateBody({ ...sitePage(page), meta: { robots: 'none' } }, null)
        expect(meta).toEqual({ title: null, description: null, keywords: null, robots: 'none' })
      }),
    )
  })

  test('has fields of the type for the type only, and the parent as the id that the server gave it', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const body = updateBody({ ...sitePage(page), ownFields: {} }, 'page_1')
        expect(body.parent_page).toBe('page_1')
        expect('publish_date' in body && body.publish_date === null).toBe(page.type === 'article')
        expect(typeof body.nav_order === 'number').toBe(page.type === 'docs')
      }),
    )
  })
})

describe('the fields that a push would change', () => {
  const [ANY] = fc.sample(anyPage, 1) as [Page]
  const page: Page = {
    ...ANY,
    type: 'docs',
    markdown: 'Text.\n',
    meta: {},
    config: { a: 1, b: [2] },
    ownFields: {},
  }
  const file = sitePage(page)
  const different = (more: Partial<SitePage>, parent: string | null = null) =>
    differentFields(updateBody({ ...file, ...more }, parent), { ...file, ...more }, shown(page))

  test.each([
    [{ title: 'Other' }, ['title']],
    [{ markdown: 'Other.\n' }, ['markdown_content']],
    [{ description: 'Other description of the page, longer than any.'.repeat(2) }, ['description']],
    [{ meta: { title: 'Other' } }, ['meta.title']],
    [{ config: { a: 2, b: [2] } }, ['config.a']],
    [{ config: { b: [3] } }, ['config.a', 'config.b']],
    [{ ownFields: { navOrder: 9 } }, ['nav_order']],
    [{ ownFields: { locale: 'fr', translationKey: 'a-key' } }, ['locale', 'translation_key']],
    [{}, []],
  ] as const)('are, for the change %j, the fields %j', (more, fields) => {
    expect(different(more as Partial<SitePage>).toSorted()).toEqual(fields)
  })

  test('include the parent when it is another one', () => {
    expect(different({}, 'page_other')).toEqual(['parent_page'])
  })

  test('do not include the date of the first publish, which an article shows without one', () => {
    const article: Page = { ...page, type: 'article', firstPublishedAt: LATER }
    const body = updateBody(sitePage(article), null)
    expect(differentFields(body, sitePage(article), shown(article))).toEqual([])
  })
})

test('the body that creates a page names every field, absent ones as undefined, so that JSON leaves them out', () => {
  fc.assert(
    fc.property(anyPage, (page) => {
      const body = createBody({ ...sitePage(page), ownFields: {} }, null)
      const sent = Object.keys(JSON.parse(JSON.stringify(body)))
      expect(sent).toEqual([
        ...['title', 'slug', 'subroute', 'description', 'og_image_url', 'meta', 'config', 'markdown_content'],
      ])
    }),
  )
})
