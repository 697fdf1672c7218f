import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPageFields } from '../../src/content-folder/page-fields.ts'
import { NO_YAML } from '../../src/content-folder/yaml-source.ts'
import type { PageTarget } from '../../src/convert/conversion.ts'
import { convertFields } from '../../src/convert/page/page-fields.ts'
import type { JsonObject } from '../../src/domain/json.ts'

interface Given {
  readonly frontMatter?: JsonObject
  readonly body?: string
  readonly type?: PageTarget['type']
  readonly fileDate?: string
  readonly order?: number
}

function convert({ frontMatter = {}, body = '', type = 'docs', fileDate, order }: Given) {
  return convertFields(
    frontMatter,
    body,
    { route: 'a', type },
    {
      from: 'markdown',
      name: 'getting-started',
      fileDate: fileDate ?? null,
      order: order ?? null,
      redirectFrom: [],
      guid: undefined,
      linkTo: (target) => (target === '/a.png' ? target : null),
    },
  )
}
const fieldsOf = (given: Given) => convert(given).fields
const messagesOf = (given: Given) => convert(given).problems.map(({ message }) => message)

describe('the title of a converted page', () => {
  test('is the text of a heading: names keep their underscores, and types their angle brackets', () => {
    const titleOf = (heading: string) => fieldsOf({ body: `# ${heading}\n` })['title']
    expect(titleOf('my_function and *this*<!-- note -->')).toBe('my_function and this')
    expect(titleOf('Options<Id, S\\> of `a_b_c`')).toBe('Options<Id, S> of a_b_c')
  })

  test('is the first that there is: the field, the heading, the name of the file', () => {
    const body = '# From *heading*\n\nText.\n'
    expect(fieldsOf({ frontMatter: { title: ' A\n title ' }, body })['title']).toBe('A title')
    expect(fieldsOf({ frontMatter: { title: ' ', linkTitle: 'Short' }, body })['title']).toBe('Short')
    expect(fieldsOf({ body })['title']).toBe('From heading')
    expect(fieldsOf({})['title']).toBe('Getting started')
    expect(fieldsOf({ frontMatter: { title: 2024 } })['title']).toBe('2024')
  })

  test('keeps number signs that are part of it, and not those that close the heading', () => {
    expect(fieldsOf({ body: '# C#\n' })['title']).toBe('C#')
    expect(fieldsOf({ body: '# F# {#f}\n' })['title']).toBe('F#')
    expect(fieldsOf({ body: '# A ##\n' })['title']).toBe('A')
    expect(fieldsOf({ body: '# A # {#a}\n' })['title']).toBe('A')
  })

  test('is not repeated as a heading, and another heading stays', () => {
    expect(convert({ body: '# A\n\nText.\n' }).body).toBe('Text.\n')
    expect(convert({ frontMatter: { title: 'A' }, body: '# A\n\nText.\n' }).body).toBe('Text.\n')
    expect(convert({ frontMatter: { title: 'A' }, body: '# B\n\nText.\n' }).body).toBe('# B\n\nText.\n')
  })

  test('has no anchor, and the author is told when the heading had one', () => {
    expect(messagesOf({ body: '# A {#top}\n' })).toEqual([
      'The anchor `#top` is left out: the title of a page has none.',
    ])
  })

  test('is cut at as many characters as a page file may have, never within one', () => {
    const title = '😀'.repeat(201)
    const { fields, problems } = convert({ frontMatter: { title } })
    expect(fields['title']).toBe('😀'.repeat(200))
    expect(problems.map(({ message }) => message)).toEqual(['`title` is cut after 200 characters.'])
    expect(convert({ frontMatter: { title: '😀'.repeat(200) } }).problems).toEqual([])
    expect(fieldsOf({ frontMatter: { description: '𝒜'.repeat(501) } })['description']).toBe('𝒜'.repeat(500))
  })
})

describe('a value beyond what a page file may have', () => {
  test('is cut or moved into the range, with a warning', () => {
    const article = convert({ type: 'article', frontMatter: { title: 'A', author: '😀'.repeat(201) } })
    expect(article.fields['author']).toBe('😀'.repeat(200))
    expect(article.problems.map(({ message }) => message)).toEqual(['`author` is cut after 200 characters.'])
    const docs = convert({ type: 'docs', frontMatter: { title: 'A', weight: -20_240_101 } })
    expect(docs.fields['nav_order']).toBe(-1_000_000)
    expect(docs.problems.map(({ message }) => message)).toEqual([
      '`nav_order` is -20240101, and becomes the nearest number between -1,000,000 and 1,000,000.',
    ])
    expect(fieldsOf({ type: 'docs', frontMatter: { weight: 1_000_000 } })['nav_order']).toBe(1_000_000)
    expect(fieldsOf({ type: 'docs', frontMatter: { weight: 0 } })['nav_order']).toBe(0)
  })
})

describe('the date of a converted page', () => {
  test('is that of the article in front matter, or else in the name of the file', () => {
    const date = (given: Given) => String(fieldsOf({ type: 'article', ...given })['publish_date'])
    expect(date({ frontMatter: { date: '2024-05-01' }, fileDate: '2020-01-01' })).toMatch(/^2024-05-01/)
    expect(date({ fileDate: '2020-01-01' })).toMatch(/^2020-01-01/)
    expect(fieldsOf({ type: 'article' })).not.toHaveProperty('publish_date')
  })

  test('is reported where the type of the page has none', () => {
    expect(messagesOf({ frontMatter: { date: '2024-05-01' } })).toEqual([
      '`date` is left out: only articles have a date, and docs pages only that of their last edit.',
    ])
    expect(messagesOf({ frontMatter: { lastmod: '2024-05-01' } })).toEqual([])
    expect(messagesOf({ type: 'page', frontMatter: { lastmod: '2024-05-01' } })).toHaveLength(1)
  })

  test('is quoted in part when it cannot be read, and not within a character', () => {
    const [message = ''] = messagesOf({ type: 'article', frontMatter: { date: `a${'😀'.repeat(200)}` } })
    expect(message).toMatch(/is not a date that can be read\.$/)
    expect(message.length).toBeLessThan(300)
    expect(message).toBe(message.toWellFormed())
  })

  test('is no date and no problem when VitePress switches it on or off', () => {
    expect(messagesOf({ frontMatter: { lastUpdated: false } })).toEqual([])
  })
})

describe('the image of a converted page', () => {
  test.each([
    [{ image: '/a.png' }, '/a.png'],
    [{ image: 'a.png' }, '/a.png'],
    [{ images: ['/a.png'] }, '/a.png'],
    [{ cover: { image: 'https://example.com/a.png', alt: 'A' } }, 'https://example.com/a.png'],
    [{ og_image: '/a.png', image: '/b.png' }, '/a.png'],
  ])('is read from %j as %s', (frontMatter, url) => {
    expect(fieldsOf({ frontMatter })['og_image_url']).toBe(url)
  })

  test('is dropped with a report when it is no URL that a page may use', () => {
    for (const image of ['javascript:alert(1)', '//example.com/a.png', '/a b.png', 'lost.png']) {
      expect(fieldsOf({ frontMatter: { image } })).not.toHaveProperty('og_image_url')
      expect(messagesOf({ frontMatter: { image } })).toEqual([
        '`image` is left out: it is not the path or URL of an image.',
      ])
    }
  })

  test('is the cover of an article only with alternative text', () => {
    const cover = { image: '/a.png', alt: 'A plan' }
    expect(fieldsOf({ type: 'article', frontMatter: { cover } })['config']).toEqual({
      image: { src: '/a.png', alt: 'A plan' },
    })
    expect(fieldsOf({ type: 'article', frontMatter: { cover: '/a.png' } })).not.toHaveProperty('config')
  })

  test('is one: further ones are reported by the field that named them', () => {
    expect(
      convert({ frontMatter: { image: ['/a.png', '/b.png'], thumbnail: '/c.png' } }).problems,
    ).toMatchObject([
      { field: 'image', code: 'QN-PARTLY-CONVERTED' },
      { field: 'thumbnail', code: 'QN-NOT-CONVERTED' },
    ])
  })
})

describe('the other fields of front matter', () => {
  test('without a counterpart are in config, and are named because no template reads them', () => {
    const { fields, notices } = convert({ frontMatter: { mood: 'good', badge: 'new', kinds: ['a'] } })
    expect(fields['config']).toEqual({ mood: 'good', badge: 'new', kinds: ['a'] })
    expect(notices.map(({ field }) => field)).toEqual(['mood', 'kinds'])
  })

  test('are left out, each with the reason, when no page can have them', () => {
    const { fields, problems } = convert({ frontMatter: { head: [], cascade: {}, menu: 'main' } })
    expect(fields).not.toHaveProperty('config')
    expect(problems.map(({ field }) => field)).toEqual(['head', 'menu'])
    for (const { message } of problems) expect(message).toMatch(/^`\w+` is left out: .+\.$/)
  })

  test('say that a page is a draft in either of two ways', () => {
    expect(fieldsOf({ frontMatter: { draft: true } })['draft']).toBe(true)
    expect(fieldsOf({ frontMatter: { published: false } })['draft']).toBe(true)
    expect(fieldsOf({ frontMatter: { draft: false, published: true } })).not.toHaveProperty('draft')
  })

  test('order docs pages, before the configuration does, and never articles', () => {
    expect(fieldsOf({ frontMatter: { weight: 2 }, order: 7 })['nav_order']).toBe(2)
    expect(fieldsOf({ frontMatter: { weight: 'first' }, order: 7 })['nav_order']).toBe(7)
    expect(fieldsOf({ frontMatter: { eleventyNavigation: { order: 4 } } })['nav_order']).toBe(4)
    expect(messagesOf({ type: 'article', frontMatter: { weight: 2 } })).toEqual([
      '`weight` is left out: articles are sorted by date.',
    ])
  })

  test('name one author, however many there are', () => {
    const author = (frontMatter: JsonObject) => fieldsOf({ type: 'article', frontMatter })['author']
    expect(author({ author: 'Ada' })).toBe('Ada')
    expect(author({ authors: [{ name: 'Ada' }, 'Bob'] })).toBe('Ada')
    expect(author({ author: { mail: 'a@b.c' } })).toBeUndefined()
  })
})

test('whatever front matter holds, the fields are those of a page file', () => {
  const names = [
    'title',
    'description',
    'date',
    'image',
    'images',
    'cover',
    'weight',
    'author',
    'lastmod',
    'draft',
    'x',
  ]
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('2024-05-01', '/a.png', 7, true, '😀'.repeat(600)),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), value),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('docs', 'article', 'page'),
      (given, text, type) => {
        const frontMatter: JsonObject = JSON.parse(JSON.stringify(given))
        const { fields, body } = convert({ frontMatter, body: `# ${text}\n\nText.\n`, type })
        expect(body).toContain('Text.')
        const read = readPageFields(type, fields, NO_YAML)
        if ('error' in read)
          expect(
            read.error.issues
              .map(({ path }) => path[0])
              .filter((name) => name !== 'nav_order' && name !== 'author'),
          ).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})
