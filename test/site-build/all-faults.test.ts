import { expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const page = (fields: string) => `---\ntitle: A\n${fields}---\nText.\n`

async function faultsOf(files: Readonly<Record<string, string>>) {
  const { out, run } = await temporarySite({ ...NOTES, ...files })
  const result = await run()
  expect([...(await readSiteFiles(out))]).toEqual([])
  return 'errors' in result ? result.errors.map(({ file, line, code }) => [file, line, code]) : []
}

test('a build reports the faults of all files at once', async () => {
  const faults = await faultsOf({
    'docs/1.md': page('nav_order: soon\nbadge: [1]\n'),
    'docs/2.md': '---\ntitle: [\n---\n',
    'docs/3.md': '---\ntitle: Open\n',
    'docs/4.md': page('slug: a\n'),
    'docs/5.md': page('redirect_from: /docs/b\n'),
    'docs/a+b.md': page(''),
    'item.json': '{ "title": 1',
    'own.yaml': 'title: Own\ntheme: none\n',
    'data/x.yaml': 'a: [\n',
    'static/%.svg': '<svg/>',
    'site.yaml': 'name: Notes\ncustom_css: "a { } }"\n',
  })
  expect(faults).toEqual([
    ['data/x.yaml', 2, 'QN-BAD-YAML'],
    ['docs/1.md', 3, 'QN-BAD-VALUE'],
    ['docs/1.md', 4, 'QN-BAD-VALUE'],
    ['docs/2.md', 2, 'QN-BAD-YAML'],
    ['docs/3.md', 1, 'QN-NO-FRONT-MATTER'],
    ['docs/5.md', 3, 'QN-REDIRECT-CONFLICT'],
    ['docs/a+b.md', null, 'QN-BAD-ADDRESS'],
    ['docs/a.md', null, 'QN-DUPLICATE-PATH'],
    ['item.json', 1, 'QN-BAD-YAML'],
    ['own.yaml', 2, 'QN-UNKNOWN-THEME'],
    ['site.yaml', null, 'QN-BAD-CSS'],
    ['static/%.svg', null, 'QN-BAD-ASSET-NAME'],
  ])
})

test('references are checked beside faults of other kinds, but not while the page they mean may be a faulty one', async () => {
  const references = {
    'site.yaml': 'name: Notes\ndocs_nav: [{ title: Gone, slug: gone }]\n',
    'docs/c.md': page('parent: gone\n'),
    'docs/d.md': page('parent: e\n'),
    'docs/e.md': page('parent: d\nredirect_from: /docs/b\n'),
  }
  expect(await faultsOf({ ...references, 'static/%.svg': '<svg/>' })).toEqual([
    ['docs/c.md', 3, 'QN-BAD-PARENT'],
    ['docs/d.md', 3, 'QN-BAD-PARENT'],
    ['docs/e.md', 3, 'QN-BAD-PARENT'],
    ['docs/e.md', 4, 'QN-REDIRECT-CONFLICT'],
    ['site.yaml', 2, 'QN-BAD-DOCS-NAV'],
    ['static/%.svg', null, 'QN-BAD-ASSET-NAME'],
  ])
  expect(await faultsOf({ ...references, 'docs/gone.md': page('nav_order: soon\n') })).toEqual([
    ['docs/e.md', 4, 'QN-REDIRECT-CONFLICT'],
    ['docs/gone.md', 3, 'QN-BAD-VALUE'],
  ])
})
