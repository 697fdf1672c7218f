import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const ORIGIN = 'https://tool.example'
const page = (title: string) => `---\ntitle: ${title}\n---\nText of ${title}.\n`

const SITE = {
  'site.yaml': `name: Tool
url: ${ORIGIN}
locales:
  - { code: en, label: English }
  - { code: fr, label: Français, subroute: fr }
versions:
  - { name: '2.0', label: Version 2, subroute: docs, latest: true }
  - { name: '1.0', subroute: docs/1.0 }
`,
  'index.md': page('Home'),
  'docs/index.md': page('Guide'),
  'docs/install.md': page('Install'),
  'docs/added.md': page('Added'),
  'docs/1.0/index.md': page('Old guide'),
  'docs/1.0/install.md': page('Old install'),
  'docs/1.0/removed.md': page('Removed'),
  'fr/docs/install.md': page('Installer'),
  'fr/docs/1.0/install.md': page('Ancienne installation'),
}

async function built() {
  const site = await temporarySite(SITE)
  expect((await site.build()).warnings).toEqual([])
  return { ...site, read: (key: string) => readFile(join(site.out, key), 'utf8') }
}

const switchIn = (html: string) =>
  [...(/Version: .*?<\/details>/s.exec(html)?.[0] ?? '').matchAll(/<a href="([^"]+)"( aria-current)?/g)].map(
    ([, href, current]) => `${href}${current === undefined ? '' : ' current'}`,
  )

test('the switch of versions keeps the page, or leads to the start of a version that lacks it', async () => {
  const { read } = await built()
  expect(switchIn(await read('docs/1.0/install/index.html'))).toEqual([
    '../../../docs/install/',
    '../../../docs/1.0/install/ current',
  ])
  expect(switchIn(await read('docs/added/index.html'))).toEqual([
    '../../docs/added/ current',
    '../../docs/1.0/',
  ])
  expect(switchIn(await read('fr/docs/install/index.html'))).toEqual([
    '../../../fr/docs/install/ current',
    '../../../fr/docs/1.0/install/',
  ])
  expect(switchIn(await read('index.html'))).toEqual([])
})

test('pages of an old version say so, are left to no search engine, and name the latest page as canonical', async () => {
  const { read } = await built()
  const old = await read('docs/1.0/install/index.html')
  expect(old).toContain('You are reading about version 1.0, which is not the latest.')
  expect(old).toContain('<a href="../../../docs/install/">Go to Version 2</a>')
  expect(old).toContain('<meta name="robots" content="noindex">')
  expect(old).toContain(`<link rel="canonical" href="${ORIGIN}/docs/install/">`)
  expect(await read('docs/1.0/removed/index.html')).toContain(
    `<link rel="canonical" href="${ORIGIN}/docs/1.0/removed/">`,
  )
  const latest = await read('docs/install/index.html')
  expect(latest).not.toContain('version-banner')
  expect(latest).not.toContain('noindex')
  for (const file of ['sitemap.xml', 'llms.txt']) expect(await read(file), file).not.toContain('/1.0/')
})

test('each version has navigation of its own, and search finds the pages of one', async () => {
  const { read } = await built()
  const sidebar = await read('_nav/docs.json')
  expect(sidebar).toContain('Added')
  expect(sidebar).not.toContain('Removed')
  expect(await read('docs/install/index.html')).not.toContain('Old install')
  expect(JSON.parse(await read('_search.json')).base.languages).toContain('en@1.0')
  expect(await read('docs/1.0/install/index.html')).toContain('data-scope="en@1.0"')
  expect(await read('index.html')).toContain('data-scope="en@2.0"')
})

test('an incremental build writes the pages whose other versions came or went', async () => {
  const { read, put, drop, build } = await built()
  await put('docs/removed.md', page('Back again'))
  await build()
  expect(await read('docs/1.0/removed/index.html')).toContain(`href="${ORIGIN}/docs/removed/"`)
  await drop('docs/removed.md')
  await build()
  expect(await read('docs/1.0/removed/index.html')).toContain(
    `<link rel="canonical" href="${ORIGIN}/docs/1.0/removed/">`,
  )
})

test('pages of two versions with one translation key are no translations of each other, and a copied version keeps its own', async () => {
  const keyed = (title: string) => `---\ntitle: ${title}\ntranslation_key: docs/install\n---\nText.\n`
  const { read, put, drop, build } = await built()
  await drop('fr/docs/install.md')
  await drop('fr/docs/1.0/install.md')
  await put('fr/docs/installer.md', keyed('Installer'))
  await put('fr/docs/1.0/installer.md', keyed('Ancienne installation'))
  await build()
  const french = (html: string) => /hreflang="fr" href="([^"]+)"/.exec(html)?.[1]
  expect(french(await read('docs/install/index.html'))).toBe(`${ORIGIN}/fr/docs/installer/`)
  const old = await read('docs/1.0/install/index.html')
  expect(old).toContain('fr/docs/1.0/installer/')
  expect(old).not.toContain('fr/docs/installer/')
})

test('switch and banner lead to no version that has neither the page nor a front page', async () => {
  const { drop, build, read } = await built()
  await drop('docs/index.md')
  await drop('docs/1.0/index.md')
  await build()
  expect(switchIn(await read('docs/added/index.html'))).toEqual([])
  expect(await read('docs/1.0/removed/index.html')).toMatch(
    /<aside class="version-banner"[^>]*><p>[^<]+<\/p>/,
  )
  expect(await read('docs/1.0/install/index.html')).toContain(
    '<a href="../../../docs/install/">Go to Version 2</a>',
  )
})
