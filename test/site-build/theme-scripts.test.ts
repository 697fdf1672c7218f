import { expect, test } from 'vitest'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\ntheme: mine\n',
  'docs/a.md': '---\ntitle: A\n---\nText.\n',
}
const THEME = {
  'script.js': "document.body.dataset.ran = 'yes'\n",
  'assets/menu.js': 'void 0\n',
  'assets/print.css': '@media print { body { background: url(assets/mark.svg) } }',
  'assets/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'partials/toc.eta':
    '<script defer src="<%= it.asset(\'menu.js\') %>"></script><link rel="stylesheet" href="<%= it.asset(\'print.css\') %>">',
}

test('scripts and styles of a theme are files with a hash in their names, which the policy of pages allows', async () => {
  const { out, build } = await temporarySite(SITE)
  await build({ renderer: await rendererWith(THEME) })
  const files = await readSiteFiles(out)
  const html = files.get('docs/a/index.html') ?? ''
  const [, own = ''] = /<script defer src="\.\.\/\.\.\/(_assets\/script\.[0-9a-f]{16}\.js)"/.exec(html) ?? []
  const [, menu = ''] = /<script defer src="\.\.\/\.\.\/(_assets\/menu\.[0-9a-f]{16}\.js)"/.exec(html) ?? []
  const [, print = ''] = /href="\.\.\/\.\.\/(_assets\/print\.[0-9a-f]{16}\.css)"/.exec(html) ?? []
  expect(files.get(own)).toBe(THEME['script.js'])
  expect(files.get(menu)).toBe(THEME['assets/menu.js'])
  expect(files.get(print)).toMatch(/url\(mark\.[0-9a-f]{16}\.svg\)/)
  expect(html).toMatch(/script-src &#39;self&#39; &#39;sha256-[\w+/=]+&#39;;/)
  expect(html).not.toContain('unsafe-inline')
})

test('an edited script has another name, and every page refers to it', async () => {
  const { out, build } = await temporarySite(SITE)
  await build({ renderer: await rendererWith(THEME) })
  expect(await build({ renderer: await rendererWith(THEME) })).toMatchObject({ pages: { rendered: 0 } })
  const edited = { ...THEME, 'script.js': 'void 1\n' }
  expect(await build({ renderer: await rendererWith(edited) })).toMatchObject({ pages: { rendered: 1 } })
  const files = await readSiteFiles(out)
  expect([...files].filter(([key]) => key.startsWith('_assets/script.')).map(([, text]) => text)).toEqual([
    'void 1\n',
  ])
})
