import { expect, test } from 'vitest'
import { settingFileName, settingsToFields } from '../../../src/fields/settings-record.ts'
import { some } from '../../support/long-form.ts'
import { LOCALE_CHANGES, SETTING_CHANGES } from '../../support/other-settings.ts'
import { rendererWith } from '../own-theme.ts'
import { readSiteFiles } from '../read-site-files.ts'
import { temporarySite } from '../temporary-site.ts'

/* Every kind of page that a build generates, and every change that all of them may show. */

const article = (title: string, fields: string) =>
  `---\ntitle: ${title}\ntype: article\n${fields}\n---\nText.\n`

const PAGES = {
  'index.yaml': 'title: Home\nsections:\n  - type: posts\n    source: blog\n',
  'about.md': '---\ntitle: About\n---\nOf {{ product }}.\n',
  'docs/install.md': '---\ntitle: Install\n---\nText.\n',
  'docs/rules.md': '---\ntitle: Rules\n---\nText.\n',
  'blog/one.md': article('One', 'publish_date: 2026-01-02\ntags: [Rail]\nauthor: ines\nseries: By train'),
  'blog/two.md': article('Two', 'publish_date: 2026-01-03\ntags: [Rail, Sea]\nseries: By train'),
  'news/three.md': article('Three', 'publish_date: 2026-01-04\ntags: [Sea]'),
  'changelog/first.md': '---\ntitle: First\npublish_date: 2026-01-05\ntags: [Added]\n---\nText.\n',
  'de/blog/eins.md': article('Eins', 'publish_date: 2026-01-02\ntags: [Bahn]'),
  'static/images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const BASE = {
  name: 'Notes',
  url: 'https://notes.example',
  types: { changelog: 'changelog' },
  data: { authors: { ines: { name: 'Ines Marlow' } } },
}

type SiteFile = Readonly<Record<string, unknown>>

const NOW = () => '2026-02-01T00:00:00.000Z'

const siteFile = (fields: SiteFile) => ({ 'site.yaml': JSON.stringify({ ...BASE, ...fields }) })

test('a build after an edit of the theme of the site writes what a first build would', async () => {
  const { out, build } = await temporarySite({ ...PAGES, ...siteFile({ theme: 'mine' }) })
  const tags = (word: string) =>
    rendererWith({
      'layouts/tags.eta': `<p class="${word}"><%= it.path %></p>\n`,
      'style.css': `.${word} { color: teal }`,
    })
  await build({ now: NOW, renderer: await tags('one') })
  const renderer = await tags('other')
  await build({ now: NOW, renderer })
  expect(differences(await filesIn(out), await builtAtOnce({ theme: 'mine' }, { renderer }))).toEqual([])
})

test('the page for unknown paths has the theme of the site after all pages have one of their own', async () => {
  const own = { 'index.md': '---\ntitle: Home\ntype: page\ntheme: dark\n---\nText.\n' }
  const { put, build, out } = await temporarySite({ ...own, ...siteFile({}) })
  await build({ now: NOW })
  await put('site.yaml', siteFile({ theme: 'minimal' })['site.yaml'])
  await build({ now: NOW })
  const other = await temporarySite({ ...own, ...siteFile({ theme: 'minimal' }) })
  await other.build({ now: NOW })
  expect(differences(await filesIn(out), await filesIn(other.out))).toEqual([])
})

/** The files of a site without the number of its builds, and without redirects from addresses that pages have left. */
async function filesIn(out: string) {
  const files = [...(await readSiteFiles(out))].filter(([, text]) => !text.includes('http-equiv="refresh"'))
  return new Map(files.map(([key, text]) => [key, text.replace(/"revision":\s*\d+/, '"revision":0')]))
}

async function builtAtOnce(fields: SiteFile, ports: object = {}) {
  const { out, build } = await temporarySite({ ...PAGES, ...siteFile(fields) })
  await build({ now: NOW, ...ports })
  return filesIn(out)
}

const CHANGES: readonly (readonly [name: string, fields: SiteFile])[] = [
  ...SETTING_CHANGES.map(({ key, other }) => [key, { [settingFileName(key)]: other }] as const),
  ...LOCALE_CHANGES.map(({ name, fields }) => [name, settingsToFields('file', fields)] as const),
  ['the name', { name: 'Tracks' }],
  ['the address', { url: 'https://tracks.example/site' }],
  ['edit_base', { edit_base: 'https://git.example/notes' }],
  ['types', { types: { changelog: 'changelog', news: 'changelog' } }],
  ['nothing', {}],
]
const tried = some(CHANGES, 4)

test('a build after any change of site.yaml writes what a first build would', async () => {
  const { put, build, out } = await temporarySite({ ...PAGES, ...siteFile({}) })
  await build({ now: NOW })
  const wrong: Record<string, readonly string[]> = {}
  // Each change also takes back the one before it.
  for (const [name, fields] of tried) {
    await put('site.yaml', siteFile(fields)['site.yaml'])
    await build({ now: NOW })
    wrong[name] = differences(await filesIn(out), await builtAtOnce(fields))
  }
  expect(wrong).toEqual(Object.fromEntries(tried.map(([name]) => [name, []])))
})

type Files = ReadonlyMap<string, string>

/** Keys of files that are in one of them only, or differ. */
function differences(one: Files, other: Files): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key))
}
