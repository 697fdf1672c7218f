import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { siteIgnoreRules } from '../../../src/content-folder/list-files.ts'
import { detectChanges } from '../../../src/site-build/incremental/change-detection.ts'
import { buildIncrementally } from '../../../src/site-build/incremental/incremental-build.ts'
import type { PageShardNames } from '../../../src/site-build/state/state-shards.ts'
import { createLocalFolderStorage } from '../../../src/storage/local-folder.ts'
import type { FolderStorage } from '../../../src/storage/storage.ts'
import { runs } from '../../support/long-form.ts'
import { readSiteFiles } from '../read-site-files.ts'
import { temporarySite } from '../temporary-site.ts'

const SITE = {
  'site.yaml':
    'name: Notes\nurl: https://notes.example\nedit_base: https://git.example/notes\nnav_links: [{ label: Prices, href: /prices.json }]\n',
  'index.yaml':
    'title: Home\nsections:\n  - type: posts\n    source: blog\n  - type: hero\n    title: Hello\n',
  'docs/index.md': '---\ntitle: Docs\n---\nAll of it.\n',
  'docs/a.md': '---\ntitle: A\n---\nTo [B](/docs/b#here), [its file](b.md) and [gone](/gone).\n',
  'docs/b.md': '---\ntitle: B\n---\n## Here\n\nText.\n',
  'docs/deep/c.md': '---\ntitle: C\nmeta:\n  robots: noindex\n---\nText.\n',
  'guide/x.md': '---\ntitle: X\n---\nText.\n',
  'guide/y.md': '---\ntitle: Y\nparent: docs/index\n---\nText.\n',
  'docs/draft.md': '---\ntitle: Draft\ndraft: true\n---\nText.\n',
  'blog/one.md': '---\ntitle: One\ntype: article\npublish_date: 2026-01-02\n---\nText.\n',
  'blog/two.md': '---\ntitle: Two\ntype: article\npublish_date: 2026-01-02\n---\nOther words.\n',
  '404.md': '---\ntitle: Lost\n---\nSee [B](docs/b.md).\n',
  'item.yaml': 'title: Thing\ntype: item\nfields:\n  colour: red\n',
  'static/images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'docs/plan b.pdf': 'plan',
  'docs/unnamed.txt': 'text',
  'docs/points.json': '{ "points": [1] }',
  'prices.json': '[1]',
}
type Files = Record<string, string>

/** Two copies of a site. `one` is built incrementally, `other` always completely. */
async function twoSites(site: Files = SITE, future = true) {
  const [one, other] = [await temporarySite(site, future), await temporarySite(site, future)]
  let incremental = 0
  let day = 1
  const now = () => new Date(Date.UTC(2026, 0, day)).toISOString()
  const real = createLocalFolderStorage({ root: one.out, sync: false })

  return {
    one,
    other,
    /** Number of builds that read only the edited files. */
    incrementalBuilds: () => incremental,
    /** Builds `one`, with a clock that is late enough to trust every fingerprint. */
    buildOne: (storage: FolderStorage = real) =>
      buildIncrementally(
        detectChanges(
          { content: one.folder, ignored: siteIgnoreRules(one.folder), themes: [], request: 1, out: one.out },
          Date.now() + 10_000,
        ),
        one.out,
        now(),
        async (since) => {
          const result = await one.run({ storage, now }, false, null, since)
          if ('left' in result && result.left.touched !== null) incremental += 1
          return result
        },
      ),
    buildOther: () => other.run({ now }),
    async change(files: Files) {
      day += 1
      for (const site of [one, other])
        for (const [name, text] of Object.entries(files))
          await (text === GONE ? rm(join(site.folder, name), { force: true }) : site.put(name, text))
    },
  }
}

const GONE = ''
const PAGES = [
  'docs/a.md',
  'docs/b.md',
  'docs/index.md',
  'docs/deep/c.md',
  'docs/draft.md',
  'guide/x.md',
  'guide/y.md',
  'blog/one.md',
  'blog/two.md',
  '404.md',
]

const words = fc
  .array(fc.constantFrom('Text', 'other', 'words', 'quoin', 'ça', '東京'), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(' '))
const page = fc.constantFrom(...PAGES)
/** An edit of an author, mostly of the text of a page. */
const edit: fc.Arbitrary<(files: Files) => Files> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(page, words).map(([name, text]) => appended(name, `\n${text}.\n`)) },
  { weight: 2, arbitrary: fc.tuple(page, words).map(([name, text]) => appended(name, `\n## ${text}\n`)) },
  {
    weight: 2,
    arbitrary: fc.tuple(page, words).map(([name, text]) => replaced(name, /\n## .*/, `\n## ${text}`)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        page,
        fc.constantFrom(
          '/docs/b#here',
          '/docs/b#other',
          '../docs/a.md',
          '/images/dot.svg',
          'none.png',
          'plan%20b.pdf',
          'points.json',
          '../docs/points.json',
          '../docs/plan%20b.pdf#page=2',
          'new.png',
          '/robots.txt',
          'javascript:x',
        ),
      )
      .map(([name, to]) => appended(name, `\n[link](${to})\n`)),
  },
  page.map((name) => appended(name, '\n```js\nconst a = 1\n```\n')),
  page.map((name) => replaced(name, /\n(?=title)/, '\n# A remark.\n')),
  fc
    .tuple(page, words)
    .map(([name, text]) => replaced(name, /description: .*\n|(?=---\n[^t])/, `description: ${text}\n`)),
  fc.tuple(page, words).map(([name, text]) => replaced(name, /title: .*/, `title: ${text}`)),
  page.map((name) => replaced(name, /\n---\n/, '\nmeta:\n  robots: noindex\n---\n')),
  fc
    .tuple(
      page,
      fc.constantFrom(
        'slug: other',
        'draft: true',
        'subroute: elsewhere',
        'og_image_url: https://notes.example/x.png',
      ),
    )
    .map(([name, line]) => replaced(name, /\n---\n/, `\n${line}\n---\n`)),
  fc
    .tuple(
      page,
      fc.constantFrom('', ...['/old.html', '[/old, /old.html]', '/docs/b', '/blog'].map(redirecting)),
    )
    .map(([name, line]) => replaced(name, /redirect_from: .*\n|(?=---\n[^t])/, line)),
  fc
    .tuple(fc.constantFrom('docs/new.md', 'docs/deep/index.md', 'blog/new.md'), words)
    .map(([name, text]) => () => ({ [name]: `---\ntitle: ${text}\n---\nNew.\n` })),
  page.map((name) => () => ({ [name]: GONE })),
  words.map((text) => appended('site.yaml', `footer_text: ${text}\n`)),
  words.map((text) => () => ({ 'static/images/dot.svg': `<svg><title>${text}</title></svg>` })),
  fc
    .tuple(
      fc.constantFrom(
        'docs/plan b.pdf',
        'docs/unnamed.txt',
        'docs/new.png',
        'docs/points.json',
        'static/robots.txt',
        'static/.well-known/security.txt',
        'static/.env',
        'static/docs/a/index.html',
        'static/Images/DOT.svg',
      ),
      fc.oneof(words, fc.constant(GONE)),
    )
    .map(([name, text]) => () => ({ [name]: text })),
  // A page, and a download again.
  fc
    .constantFrom('{ "title": "Points" }', '{ "points": [2] }')
    .map((text) => () => ({ 'docs/points.json': text })),
  words.map((text) => replaced('index.yaml', /title: Hello.*/, `title: Hello ${text}`)),
  words.map((text) => replaced('item.yaml', /colour: .*/, `colour: ${text}`)),
)

function redirecting(from: string): string {
  return `redirect_from: ${from}\n`
}

function appended(name: string, text: string) {
  return (files: Files): Files => (name in files ? { [name]: `${files[name]}${text}` } : {})
}

function replaced(name: string, pattern: RegExp, text: string) {
  return (files: Files): Files =>
    name in files ? { [name]: files[name]?.replace(pattern, () => text) ?? '' } : {}
}

test('an incremental build writes and reports the same as a complete build, after any edits', async () => {
  let incremental = 0
  let builds = 0
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
      const { one, other, incrementalBuilds, buildOne, buildOther, change } = await twoSites()
      let files: Files = { ...SITE }
      for (const next of [(): Files => ({}), ...edits]) {
        const changed = next(files)
        files = Object.fromEntries(
          Object.entries({ ...files, ...changed }).filter(([, text]) => text !== GONE),
        )
        await change(changed)
        const [actual, expected] = [await buildOne(), await buildOther()]
        expect(reportOf(actual)).toEqual(reportOf(expected))
        expect(await readSiteFiles(one.out)).toEqual(await readSiteFiles(other.out))
        builds += 1
      }
      incremental += incrementalBuilds()
    }),
    { numRuns: runs(24) },
  )
  // Otherwise both builds would be complete ones.
  expect(incremental).toBeGreaterThan(builds / 5)
})

test('an edit of one page renders that page only', async () => {
  const { one, incrementalBuilds, buildOne, change } = await twoSites()
  await buildOne()
  const before = await readSiteFiles(one.out)
  await change({ 'docs/b.md': `${SITE['docs/b.md']}\nOther text.\n` })
  expect(await buildOne()).toMatchObject({ report: { pages: { total: 11, rendered: 1 } } })
  expect(incrementalBuilds()).toBe(1)
  const changed = [...(await readSiteFiles(one.out))].filter(([key, text]) => text !== before.get(key))
  expect(changed.map(([key]) => key).filter((key) => !key.startsWith('_search'))).toEqual([
    '_index.json',
    'docs/b/index.html',
    'docs/b/index.md',
    'llms-full.txt',
    'sitemap.xml',
  ])
})

test('an edit keeps the links of a page to files whose addresses have a dot or letters beyond ASCII', async () => {
  const target = '---\ntitle: T\n---\n## Here\n'
  const linking =
    '---\ntitle: A\n---\n[One](v1.2.md), [two](node.js.md#here), [three](über.md#gone), [four](more.d/).\n'
  const { one, other, incrementalBuilds, buildOne, buildOther, change } = await twoSites({
    'site.yaml': SITE['site.yaml'],
    'docs/a.md': linking,
    'prices.json': '[1]',
    'static/index.html': '<!doctype html>',
    'docs/v1.2.md': target,
    'docs/node.js.md': target,
    'docs/über.md': target,
    'docs/more.d/index.md': target,
  })
  await buildOne()
  await buildOther()
  await change({ 'docs/a.md': `${linking}\nMore.\n` })
  const [actual, expected] = [await buildOne(), await buildOther()]
  expect(incrementalBuilds()).toBe(1)
  expect(await readSiteFiles(one.out)).toEqual(await readSiteFiles(other.out))
  expect(reportOf(actual)).toEqual(reportOf(expected))
  expect(reportOf(actual)).toMatchObject({ warnings: [{ code: 'QN-DEAD-ANCHOR', line: 4 }] })
})

test('a symbolic link in place of site.yaml is an error of the site', async () => {
  const { one, buildOne } = await twoSites()
  await buildOne()
  await rm(join(one.folder, 'site.yaml'))
  await symlink('index.yaml', join(one.folder, 'site.yaml'))
  expect(await buildOne()).toMatchObject({ errors: [{ code: 'QN-NO-SITE-FILE' }] })
})

test('a build restores removed output files and retains foreign ones', async () => {
  const { one, other, buildOne, buildOther, change } = await twoSites()
  await buildOne()
  await buildOther()
  for (const site of [one, other]) {
    await rm(join(site.out, 'docs/a/index.html'))
    await writeFile(join(site.out, 'mine.txt'), 'Mine')
  }
  await change({ 'docs/b.md': `${SITE['docs/b.md']}\nOther text.\n` })
  await buildOne()
  await buildOther()
  expect(await readSiteFiles(one.out)).toEqual(await readSiteFiles(other.out))
})

test('a new title renders every page and index that shows it', async () => {
  const { one, incrementalBuilds, buildOne, change } = await twoSites()
  await buildOne()
  await change({
    'docs/b.md': '---\ntitle: Beta\n---\nText.\n',
    'blog/one.md': SITE['blog/one.md'].replace('One', 'First'),
  })
  expect(await buildOne()).toMatchObject({ report: { pages: { total: 11, rendered: 8 } } })
  expect(incrementalBuilds()).toBe(1)
  const files = await readSiteFiles(one.out)
  for (const key of ['docs/a/index.html', 'docs/index.html', '_nav/docs.json'])
    expect(files.get(key), key).toContain('Beta')
  for (const key of ['index.html', 'blog/index.html', 'feed.xml'])
    expect(files.get(key), key).toContain('First')
})

test('articles lead to the others of their blog after one of them goes to another blog', async () => {
  const article = (title: string, ...fields: readonly string[]) =>
    `---\ntitle: ${title}\ntype: article\n${fields.map((field) => `${field}\n`).join('')}---\nText.\n`
  const days = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  const { one, other, buildOne, buildOther, change } = await twoSites({
    'site.yaml': SITE['site.yaml'],
    ...Object.fromEntries(
      days.map((title, day) => [
        `blog/${title}.md`,
        article(title, `date: 2026-01-0${day + 1}`, ...(day % 2 === 0 ? ['tags: [odd]'] : [])),
      ]),
    ),
    'news/Old.md': article('Old', 'date: 2020-01-01'),
  })
  for (const files of [
    {},
    { 'blog/Three.md': article('Three', 'date: 2026-01-03', 'tags: [odd]', 'blog: news') },
    { 'blog/Two.md': article('Second', 'date: 2026-01-02') },
    { 'blog/One.md': article('First', 'date: 2026-01-01', 'tags: [odd]') },
    { 'blog/Three.md': article('Three', 'date: 2026-01-03') },
  ]) {
    await change(files)
    await buildOne()
    await buildOther()
    expect(await readSiteFiles(one.out)).toEqual(await readSiteFiles(other.out))
  }
})

test('feeds list the newest articles after articles are added, removed, edited or dated differently', async () => {
  const article = (number: number, date = `2026-01-${10 + (number % 19)}`) =>
    `---\ntitle: Article ${number}\ntype: article\npublish_date: ${date}\n---\nText ${number}.\n`
  const name = (number: number) => `blog/a${number}.md`
  const articles = Array.from({ length: 54 }, (_, number) => [name(number), article(number)] as const)
  const site = { 'site.yaml': SITE['site.yaml'], ...Object.fromEntries(articles) }
  const some = fc.nat({ max: 53 })
  const dated = fc.tuple(some, fc.constantFrom('2025-01-01', '2026-01-15', '2026-02-01'))
  const change = fc.oneof(
    some.map((number): Files => ({ [name(number)]: GONE })),
    dated.map(([number, date]): Files => ({ [name(number)]: article(number, date) })),
    some.map((number): Files => ({ [name(number + 100)]: article(number + 100) })),
    some.map((number): Files => ({ [name(number)]: `${article(number)}\nMore.\n` })),
  )
  let incremental = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const { one, other, incrementalBuilds, buildOne, change } = await twoSites(site)
      await buildOne()
      for (const files of [{ [name(20)]: `${article(20)}\nMore.\n` }, ...changes]) {
        await change(files)
        await buildOne()
        await rm(other.out, { recursive: true, force: true })
        // The time of the build must not change the feed.
        await other.build({ now: () => '2026-01-01T00:00:00.000Z' })
        for (const key of ['feed.xml', '_feed.json']) {
          const [actual, expected] = [join(one.out, key), join(other.out, key)]
          expect(timelessFeed(await readFile(actual, 'utf8'))).toBe(
            timelessFeed(await readFile(expected, 'utf8')),
          )
        }
      }
      incremental += incrementalBuilds()
    }),
    { numRuns: runs(4) },
  )
  expect(incremental).toBeGreaterThan(0)
})

test('a feed lists an article that an edit moves into the newest ones without changing its text', async () => {
  const article = (number: number, date: string, more = '') =>
    `---\ntitle: Article ${number}\ntype: article\npublish_date: ${date}\nlast_updated: 2025-06-01\n${more}---\nText.\n`
  const dateOf = (number: number) => new Date(Date.UTC(2024, 0, 1 + number)).toISOString().slice(0, 10)
  const articles = Array.from({ length: 50 }, (_, n) => [`blog/a${n}.md`, article(n, dateOf(n))] as const)
  // Alone in its list, so that its date does not move another page.
  const { one, incrementalBuilds, buildOne, change } = await twoSites({
    'site.yaml': SITE['site.yaml'],
    'news/b.md': article(52, dateOf(2)),
    ...Object.fromEntries(articles),
  })
  await buildOne()
  await change({
    'news/b.md': article(52, '2020-01-02'),
    'blog/a0.md': article(0, dateOf(0), 'meta: {robots: ""}\n'),
  })
  expect(await buildOne()).toMatchObject({ report: { pages: { rendered: 2 } } })
  expect(incrementalBuilds()).toBe(1)
  const feed = await readFile(join(one.out, 'feed.xml'), 'utf8')
  expect(feed.match(/<entry>/g)).toHaveLength(50)
  expect(feed).toContain('<title>Article 0</title>')
})

/** Without the times of edits, which a cold build cannot know. */
function timelessFeed(feed: string): string {
  return feed.replace(/<updated>[^<]*|"date_modified":"[^"]*"/g, '')
}

describe('an aborted incremental build', () => {
  const edit = { 'docs/b.md': `${SITE['docs/b.md']}\n## More\n\nOther text.\n` }
  const timeless = async (out: string) =>
    [...(await readSiteFiles(out))].filter(([key]) => !/^(_index.json|sitemap.xml)$/.test(key))

  test('is completed by the next one, whichever write failed', async () => {
    const expected = await completelyBuilt()
    for (let writes = 0; ; writes++) {
      const { one, buildOne, change } = await twoSites()
      await buildOne()
      await change(edit)
      let remaining = writes
      const storage = createLocalFolderStorage({ root: one.out, sync: false })
      const put: typeof storage.put = async (...given) => {
        if (remaining-- <= 0) throw new Error('Aborted.')
        return storage.put(...given)
      }
      const isComplete = await buildOne({ ...storage, put }).then(
        () => true,
        () => false,
      )
      await buildOne()
      expect(await timeless(one.out)).toEqual(expected)
      if (isComplete) break
      expect(writes).toBeLessThan(100)
    }

    async function completelyBuilt() {
      const { other, buildOther, change } = await twoSites()
      await buildOther()
      await change(edit)
      await buildOther()
      return timeless(other.out)
    }
  })

  test('is completed by the next one if only the build state was not written', async () => {
    const { one, other, buildOne, buildOther, change } = await twoSites()
    await buildOne()
    await buildOther()
    const stateFolder = join(one.out, '.quoin')
    await cp(stateFolder, join(one.folder, '.before'), { recursive: true })
    await change(edit)
    await buildOne()
    // Shards of both builds, the previous head, and the list of files that were about to be written.
    await cp(join(one.folder, '.before'), stateFolder, { recursive: true })
    await rm(join(stateFolder, 'fingerprints.jsonl'))
    await writeFile(
      join(stateFolder, 'writing.json'),
      JSON.stringify([...(await readSiteFiles(one.out)).keys()]),
    )
    await buildOne()
    await buildOther()
    expect(await timeless(one.out)).toEqual(await timeless(other.out))
    const shards = await readdir(join(stateFolder, 'shards'))
    const { files, feed, pages } = JSON.parse(await readFile(join(stateFolder, 'build.json'), 'utf8'))
    const named = pages.flatMap(({ records, details, extracts }: PageShardNames) => [
      records,
      details,
      ...extracts.map(([name]) => name),
    ])
    expect(shards.sort()).toEqual([files.pages, files.others, feed, ...named].sort())
  })
})

function reportOf(result: Awaited<ReturnType<typeof buildIncrementally>>) {
  if ('errors' in result) return result
  const { warnings, pages, files, held, hasAddress } = result.report
  return { warnings, pages: pages.total, files: files.total, held, hasAddress }
}

test('lists of articles equal those of a cold build after articles are added, removed, edited or dated differently', async () => {
  const article = (number: number, date = 10 + number) =>
    `---\ntitle: Article ${number}\ntype: article\npublish_date: 2026-01-01T00:${date}\n---\nText ${number}.\n`
  const name = (number: number) => `${number % 4 === 0 ? 'news' : 'blog'}/a${number}.md`
  const articles = Array.from({ length: 40 }, (_, number) => [name(number), article(number)] as const)
  const some = fc.nat({ max: 39 })
  const change = fc.oneof(
    some.map((number): Files => ({ [name(number)]: GONE })),
    fc
      .tuple(some, fc.integer({ min: 10, max: 59 }))
      .map(([n, date]): Files => ({ [name(n)]: article(n, date) })),
    some.map((number): Files => ({ [name(number)]: `${article(number)}\nMore.\n` })),
    some.map((number): Files => ({ [name(number + 100)]: article(number + 100, 10 + number) })),
  )
  const listsIn = async (out: string) =>
    [...(await readSiteFiles(out))].filter(([key]) => /^(blog|news)\/(page\/\d+\/)?index\.html$/.test(key))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const { one, other, buildOne, change } = await twoSites({
        'site.yaml': SITE['site.yaml'],
        ...Object.fromEntries(articles),
      })
      await buildOne()
      for (const files of changes) {
        await change(files)
        await buildOne()
        await rm(other.out, { recursive: true, force: true })
        await other.build()
        const lists = await listsIn(other.out)
        expect(lists.length).toBeGreaterThan(2)
        expect(await listsIn(one.out)).toEqual(lists)
      }
    }),
    { numRuns: runs(4) },
  )
})

test('articles are held back until their date, in an incremental build as in a complete one', async () => {
  const dated = (date: string) => `---\ntitle: One\ntype: article\npublish_date: ${date}\n---\nText.\n`
  const site = {
    ...SITE,
    'blog/two.md': dated('2026-01-04'),
    'blog/later.md': dated('2030-01-01T12:00:00+02:00'),
  }
  const date = fc.constantFrom('2026-01-03', '2026-01-05', '2025-12-31', '2026-01-09')
  const change = fc.oneof(
    fc.constant({}),
    fc
      .tuple(fc.constantFrom('blog/one.md', 'blog/two.md'), date)
      .map(([name, day]): Files => ({ [name]: dated(day) })),
    words.map((text): Files => ({ 'docs/b.md': `${SITE['docs/b.md']}\n${text}\n` })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const { one, other, buildOne, buildOther, change } = await twoSites(site, false)
      for (const files of [{}, ...changes]) {
        await change(files)
        const [actual, expected] = [await buildOne(), await buildOther()]
        expect(reportOf(actual)).toEqual(reportOf(expected))
        expect(reportOf(actual)).toMatchObject({
          held: expect.arrayContaining([{ file: 'blog/later.md', until: '2030-01-01T12:00:00.000+02:00' }]),
        })
        expect(await readSiteFiles(one.out)).toEqual(await readSiteFiles(other.out))
      }
    }),
    { numRuns: runs(6) },
  )
})
