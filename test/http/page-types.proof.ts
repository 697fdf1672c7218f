import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let n = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())
beforeEach(() => {
  n++
})

const made = async (fields: object): Promise<string> => {
  const { body } = await service.call(
    'POST',
    '/pages',
    pageBody(project, { slug: `page-${n}-${++n}`, ...fields }),
  )
  return body.data.id
}
const get = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const update = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const frontMatter = (yaml: string) => `---\n${yaml}\n---\nText.`

/** Each field of a type in each place it may be written, and how it is shown. */
const FIELDS = [
  {
    type: 'article',
    field: 'publish_date',
    none: null,
    written: ['2026-01-02', '2026-01-02T10:00:00+02:00', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04'],
    shown: [
      ...['2026-01-02T00:00:00.000Z', '2026-01-02T10:00:00.000+02:00', '2026-01-02T03:04:05.678Z'],
      '2026-01-02T03:04:00.000Z',
    ],
  },
  {
    type: 'article',
    field: 'author',
    none: null,
    written: [
      { name: 'Ada', avatar: 'https://example.com/ada.png' },
      { name: 'Bob' },
      { name: 'Eve', avatar: null },
    ],
    shown: [
      { name: 'Ada', avatar: 'https://example.com/ada.png' },
      { name: 'Bob', avatar: null },
      { name: 'Eve', avatar: null },
    ],
  },
  { type: 'docs', field: 'nav_order', none: 0, written: [7, -3, 0], shown: [7, -3, 0] },
] as const

describe.each(FIELDS)('$field of an $type', ({ type, field, none, written, shown }) => {
  test('is written at the top level of a create and of an update', async () => {
    const id = await made({ type })
    expect((await get(id))[field]).toEqual(none)
    for (const [i, value] of written.entries()) {
      expect((await get(await made({ type, [field]: value })))[field]).toEqual(shown[i])
      expect((await update(id, { [field]: value })).body.data[field]).toEqual(shown[i])
      expect((await get(id))[field]).toEqual(shown[i])
    }
  })

  test('else comes from config, else from the front matter', async () => {
    const [first, second] = written
    const yaml = (value: unknown) => frontMatter(`${field}: ${JSON.stringify(value)}`)
    const inMatter = await made({ type, markdown_content: yaml(second) })
    expect((await get(inMatter))[field]).toEqual(shown[1])
    const inBoth = await made({ type, markdown_content: yaml(second), config: { [field]: first } })
    expect((await get(inBoth))[field]).toEqual(shown[0])
    const everywhere = await made({
      type,
      markdown_content: yaml(first),
      config: { [field]: first },
      [field]: second,
    })
    expect((await get(everywhere))[field]).toEqual(shown[1])
  })

  test('goes on coming from the front matter when it is sent back as it was shown', async () => {
    const yaml = (value: unknown) => frontMatter(`${field}: ${JSON.stringify(value)}`)
    const id = await made({ type, markdown_content: yaml(written[1]) })
    const read = await get(id)
    await update(id, { ...read, markdown_content: yaml(written[0]) })
    expect((await get(id))[field]).toEqual(shown[0])
  })
})

describe('publish_date', () => {
  test('is the time of the first publish by default, and does not change', async () => {
    const id = await made({ type: 'article' })
    const first = (await service.call('POST', `/pages/${id}/publish`)).body.data.published_at
    await update(id, { markdown_content: 'Edited.' })
    const again = (await service.call('POST', `/pages/${id}/publish`)).body.data.published_at
    expect(again > first).toBe(true)
    expect(await get(id)).toMatchObject({ publish_date: first, published_at: again })
    await service.call('POST', `/pages/${id}/unpublish`)
    expect(await get(id)).toMatchObject({ publish_date: first, published_at: again, status: 'draft' })
  })

  test('is cleared by null', async () => {
    const id = await made({ type: 'article', publish_date: '2026-01-02' })
    expect((await update(id, { publish_date: null })).body.data.publish_date).toBeNull()
  })

  test.each(['', 'tomorrow', '2026-02-30', '2026-02-30T10:00:00Z', '2026-13-01', '01.02.2026', 20260102, {}])(
    'is refused when it is %j',
    async (date) => {
      const id = await made({ type: 'article' })
      expectRefusal(await update(id, { publish_date: date }), 'validation_error', 'publish_date: ')
    },
  )
})

describe('author', () => {
  test.each([
    ['', {}],
    ['', { name: '' }],
    ['', { name: 'x'.repeat(201) }],
    ['', { name: 'Ada', avatar: 'javascript:alert(1)' }],
    ['', { name: 'Ada', email: 'ada@example.com' }],
    ['', 7],
    ['', []],
  ])('is refused when it is%s %j', async (_, author) => {
    const id = await made({ type: 'article' })
    expectRefusal(await update(id, { author }), 'validation_error', 'author')
  })

  test('is cleared by null', async () => {
    const id = await made({ type: 'article', author: { name: 'Ada' } })
    expect((await update(id, { author: null })).body.data.author).toBeNull()
  })
})

describe('nav_order', () => {
  test.each([1.5, '1', null, 1e9, true])('is refused when it is %j', async (nav_order) => {
    const id = await made({ type: 'docs' })
    expectRefusal(await update(id, { nav_order }), 'validation_error', 'nav_order: ')
  })
})

describe('parent_page', () => {
  const docs = (fields: object = {}) => made({ type: 'docs', ...fields })
  const parentOf = async (id: string) => (await get(id)).parent_page

  test('is a docs page of the same project, or null', async () => {
    const parent = await docs()
    const child = await docs({ parent_page: parent })
    expect(await parentOf(child)).toBe(parent)
    expect((await update(child, { parent_page: null })).body.data.parent_page).toBeNull()
  })

  test('else comes from config, else from the front matter', async () => {
    const [one, two] = [await docs(), await docs()]
    const inMatter = frontMatter(`parent_page: ${one}`)
    expect(await parentOf(await docs({ markdown_content: inMatter }))).toBe(one)
    expect(await parentOf(await docs({ markdown_content: inMatter, config: { parent_page: two } }))).toBe(two)
    const top = { markdown_content: inMatter, config: { parent_page: one }, parent_page: two }
    expect(await parentOf(await docs(top))).toBe(two)
  })

  test('is no page of another type, project or user, and none that is gone', async () => {
    const gone = await docs()
    await service.call('DELETE', `/pages/${gone}`)
    const elsewhere = await service.newProject()
    const foreign = (
      await service.call('POST', '/pages', pageBody(elsewhere, { type: 'docs', slug: 'foreign' }))
    ).body.data.id
    const child = await docs()
    for (const parent of [await made({ type: 'article' }), foreign, gone, 'page_aaaaaaaaaaaaaaaa', 7]) {
      expectRefusal(await update(child, { parent_page: parent }), 'validation_error', 'parent_page: ')
      const created = pageBody(project, { type: 'docs', slug: `orphan-${n}`, parent_page: parent })
      expectRefusal(await service.call('POST', '/pages', created), 'validation_error', 'parent_page: ')
    }
    expect(await parentOf(child)).toBeNull()
  })

  test('is neither the page itself nor one of its descendants, in every way to write it', async () => {
    const top = await docs()
    const middle = await docs({ markdown_content: frontMatter(`parent_page: ${top}`) })
    const bottom = await docs({ parent_page: middle })
    for (const parent of [top, middle, bottom])
      expectRefusal(
        await update(top, { parent_page: parent }),
        'validation_error',
        'parent_page: ',
        'descendants',
      )
  })

  test('is null once the parent is gone, or can stand above the page no more', async () => {
    const parents = [await docs(), await docs(), await made({ type: 'article' })] as const
    const matter = frontMatter(`parent_page: ${parents[1]}`)
    const children = [await docs({ parent_page: parents[0] }), await docs({ markdown_content: matter })]
    const [deleted, retyped, itself] = parents
    await service.call('DELETE', `/pages/${deleted}`)
    await service.call('PUT', `/v1/pages/${retyped}`, { type: 'post' })
    await update(itself, { parent_page: itself })
    await service.call('PUT', `/v1/pages/${itself}`, { type: 'doc' })
    for (const id of [...children, itself]) {
      expect(await parentOf(id)).toBeNull()
      expect((await service.call('GET', `/pages/${id}?format=markdown`)).body).not.toContain(
        'parent_page: page_',
      )
    }
  })

  test('does not, once it is gone, keep its children from being edited or sent back', async () => {
    const parent = await docs()
    const child = await docs({ parent_page: parent })
    await service.call('DELETE', `/pages/${parent}`)
    expect((await update(child, { title: 'Still mine' })).status).toBe(200)
    expect((await update(child, await get(child))).status).toBe(200)
    expect((await update(child, { parent_page: null })).body.data.parent_page).toBeNull()
  })
})

test('the fields of another type are not in the answer', async () => {
  const id = await made({ type: 'item', nav_order: 3, author: { name: 'Ada' } })
  expect(Object.keys(await get(id))).not.toEqual(expect.arrayContaining(['nav_order']))
  expect(Object.keys(await get(id))).not.toEqual(expect.arrayContaining(['author']))
})

describe('an update that sends a field as it was shown, together with content that no longer sets it', () => {
  const ada = { name: 'Ada', avatar: null }

  test.each([
    [
      'config',
      { config: { author: { name: 'Ada' }, publish_date: '2026-01-02', cover: 'a' } },
      { config: { cover: 'b' } },
    ],
    [
      'front matter',
      { markdown_content: frontMatter('author: Ada\npublish_date: 2026-01-02') },
      { markdown_content: 'Text.' },
    ],
  ])('keeps the values that came from %s', async (_, content, change) => {
    const id = await made({ type: 'article', ...content })
    const { author, publish_date } = await get(id)
    expect(author).toEqual(ada)
    expect((await update(id, { ...change, author, publish_date })).status).toBe(200)
    expect(await get(id)).toMatchObject({ ...change, author, publish_date })
  })

  test('takes the value of the new content where it has one', async () => {
    const id = await made({ type: 'article', config: { author: { name: 'Ada' } } })
    await update(id, { config: { author: { name: 'Bob' } }, author: ada })
    expect((await get(id)).author).toEqual({ name: 'Bob', avatar: null })
  })

  test('does not store the values a second time while the content has them', async () => {
    const id = await made({ type: 'article', config: { author: { name: 'Ada' } } })
    await update(id, { config: { author: { name: 'Ada' }, cover: 'b' }, author: ada })
    await update(id, { config: { author: { name: 'Bob' } } })
    expect((await get(id)).author).toEqual({ name: 'Bob', avatar: null })
  })

  test('forgets the values when the update clears them', async () => {
    const id = await made({ type: 'article', config: { author: { name: 'Ada' } } })
    await update(id, { config: {}, author: null })
    expect((await get(id)).author).toBeNull()
  })
})
