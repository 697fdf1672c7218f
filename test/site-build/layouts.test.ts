import { describe, expect, test } from 'vitest'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const page = (fields: string) => `---\ntitle: A page\n${fields}---\n## One\n\nText.\n\n## Two\n\nText.\n`
const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\ntheme: mine\n',
  'static/index.html': '<!doctype html>',
}
const POSTER = { 'layouts/poster.eta': '<h1 class="poster"><%= it.page.title %></h1>' }

describe('a page that names a layout', () => {
  test.each(['page', 'article', 'docs', 'item'])('is shown in it: %s', async (type) => {
    const { out, build } = await temporarySite({ ...SITE, 'a.md': page(`type: ${type}\nlayout: poster\n`) })
    const { warnings } = await build({ renderer: await rendererWith(POSTER) })
    expect(warnings.filter(({ code }) => code !== 'QN-UNUSED-CONTENT')).toEqual([])
    expect((await readSiteFiles(out)).get('a/index.html')).toBe('<h1 class="poster">A page</h1>')
  })

  test.each(['page', 'article', 'docs', 'item'])('may name the wide one of every theme: %s', async (type) => {
    const { out, build } = await temporarySite({
      'site.yaml': 'name: Notes\n',
      'static/index.html': '<!doctype html>',
      'a.md': page(`type: ${type}\nlayout: wide\n`),
    })
    await build()
    expect((await readSiteFiles(out)).get('a/index.html')).toContain(`<body class="${type}-layout wide"`)
  })

  test('is shown in the layout of its type when the theme lacks the named one, and the error lists those it has', async () => {
    const { out, build } = await temporarySite({
      ...SITE,
      'a.md': page('layout: postr\n'),
      'b.md': page('layout: not-found\n'),
    })
    const { warnings } = await build({ renderer: await rendererWith(POSTER) })
    expect(warnings).toMatchObject([
      {
        code: 'QN-UNKNOWN-LAYOUT',
        file: 'a.md',
        line: 3,
        field: 'layout',
        message: 'layout: The theme has no layout "postr" to choose. Its layouts are poster, wide.',
      },
      { code: 'QN-UNKNOWN-LAYOUT', file: 'b.md', line: 3 },
    ])
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('<body class="docs-layout"')
  })

  test('is shown without a word in the layout of its own type', async () => {
    const { build } = await temporarySite({ ...SITE, 'a.md': page('layout: docs\n') })
    expect((await build({ renderer: await rendererWith({}) })).warnings).toEqual([])
  })

  test('is rendered again when the layout is edited, and no other layout is', async () => {
    const { out, put, build } = await temporarySite({ ...SITE, 'a.md': page(''), 'b.md': page('') })
    const renderer = await rendererWith(POSTER)
    await build({ renderer })
    await put('a.md', page('layout: poster\n'))
    expect(await build({ renderer })).toMatchObject({ pages: { rendered: 1 } })
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('class="poster"')
    const other = await rendererWith({ 'layouts/poster.eta': '<h1 class="other"><%= it.page.title %></h1>' })
    await build({ renderer: other })
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('class="other"')
  })
})
