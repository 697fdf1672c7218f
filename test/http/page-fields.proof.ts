import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
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

const create = (fields: object = {}) =>
  service.call('POST', '/pages', pageBody(project, { slug: `page-${n}`, ...fields }))
const made = async (fields: object = {}): Promise<string> => (await create(fields)).body.data.id
const get = async (id: string, query = '') => (await service.call('GET', `/pages/${id}${query}`)).body.data
const update = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('a new page', () => {
  test('is answered by the documented fields', async () => {
    const { status, body } = await create({ type: 'page' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^page_/),
        title: 'A page',
        slug: `page-${n}`,
        subroute: '',
        type: 'page',
        status: 'draft',
        url: `${service.url}/public/${project}/page-${n}`,
        project_id: project,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: body.data.created_at,
        published_at: null,
      },
    })
  })

  const common = (type: string, markdown: string | null) => ({
    id: expect.stringMatching(/^page_/),
    project_id: project,
    page_name: 'A page',
    slug: `page-${n}`,
    subroute: '',
    type,
    status: 'draft',
    url: `/page-${n}`,
    description: '',
    og_image_url: null,
    meta: { title: null, description: null, keywords: null, robots: null },
    config: {},
    markdown_content: markdown,
    sections_count: 0,
    word_count: 0,
    published_at: null,
    created_at: expect.stringMatching(TIMESTAMP),
    updated_at: expect.stringMatching(TIMESTAMP),
  })

  test.each([
    ['page', null, {}],
    ['article', '', { publish_date: null, author: null }],
    ['docs', '', { nav_order: 0, parent_page: null }],
    ['item', null, {}],
  ])('is read with every default when its type is %s', async (type, markdown, own) => {
    const page = await get(await made({ type }))
    expect(page).toMatchObject({ ...common(type, markdown), ...own })
    const foreign = ['publish_date', 'author', 'nav_order', 'parent_page'].filter((field) => !(field in own))
    for (const field of foreign) expect(page).not.toHaveProperty(field)
  })

  test.each([
    ['post', 'article'],
    ['doc', 'docs'],
  ])('is, with the legacy type %s, an %s', async (given, type) => {
    expect((await create({ type: given })).body.data.type).toBe(type)
  })

  test('may be called by page_name instead of title, or by both if they agree', async () => {
    expect((await create({ title: undefined, page_name: 'Named' })).body.data.title).toBe('Named')
    expect((await create({ slug: `both-${n}`, title: 'B', page_name: 'B' })).body.data.title).toBe('B')
    for (const names of [
      { title: 'A', page_name: 'B' },
      { title: 'A', page_name: null },
      { title: null, page_name: 'B' },
    ])
      expect((await create({ slug: `clash-${n}`, ...names })).status).toBe(422)
    expectRefusal(await create({ title: 'A', page_name: 'B' }), 'validation_error', 'page_name: ')
  })

  test('takes everything at once', async () => {
    const fields = {
      type: 'docs',
      title: 'Everything',
      subroute: 'all',
      description: 'Described.',
      og_image_url: 'https://example.com/og.png',
      meta: { title: 'M', description: 'D', keywords: 'a, b', robots: 'noindex, follow' },
      config: { lang: 'en', list: [1, { two: null }] },
      markdown_content: '# Words\n\nthree more words',
      nav_order: 7,
    }
    const { title, ...others } = fields
    expect(await get(await made(fields))).toMatchObject({ ...others, page_name: title })
  })

  test('cannot choose its status', async () => {
    expectRefusal(await create({ status: 'published' }), 'validation_error', 'status: unknown field.')
  })
})

/** Values that both create and update accept, and values that both refuse. */
const BOUNDS: readonly [field: string, takes: readonly unknown[], refuses: readonly unknown[]][] = [
  [
    'title',
    ['x', 'x'.repeat(200), '😀'.repeat(200), 'Ünïcödé — “quotes” <b>&amp;</b>'],
    ['', ' ', 'x'.repeat(201), 'a\nb', 'a\tb', 7, {}],
  ],
  ['description', ['', 'x'.repeat(500), '😀'.repeat(500), 'a\nb'], ['x'.repeat(501), null, 7]],
  [
    'og_image_url',
    [null, '/og.png', 'https://example.com/og', 'http://example.com/og?a=b'],
    ['', 'og.png', '//example.com/og.png', 'javascript:alert(1)', 'data:image/png,x', 'https://a b', 7],
  ],
  ['config', [{}, { a: { b: [1, 'two', null, true, 1.5e10, ''] } }], [null, [], 'config', 1]],
  ['markdown_content', ['', 'Text', '---\ntitle: x\n---\n', '\u0001\u0007 \u2028'], [7, [], {}, 'a\0b']],
]

describe.each(BOUNDS)('%s', (field, takes, refuses) => {
  const shownAs = field === 'title' ? 'page_name' : field

  test('is stored and shown as it was sent', async () => {
    const id = await made({ slug: `updated-${n}` })
    for (const [i, value] of takes.entries()) {
      expect((await get(await made({ slug: `created-${n}-${i}`, [field]: value })))[shownAs]).toEqual(value)
      expect((await update(id, { [field]: value })).body.data[field]).toEqual(value)
      expect((await get(id))[shownAs]).toEqual(value)
    }
  })

  test('refuses what it does not take, and keeps what was there', async () => {
    const id = await made()
    const before = await get(id)
    for (const value of refuses) {
      const refused = await create({ slug: `refused-${n}`, [field]: value })
      expect({ value, status: refused.status }).toEqual({ value, status: 422 })
      expectRefusal(await update(id, { [field]: value }), 'validation_error', `${field}: `)
    }
    expect(await get(id)).toEqual(before)
  })
})

describe('meta', () => {
  test.each([
    ['title', 'x'.repeat(60), 'x'.repeat(61)],
    ['description', 'x'.repeat(160), 'x'.repeat(161)],
    ['keywords', 'one, two', 7],
    ['robots', 'noindex, nofollow', ['noindex']],
  ])('.%s has its bound, on create and on update', async (key, takes, refuses) => {
    const id = await made({ meta: { [key]: takes } })
    expect((await get(id)).meta[key]).toBe(takes)
    expectRefusal(
      await create({ slug: `meta-${n}`, meta: { [key]: refuses } }),
      'validation_error',
      `meta.${key}: `,
    )
    expectRefusal(await update(id, { meta: { [key]: refuses } }), 'validation_error', `meta.${key}: `)
    expect((await update(id, { meta: { [key]: null } })).body.data.meta[key]).toBeNull()
  })

  test('is merged key by key on update, null clears one', async () => {
    const id = await made({ meta: { title: 'T', description: 'D', keywords: null } })
    await update(id, { meta: { description: 'E', robots: 'noindex' } })
    expect((await get(id)).meta).toEqual({ title: 'T', description: 'E', keywords: null, robots: 'noindex' })
    await update(id, { meta: { title: null } })
    await update(id, { meta: {} })
    expect((await get(id)).meta).toEqual({ title: null, description: 'E', keywords: null, robots: 'noindex' })
  })

  test.each([null, [], 'title'])('is refused when it is %j', async (meta) => {
    expectRefusal(await update(await made(), { meta }), 'validation_error', 'meta: ')
  })
})

describe('an update', () => {
  test('changes what it names, and answers the whole page under title', async () => {
    const id = await made({ description: 'Kept', markdown_content: 'Kept', config: { kept: true } })
    const { page_name: _, ...before } = await get(id)
    const { status, body } = await update(id, { title: 'Changed' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, title: 'Changed', updated_at: expect.stringMatching(TIMESTAMP) })
    expect(body.data).not.toHaveProperty('page_name')
    const { title: page_name, ...after } = body.data
    expect(await get(id)).toEqual({ ...after, page_name })
  })

  test('may use either name of the title; the one that differs from the stored title wins', async () => {
    const id = await made({ title: 'Stored' })
    expect((await update(id, { page_name: 'One' })).body.data.title).toBe('One')
    expect((await update(id, { title: 'Two', page_name: 'One' })).body.data.title).toBe('Two')
    expect((await update(id, { title: 'Two', page_name: 'Three' })).body.data.title).toBe('Three')
    expect((await update(id, { title: 'Four', page_name: 'Four' })).body.data.title).toBe('Four')
    expectRefusal(await update(id, { title: 'Five', page_name: 'Six' }), 'validation_error', 'page_name: ')
    expect((await get(id)).page_name).toBe('Four')
  })

  test('replaces the config as a whole, its sections too', async () => {
    const hero = { type: 'hero', title: 'One' }
    const id = await made({ type: 'page', config: { theme: 'dark', sections: [hero, { type: 'cta' }] } })
    await update(id, { config: { sections: [hero] } })
    expect((await get(id)).config).toEqual({ sections: [hero] })
    await update(id, { config: {} })
    expect((await get(id)).config).toEqual({})
  })

  test('cannot change the type, but may repeat it in either vocabulary', async () => {
    const id = await made({ type: 'article' })
    for (const type of ['article', 'post'])
      expect((await update(id, { type })).body.data.type).toBe('article')
    for (const type of ['docs', 'page', 'poem', null])
      expectRefusal(await update(id, { type }), 'validation_error', 'type: ')
  })

  test.each(['live', 'unpublished', '', null, 1])('cannot reach the status %j', async (status) => {
    expectRefusal(await update(await made(), { status }), 'validation_error', 'status: ')
  })

  test('takes markdown_content: null as none', async () => {
    const id = await made({ type: 'page', markdown_content: 'Odd' })
    expect((await update(id, { markdown_content: null })).body.data.markdown_content).toBeNull()
  })
})

describe('updated_at', () => {
  test('moves with every edit, by at least a millisecond', async () => {
    const id = await made()
    const first = (await get(id)).updated_at
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => update(id, { title: `T${i}` })))
    const times = answers.map(({ body }) => body.data.updated_at)
    expect(new Set([first, ...times]).size).toBe(26)
    expect([first, ...times].sort()[0]).toBe(first)
  })

  test('does not move when the page is read, published, unpublished or refused', async () => {
    const id = await made()
    const { updated_at: before, created_at: created } = await get(id)
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('POST', `/pages/${id}/unpublish`)
    await service.call('POST', `/pages/${id}/unpublish`)
    await update(id, { title: '' })
    await service.call('GET', `/render/${id}`)
    await service.call('PUT', `/projects/${project}/settings`, { footer_text: `${n}` })
    expect(await get(id)).toMatchObject({ updated_at: before, created_at: created })
  })
})

describe('config', () => {
  const BYTES = 512 * 1024

  test('holds 512 KiB of JSON and not a byte more', async () => {
    const sized = (bytes: number) => ({ text: 'é'.repeat((bytes - '{"text":""}'.length - 1) / 2), x: 1 })
    const exact = { text: 'x'.repeat(BYTES - '{"text":""}'.length) }
    expect((await get(await made({ type: 'item', config: exact }))).config).toEqual(exact)
    const over = { text: `${exact.text}x` }
    expectRefusal(
      await create({ slug: `over-${n}`, type: 'item', config: over }),
      'validation_error',
      'config: ',
    )
    const inBytes = await create({ slug: `bytes-${n}`, type: 'item', config: sized(BYTES) })
    expectRefusal(inBytes, 'validation_error', '512 KiB')
  })

  test.each([
    ['sections: {}', { sections: {} }, 'config.sections: '],
    ['sections: null', { sections: null }, 'config.sections: '],
    ['a section that is a text', { sections: ['hero'] }, 'config.sections[0]: '],
    [
      'a section without a type',
      { sections: [{ type: 'hero' }, { title: 'x' }] },
      'config.sections[1].type: ',
    ],
    ['a type that is a number', { sections: [{ type: 1 }] }, 'config.sections[0].type: '],
    ['props that are a list', { sections: [{ type: 'hero', props: [] }] }, 'config.sections[0].props: '],
    ['a prop of the wrong type', { sections: [{ type: 'hero', title: {} }] }, 'config.sections[0].title: '],
    ['201 sections', { sections: Array.from({ length: 201 }, () => ({ type: 'cta' })) }, 'config.sections: '],
    ['an unknown theme', { theme: 'fancy' }, 'config.theme: '],
    ['a theme that is a list', { theme: ['dark'] }, 'config.theme: '],
  ])('refuses %s in a page, on create and on update', async (_, config, path) => {
    expectRefusal(await create({ type: 'page', config }), 'validation_error', path)
    const id = await made({ type: 'page' })
    expectRefusal(await update(id, { config }), 'validation_error', path)
  })

  test('keeps in a page sections of unknown types and all other fields', async () => {
    const config = {
      theme: 'dark',
      sections: [
        { type: 'Hologram', id: 7, depth: { x: 1 } },
        { type: 'hero', props: { heading: 'Hi', unknown: true }, cta_text: 'Go', cta_url: '/go' },
        { type: 'cta' },
      ],
      own: ['anything'],
    }
    expect(await get(await made({ type: 'page', config }))).toMatchObject({ config, sections_count: 3 })
  })

  test.each(['article', 'docs', 'item'])('may call anything sections or theme in an %s', async (type) => {
    const config = { sections: 'my favourite', theme: 'summer' }
    expect(await get(await made({ type, config }))).toMatchObject({ config, sections_count: 0 })
  })

  test('is shown as it was sent in an item, whatever JSON without U+0000 it is', async () => {
    const id = await made({ type: 'item' })
    // Depth: the body and its config are two levels of the 32.
    const config = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
    )
    // The first takes so long to make that the server ends the connection meanwhile, which is to be heard of first.
    fc.sample(config, 1)
    await new Promise((heard) => setTimeout(heard, 100))
    await fc.assert(
      fc.asyncProperty(config, async (given) => {
        // U+0000 alone is refused.
        const sent = JSON.stringify({ config: given }).replaceAll('\\u0000', '\\u0001')
        fc.pre(!sent.includes('__proto__'))
        expect((await service.call('PUT', `/pages/${id}`, sent)).status).toBe(200)
        expect((await get(id)).config).toEqual(JSON.parse(sent).config)
      }),
      // A large value has thousands of smaller ones; waiting for all of them would hide a failure.
      { numRuns: runs(60), endOnFailure: true },
    )
  })
})

describe('of a page that is read', () => {
  const config = { sections: [{ type: 'hero', title: 'Three little words' }], theme: 'dark' }

  test('the sections or the Markdown may be left out', async () => {
    const id = await made({ type: 'page', config, markdown_content: 'Kept' })
    const whole = await get(id)
    const { markdown_content: _, ...withoutMarkdown } = whole
    for (const no of ['false', '0']) {
      expect(await get(id, `?include_sections=${no}`)).toEqual({ ...whole, config: { theme: 'dark' } })
      expect(await get(id, `?include_markdown=${no}`)).toEqual(withoutMarkdown)
    }
    for (const yes of ['true', '1'])
      expect(await get(id, `?include_sections=${yes}&include_markdown=${yes}`)).toEqual(whole)
  })

  test.each(['', 'no', 'FALSE', 'yes', '2', 'true&include_sections=true'])(
    'include_sections may not be %j',
    async (value) => {
      const id = await made({ type: 'page' })
      const answer = await service.call('GET', `/pages/${id}?include_sections=${value}`)
      expectRefusal(answer, 'invalid_request', 'include_sections: ')
    },
  )

  test('unknown parameters mean nothing', async () => {
    const id = await made()
    expect(await get(id, '?colour=red&limit=0')).toEqual(await get(id))
  })
})

describe('word_count', () => {
  const wordsOf = async (fields: object) => (await get(await made(fields))).word_count

  test.each([
    [
      'an article',
      { type: 'article', markdown_content: '# One two\n\n*three* [four](https://x.example)' },
      4,
    ],
    ['front matter', { type: 'docs', markdown_content: '---\ntitle: Not counted\n---\nOnly these three' }, 3],
    [
      'sections',
      { type: 'page', config: { sections: [{ type: 'hero', title: 'One two', subtitle: 'three' }] } },
      3,
    ],
    ['the Markdown of a page', { type: 'page', markdown_content: 'One two' }, 2],
    [
      'the fields of an item',
      { type: 'item', config: { maker: 'Anna Bell', tags: ['red', 'blue'], theme: 'x' } },
      4,
    ],
    [
      'the fields and the text of an item',
      { type: 'item', config: { a: 'one' }, markdown_content: 'two three' },
      3,
    ],
    ['addresses in an item', { type: 'item', config: { home: 'https://example.com/a', name: 'One' } }, 1],
    ['Chinese', { type: 'article', markdown_content: '你好世界' }, 2],
    ['nothing', { type: 'article' }, 0],
  ])('counts the words of %s', async (_, fields, words) => {
    expect(await wordsOf({ title: 'Five words of a title', description: 'Nor these', ...fields })).toBe(words)
  })

  test('is near enough for texts that are very long', async () => {
    const line = 'Some *words* that [stand](https://x.example) in a line.\n'
    const words = (await wordsOf({ type: 'article', markdown_content: line.repeat(8_000) })) / (7 * 8_000)
    expect(Math.abs(words - 1)).toBeLessThan(0.01)
  })

  test('follows an update, as does sections_count', async () => {
    const id = await made({ type: 'page' })
    const sections = [{ type: 'hero', title: 'One two' }, { type: 'mystery' }]
    expect((await update(id, { config: { sections } })).body.data).toMatchObject({
      word_count: 2,
      sections_count: 2,
    })
    expect((await update(id, { config: {} })).body.data).toMatchObject({ word_count: 0, sections_count: 0 })
  })
})
