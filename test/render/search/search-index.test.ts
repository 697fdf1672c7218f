import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Artifact } from '../../../src/domain/artifact.ts'
import type { SearchEntry } from '../../../src/domain/search-entry.ts'
import { searchEntry } from '../../../src/render/search/search-entry.ts'
import {
  createSearchBaseBuilder,
  freshShard,
  searchFiles,
  searchManifest,
} from '../../../src/render/search/search-index.ts'
import { createFinder } from '../../../themes/_shared/scripts/search/find.js'
import { folded, wordsAsked, wordsIn } from '../../../themes/_shared/scripts/search/words.js'

const page = (path: string, title: string, main: string, description = ''): SearchEntry =>
  searchEntry({ path, title, description }, `<body><main id="content"><h1>${title}</h1>${main}</main></body>`)

const finderOf = (files: readonly Artifact[]) => {
  const bodies = new Map(files.map(({ key, body }) => [key, Buffer.from(body).toString()]))
  return createFinder(async (name) => JSON.parse(bodies.get(name) ?? ''))
}
const find = async (entries: readonly SearchEntry[], query: string) =>
  (await finderOf(searchFiles(entries).artifacts)(query, 1000)).hits.map(({ path }) => path)

/** A word for a number, with many letters that differ from those of other numbers. */
const spelt = (number: number) =>
  [...String(100_000 + number)]
    .map((digit) => ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu'][Number(digit)])
    .join('')

describe('words', () => {
  test('case, accents and width make no difference', () => {
    for (const [one, other] of [
      ['Ärger', 'arger'],
      ['ÉCOLE', 'ecole'],
      ['İstanbul', 'istanbul'],
      ['Ｑｕｏｉｎ', 'quoin'],
      ['Straße', 'STRASSE'],
      ['ﬁn', 'fin'],
      ['ｶﾞ', 'ガ'],
      ['أَحْمَد', 'احمد'],
      ['Οδυσσεύς', 'οδυσσευσ'],
    ] as const)
      expect(wordsIn(one)).toEqual(wordsIn(other))
  })

  test('folding a text again changes nothing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => folded(folded(text)) === folded(text)))
  })

  test('a query asks for words of its own text only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = new Set(wordsIn(text))
        return wordsAsked(text).every(({ word }) => words.has(word))
      }),
    )
  })
})

const WORD = fc.oneof(
  fc.stringMatching(/^[a-zäé]{1,12}$/),
  fc.stringMatching(/^[検索全文猫犬語日本]{1,6}$/),
  fc.stringMatching(/^[데이터를검색]{1,5}$/),
  fc.stringMatching(/^[ก-ฮ]{1,6}$/),
  fc.stringMatching(/^[א-ת]{1,6}$/),
)
const TEXT = fc.array(WORD, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const SITE = fc
  .array(
    fc.record({ title: TEXT, body: fc.array(fc.record({ heading: TEXT, text: TEXT }), { maxLength: 3 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((pages) =>
    pages.map(({ title, body }, index) => ({
      path: `/page-${index}`,
      text: [title, ...body.flatMap(({ heading, text }) => [heading, text])].join(' '),
      entry: page(
        `/page-${index}`,
        title,
        body.map(({ heading, text }, at) => `<h2 id="s${at}">${heading}</h2><p>${text}</p>`).join(''),
      ),
    })),
  )

describe('the index', () => {
  test('every word of every page finds that page', async () => {
    await fc.assert(
      fc.asyncProperty(SITE, async (site) => {
        const search = finderOf(searchFiles(site.map(({ entry }) => entry)).artifacts)
        for (const { path, text } of site) {
          for (const word of new Set(text.split(' '))) {
            const { hits } = await search(word, site.length)
            expect(hits.map((hit) => hit.path)).toContain(path)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  test('pages in the fresh shard are found, hidden pages are not', async () => {
    await fc.assert(
      fc.asyncProperty(SITE, fc.nat(), async (site, seed) => {
        const entries = site.map(({ entry }) => entry)
        const cut = seed % (entries.length + 1)
        const [old, fresh] = [entries.slice(0, cut), entries.slice(cut)]
        const hidden = old.flatMap((_, number) => ((seed + number) % 3 === 0 ? [number] : []))
        const builder = createSearchBaseBuilder(old.length)
        for (const entry of old) builder.add(entry)
        const shards = [...builder.files()].filter((file) => file !== null)
        const last = freshShard(fresh)
        const manifest = searchManifest(builder.base(), hidden, { name: last.name, total: fresh.length })
        const files = [...shards.map(({ artifact }) => artifact), last.artifact, manifest]
        const search = finderOf(files)
        for (const { path, text } of site) {
          const { hits } = await search(text.split(' ')[0] ?? '', site.length)
          const isHidden = hidden.some((number) => `/page-${number}` === path)
          expect(hits.some((hit) => hit.path === path)).toBe(!isHidden)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('the same pages give the same bytes', async () => {
    const entries = ['a', 'b', 'c'].map((name) => page(`/${name}`, name, `<p>some ${name} text</p>`))
    expect(searchFiles(entries).artifacts).toEqual(searchFiles(structuredClone(entries)).artifacts)
  })

  test('a word in the title ranks above one in a heading, and that above one in text', async () => {
    const site = [
      page('/text', 'One', '<p>About wedges, wedges, wedges and wedges.</p>'),
      page('/heading', 'Two', '<h2 id="wedges">Wedges</h2><p>Text.</p>'),
      page('/title', 'Wedges', '<p>Text.</p>'),
    ]
    expect(await find(site, 'wedges')).toEqual(['/title', '/heading', '/text'])
  })

  test('a hit leads to the section in which the words occur', async () => {
    const site = [page('/a', 'A page', '<p>Lead.</p><h2 id="how">How</h2><p>Hold the quoin.</p>')]
    const { hits } = await finderOf(searchFiles(site).artifacts)('quoin', 10)
    expect(hits).toEqual([
      {
        title: 'A page',
        path: '/a',
        places: [],
        about: 'Lead.',
        section: { heading: 'How', anchor: 'how' },
        sections: [{ heading: 'How', anchor: 'how' }],
      },
    ])
  })

  test('a hit names the pages around it by their titles, and folders without a page by their address', async () => {
    const site = [
      page('/docs', 'Manual', '<p>One.</p>'),
      page('/docs/how_to/a', 'A', '<p>Hold the quoin.</p>'),
    ]
    const { hits } = await finderOf(searchFiles(site).artifacts)('quoin', 10)
    expect(hits.map(({ places }) => places)).toEqual([['Manual', 'How to']])
  })

  test('a prefix finds words, and the whole word ranks first', async () => {
    const site = [page('/b', 'B', '<p>publishing</p>'), page('/a', 'A', '<p>publish</p>')]
    expect(await find(site, 'publish')).toEqual(['/a', '/b'])
    expect(await find(site, 'publi')).toHaveLength(2)
  })

  test('only pages with all words are found; if no page has all, those with most of them', async () => {
    const site = [page('/a', 'A', '<p>red green</p>'), page('/b', 'B', '<p>red blue</p>')]
    expect(await find(site, 'red green')).toEqual(['/a'])
    expect(await find(site, 'red white')).toEqual(['/a', '/b'])
    expect(await find(site, 'white')).toEqual([])
  })

  const SLIPPED = [
    page('/a', 'A', '<p>Configuration of publishing, of 2025.</p>'),
    page('/b', 'B', '<p>publish tube</p>'),
  ]
  test.each([
    ['publsh', 'publish', ['/b', '/a']],
    ['upblish', 'publish', ['/b', '/a']],
    ['pblsihing', 'publishing', ['/a']],
    ['CONFIGURTAION', 'configuration', ['/a']],
    ['confgu', 'configu', ['/a']],
    ['tbue', 'tube', ['/b']],
    ['publsh configuration', 'publish', ['/a']],
    // Too short, too many typing errors, a number.
    ['tbe', null, []],
    ['plsh', null, []],
    ['2026', null, []],
  ])('%s is corrected to %s', async (query, meant, paths) => {
    const { hits, slips, words } = await finderOf(searchFiles(SLIPPED).artifacts)(query, 10)
    expect(hits.map(({ path }) => path)).toEqual(paths)
    expect(slips.map((slip) => slip.meant)).toEqual(meant === null ? [] : [meant])
    if (meant !== null) expect(words).toContainEqual({ word: meant, start: true })
  })

  test('a word that occurs in a page is not corrected', async () => {
    const site = [page('/a', 'A', '<p>tube</p>'), page('/b', 'B', '<p>tune tune</p>')]
    const { hits, slips } = await finderOf(searchFiles(site).artifacts)('tune', 10)
    expect([hits.map(({ path }) => path), slips]).toEqual([['/b'], []])
  })

  test('a word is not corrected to one that only hidden pages have', async () => {
    const site = [page('/a', 'A', '<p>secretary</p>'), page('/b', 'B', '<p>text</p>')]
    for (const [hidden, total] of [
      [[], 1],
      [[0], 0],
    ] as const) {
      const builder = createSearchBaseBuilder(site.length)
      for (const entry of site) builder.add(entry)
      const shards = [...builder.files()].flatMap((file) => file?.artifact ?? [])
      const found = await finderOf([...shards, searchManifest(builder.base(), hidden, null)])('secretery', 10)
      expect([found.total, found.slips.length]).toEqual([total, total])
    }
  })

  test('a typing error after the second letter is corrected on a site of any size, from few shards', async () => {
    const words = Array.from({ length: 60_000 }, (_, at) => spelt(at))
    const site = Array.from({ length: 60 }, (_, at) =>
      page(`/${at}`, 'T', `<p>${words.slice(1000 * at, 1000 * at + 1000).join(' ')}</p>`),
    )
    const loaded = new Set<string>()
    const files = new Map(
      searchFiles(site).artifacts.map(({ key, body }) => [key, Buffer.from(body).toString()]),
    )
    const search = createFinder(async (name) => {
      loaded.add(name)
      return JSON.parse(files.get(name) ?? '')
    })
    expect(files.size).toBeGreaterThan(40)
    const { slips } = await search(`${spelt(31_000)}x`, 1)
    expect(slips).toEqual([{ typed: `${spelt(31_000)}x`, meant: spelt(31_000) }])
    expect(loaded.size).toBeLessThan(10)
  })

  test.each([
    ['検索', '/ja'],
    ['全文検索', '/ja'],
    ['索', '/ja'],
    ['데이터', '/ko'],
    ['发布', '/zh'],
    ['ค้นหา', '/th'],
  ])('%s is found in a script without spaces between words', async (query, path) => {
    const site = [
      page('/ja', '日本語', '<p>このサイトでは全文検索ができます。</p>'),
      page('/ko', '한국어', '<p>데이터를 검색합니다.</p>'),
      page('/zh', '中文', '<p>页面已经发布。</p>'),
      page('/th', 'ไทย', '<p>ระบบค้นหาข้อมูล</p>'),
    ]
    expect(await find(site, query)).toEqual([path])
  })

  test('navigation, scripts, comments and hidden text are not indexed', async () => {
    const site = [
      page(
        '/a',
        'A',
        '<nav>alpha</nav><script>beta</script><p>one<!-- gamma --> two</p><span aria-hidden="true">delta</span>',
      ),
    ]
    for (const word of ['alpha', 'beta', 'gamma', 'delta']) expect(await find(site, word)).toEqual([])
    expect(await find(site, 'two')).toEqual(['/a'])
  })

  test('inline markup does not split a word, and character references are decoded', async () => {
    const site = [page('/a', 'A', '<p>un<b>believ</b>able R&#x26;D caf&eacute;s &lt;caret&gt;</p>')]
    expect(await find(site, 'unbelievable caret')).toEqual(['/a'])
  })

  test('an index that was replaced after its manifest was loaded is loaded again', async () => {
    const [before, after] = ['first', 'second'].map(
      (word) => searchFiles([page('/a', 'A', `<p>${word}</p>`)]).artifacts,
    )
    let files = before ?? []
    const search = createFinder(async (name) => {
      const file = files.find(({ key }) => key === name)
      if (file === undefined) throw new Error('Not found.')
      // The files that the manifest names are removed.
      files = after ?? []
      return JSON.parse(Buffer.from(file.body).toString())
    })
    expect((await search('second', 1)).total).toBe(1)
  })

  test('a search rejects if the index cannot be loaded, and the next search loads it again', async () => {
    const files = searchFiles([page('/a', 'A', '<p>text</p>')]).artifacts
    let isDown = true
    const search = createFinder(async (name) => {
      const file = files.find(({ key }) => key === name)
      if (isDown || file === undefined) throw new Error('Down.')
      return JSON.parse(Buffer.from(file.body).toString())
    })
    await expect(search('text', 1)).rejects.toThrow('Down.')
    isDown = false
    expect((await search('text', 1)).total).toBe(1)
  })
})
