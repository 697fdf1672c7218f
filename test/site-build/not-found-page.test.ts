import { expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const LOST = '# Off the map\n\nTo [A](docs/a.md), or the [tram](tram.pdf).\n'

test.each(['404.md', '404.page.md', '404.markdown'])(
  '%s is the page for unknown paths, and in no list',
  async (name) => {
    const { out, build, drop } = await temporarySite({ ...NOTES, [name]: LOST, 'tram.pdf': 'x' })
    const { warnings } = await build()
    expect(warnings).toEqual([])
    const files = await readSiteFiles(out)
    const page = files.get('404.html')
    expect(page).toContain('<title>Off the map · Notes')
    expect(page).toContain('href="https://notes.example/docs/a/"')
    expect(page).toContain('href="https://notes.example/tram.pdf"')
    const naming = [...files].filter(([key, text]) => /Off the map/.test(text) && !key.startsWith('404'))
    expect(naming.map(([key]) => key)).toEqual(['_index.json'])
    expect(files.get('404/index.html')).toContain('<meta name="robots" content="noindex">')

    await drop(name)
    await build()
    expect((await readSiteFiles(out)).get('404.html')).toContain('Page not found')
  },
)

test('an article or a docs page for unknown paths is in no feed, list or navigation', async () => {
  for (const type of ['docs', 'article']) {
    const { out, build } = await temporarySite({
      ...NOTES,
      '404.md': `---\ntype: ${type}\n---\n${LOST}`,
      'tram.pdf': 'x',
    })
    await build()
    const files = await readSiteFiles(out)
    expect(files.get('404.html')).toContain('Off the map')
    const naming = [...files].filter(([key, text]) => /Off the map/.test(text) && !key.startsWith('404'))
    expect(
      naming.map(([key]) => key),
      type,
    ).toEqual(['_index.json'])
  }
})

test('404.md in another folder is a page as any other', async () => {
  const { out, build } = await temporarySite({ ...NOTES, 'docs/404.md': '# The code 404\n' })
  await build()
  const files = await readSiteFiles(out)
  expect(files.get('404.html')).toContain('Page not found')
  expect(files.get('sitemap.xml')).toContain('docs/404/')
})
