import { cp } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { siteIgnoreRules } from '../../src/content-folder/list-files.ts'
import { detectChanges } from '../../src/site-build/incremental/change-detection.ts'
import { buildIncrementally } from '../../src/site-build/incremental/incremental-build.ts'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const THEME = {
  'layouts/docs.eta':
    '<h1><%= it.page.title %></h1><p><%= JSON.stringify(it.data) %></p><a href="<%= it.href(it.data.team?.[0]?.link) %>"></a>',
  'layouts/page.eta': '<%~ it.page.sectionsHtml %>',
  'sections/cta.eta': '<b><%= it.data.prices?.basic %></b>',
  'layouts/listing.eta': '<i><%= it.data.prices?.basic %></i>',
  'layouts/not-found.eta': '<i><%= it.data.prices?.basic %></i>',
}
const PAGE = '---\ntitle: A\n---\nText.\n'
const SITE = {
  'site.yaml': 'name: Shop\nurl: https://shop.example\ntheme: mine\n',
  'docs/a.md': PAGE,
  'docs/b.md': PAGE,
  'index.yaml':
    'title: Home\nsections:\n  - type: cta\n    title: Buy\n    actions: [{ text: Buy, link: /docs/a }]\n',
  'blog/one.md': '---\ntitle: One\ntype: article\npublish_date: 2026-01-02\n---\nText.\n',
  'data/prices.json': '{ "basic": 3 }',
  'data/team.yaml': '- name: "<b>Ada</b>"\n  link: /docs/b\n',
  'data/shop/opening-hours.yml': 'monday: 9\n',
}

describe('files in data/', () => {
  test('reach every template under their names, escaped, with folders as objects', async () => {
    const { out, build } = await temporarySite(SITE)
    await build({ renderer: await rendererWith(THEME) })
    const files = await readSiteFiles(out)
    const data = {
      prices: { basic: 3 },
      shop: { 'opening-hours': { monday: 9 } },
      team: [{ name: '<b>Ada</b>', link: '/docs/b' }],
    }
    const printed = /<p>(.*)<\/p>/.exec(files.get('docs/a/index.html') ?? '')?.[1] ?? ''
    expect(printed).not.toContain('<')
    expect(
      JSON.parse(printed.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
    ).toEqual(data)
    expect(files.get('docs/a/index.html')).toContain('<a href="../../docs/b/">')
    expect(files.get('index.html')).toBe('<b>3</b>')
    expect(files.get('blog/index.html')).toBe('<i>3</i>')
    expect(files.get('404.html')).toBe('<i>3</i>')
  })

  test('are not pages and are not served', async () => {
    const { out, build } = await temporarySite(SITE)
    expect(await build({ renderer: await rendererWith(THEME) })).toMatchObject({
      pages: { total: 4 },
      warnings: [],
    })
    const keys = [...(await readSiteFiles(out)).keys()]
    expect(keys.filter((key) => /prices|team|opening/.test(key))).toEqual([])
  })

  test('are pages where site.yaml names a type for their folder', async () => {
    const { build } = await temporarySite({
      'site.yaml': 'name: Shop\ntypes: { data: item }\n',
      'data/census.yaml': 'title: The census\n',
    })
    expect(await build()).toMatchObject({ pages: { total: 1 } })
  })

  test('join those of site.yaml', async () => {
    const { out, build } = await temporarySite({
      ...SITE,
      'site.yaml': `${SITE['site.yaml']}data: { year: 2026 }\n`,
    })
    await build({ renderer: await rendererWith(THEME) })
    expect((await readSiteFiles(out)).get('docs/a/index.html')).toContain('&quot;year&quot;:2026')
  })

  test('give, when they change, the same files as a first build, also after an edit of one page', async () => {
    const renderer = await rendererWith(THEME)
    const { folder, out, put, drop, run } = await temporarySite(SITE)
    let partial = 0
    const build = () =>
      buildIncrementally(
        detectChanges(
          { content: folder, ignored: siteIgnoreRules(folder), themes: [], request: 1, out },
          Date.now() + 10_000,
        ),
        out,
        '2026-01-01T00:00:00.000Z',
        async (since) => {
          const result = await run({ renderer }, false, null, since)
          if ('left' in result && result.left.touched !== null) partial += 1
          return result
        },
      )
    await build()
    await put('data/prices.json', '{ "basic": 4 }')
    expect(await build()).toMatchObject({ report: { pages: { rendered: 4 } } })
    await drop('data/team.yaml')
    await build()
    await put('docs/b.md', PAGE.replace('Text', 'Other text'))
    expect(await build()).toMatchObject({ report: { pages: { rendered: 1 } } })
    expect(partial).toBe(1)
    const html = await htmlOf(out)
    expect(html['docs/b/index.html']).not.toContain('Ada')
    const fresh = await temporarySite({})
    await cp(folder, fresh.folder, { recursive: true })
    await fresh.build({ renderer })
    expect(html).toEqual(await htmlOf(fresh.out))
  })

  test.each([
    ['of broken YAML', { 'data/a.yaml': 'a: 1\nb: [\n' }, ['data/a.yaml:3 QN-BAD-YAML']],
    ['of broken JSON', { 'data/a.json': '{\n "a": [1,,] }' }, ['data/a.json:2 QN-BAD-YAML']],
    [
      'with the name of another',
      { 'data/a.json': '1', 'data/a.yaml': '2' },
      ['data/a.yaml:null QN-BAD-DATA'],
    ],
    [
      'with the name of a folder',
      { 'data/a.json': '1', 'data/a/b.yaml': '2' },
      ['data/a/b.yaml:null QN-BAD-DATA'],
    ],
    [
      'with a name that templates cannot use',
      { 'data/a b.json': '1', 'data/__proto__.json': '1' },
      ['data/__proto__.json:null QN-BAD-DATA', 'data/a b.json:null QN-BAD-DATA'],
    ],
    ['that are too large', { 'data/a.json': JSON.stringify('x'.repeat(262_145)) }, ['data:null QN-BAD-DATA']],
    [
      'that are nested too deeply',
      { 'data/a.json': `${'['.repeat(17)}${']'.repeat(17)}` },
      ['data:null QN-BAD-DATA'],
    ],
  ])('%s are refused by name', async (_, files, expected) => {
    const { run } = await temporarySite({ 'site.yaml': 'name: Shop\n', 'a.md': PAGE, ...files })
    const result = await run()
    const errors = 'errors' in result ? result.errors : []
    expect(errors.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual(expected)
  })
})

async function htmlOf(out: string): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries([...(await readSiteFiles(out))].filter(([key]) => key.endsWith('.html')))
}
