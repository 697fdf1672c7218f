import { describe, expect, test } from 'vitest'
import { readContent, readEditedContent } from '../../src/site-build/read-content.ts'
import { temporarySite } from './temporary-site.ts'

/** Themes of which `own` alone reads a field, and reads all. */
const JUDGE = {
  themes: ['default', 'own'],
  cssIssue: async () => null,
  readsField: (theme: string) => theme === 'own',
}

const NOW = '2026-01-01T00:00:00.000Z'

async function contentOf(files: Readonly<Record<string, string>>) {
  const { folder, out, put } = await temporarySite({ 'site.yaml': 'name: Notes\n', ...files })
  const request = { folder, out, theme: null, drafts: false }
  const { outlines, warnings } = await readContent(request, JUDGE, NOW)
  const read = (...edited: readonly string[]) =>
    readEditedContent(
      request,
      { files: ['site.yaml', ...Object.keys(files)], edited, notes: { outlines } },
      JUDGE,
      NOW,
    )
  return { warnings, read, put }
}

describe('a field that Quoin does not know', () => {
  const SHOP = {
    'a.md': '---\ntitle: A\nprice: 3\n---\nText.\n',
    'b.yaml': 'title: B\ntype: page\ntheme: own\n',
  }

  test('is read by the theme of a page that an edit does not touch', async () => {
    const { warnings, read } = await contentOf(SHOP)
    expect(warnings).toEqual([])
    expect(await read('a.md')).toMatchObject({ pages: [{ source: 'a.md' }], warnings: [] })
  })

  test('may be read no more after another page has a new theme, so that all pages count', async () => {
    const { read, put } = await contentOf(SHOP)
    await put('b.yaml', SHOP['b.yaml'].replace('own', 'default'))
    expect(await read('b.yaml')).toBeNull()
  })

  test('may have a comma in its name', async () => {
    const { warnings } = await contentOf({ 'a.md': '---\ntitle: A\n"size, in cm": 3\n---\nText.\n' })
    expect(warnings).toMatchObject([{ code: 'QN-UNREAD-FIELD', field: 'size, in cm', line: 3 }])
  })
})

test('a file that only style sheets and SVGs name is built with the page that names those, and not for a draft', async () => {
  const { folder, out } = await temporarySite({
    'site.yaml': 'name: Notes\n',
    'a.md': '---\ntitle: A\n---\n[Print](files/print.css)\n',
    'b.md': '---\ntitle: B\ndraft: true\n---\n![](files/plan.svg)\n',
    'files/print.css': '@import "more.css";\n',
    'files/more.css': 'a { background: url(dot.gif) }\n',
    'files/dot.gif': '',
    'files/plan.svg': '<svg><image href="photo.gif"/></svg>',
    'files/photo.gif': '',
  })
  const { site } = await readContent({ folder, out, theme: null, drafts: false }, JUDGE, NOW)
  expect(site.assets.map(({ path }) => path).sort()).toEqual([
    'files/dot.gif',
    'files/more.css',
    'files/print.css',
  ])
})
