import { describe, expect, test } from 'vitest'
import { SHOP } from '../openapi/shop-api.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const FILES = {
  'site.yaml': 'name: Shop\nedit_base: https://git.example/edit\n',
  'index.md': '# Home\n\n[One](docs/api/orders/get-order.md)\n',
  'docs/api/index.md': '---\ntitle: API\n---\n\nRead this first.\n\n::openapi{file="shop.json"}\n',
  'docs/api/shop.json': JSON.stringify(SHOP),
}

/** The index of the search, which lists pages in the order they were written. */
const isStable = (key: string) => !key.startsWith('_search')

async function stableFiles(out: string): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readSiteFiles(out))].filter(([key]) => isStable(key)))
}

describe('::openapi in the index of a folder', () => {
  test('adds a page for each operation, with navigation, Markdown and no dead link', async () => {
    const site = await temporarySite(FILES)
    const { warnings } = await site.build()
    expect(warnings).toEqual([])
    const files = await readSiteFiles(site.out)
    const page = files.get('docs/api/orders/get-order/index.html') ?? ''
    expect(page).toContain('<h1')
    expect(page).toMatch(/<span class="badge[^"]*">GET<\/span>/)
    expect(page).toContain('https://eu.shop.example/v2/orders/{id}')
    expect(files.has('docs/api/orders/get-order/index.md')).toBe(true)
    expect(files.get('docs/api/index.html')).toContain('Read this first.')
    expect(files.get('docs/api/index.html')).toContain('Create an order')
    // The description is no page, and no file of the site unless one names it.
    expect([...files.keys()].filter((key) => key.includes('shop'))).toEqual([])
  })

  test('includes what the page of the author includes, and nothing that a text of the description names', async () => {
    const hostile = 'A `span\n::include{file="_includes/secret.md"}\n` of lines.'
    const site = await temporarySite({
      ...FILES,
      '_includes/secret.md': 'The secret.\n',
      '_includes/hello.md': 'Hello there.\n',
      'docs/api/index.md':
        '---\ntitle: API\n---\n\n::include{file="/_includes/hello.md"}\n\n::openapi{file="shop.json"}\n',
      'docs/api/shop.json': JSON.stringify({ ...SHOP, info: { ...SHOP.info, description: hostile } }),
    })
    const { warnings } = await site.build()
    expect(warnings).toEqual([])
    const files = await readSiteFiles(site.out)
    const index = files.get('docs/api/index.html') ?? ''
    expect(index).toContain('Hello there.')
    expect(index).toContain('Create an order')
    expect([...files.values()].join('')).not.toContain('The secret.')
  })

  test('follows the description in the next build, with the result of a first build', async () => {
    const site = await temporarySite(FILES)
    await site.build()
    const { getOrder, ...paths } = { getOrder: null, ...SHOP.paths }
    const next = { ...SHOP, paths: { ...paths, '/new': { get: { summary: 'New', responses: {} } } } }
    await site.put('docs/api/shop.json', JSON.stringify(next))
    await site.build()
    const fresh = await temporarySite({ ...FILES, 'docs/api/shop.json': JSON.stringify(next) })
    await fresh.build()
    const files = await stableFiles(site.out)
    expect(files.has('docs/api/other/get-new/index.html')).toBe(true)
    expect([...files.keys()]).toEqual([...(await stableFiles(fresh.out)).keys()])
    expect(getOrder).toBeNull()
  })

  test('takes a description that begins with something else, before or after the page that names it', async () => {
    const { openapi, info, ...rest } = SHOP
    const text = JSON.stringify({ info, filler: 'x'.repeat(1_100_000), ...rest, openapi }, null, 1)
    for (const name of ['a.json', 'z.json']) {
      const index = `---\ntitle: API\n---\n\n::openapi{file="${name}"}\n`
      const site = await temporarySite({
        'site.yaml': 'name: Shop\n',
        'index.md': '# Home\n',
        'docs/api/index.md': index,
        [`docs/api/${name}`]: text,
      })
      expect((await site.build()).pages.total).toBe(9)
    }
  })

  test('gives way to a file that an author wrote at the same place', async () => {
    const site = await temporarySite({
      ...FILES,
      'docs/api/orders/get-order.md': '---\ntitle: By hand\ntype: docs\n---\nText.\n',
    })
    await site.build()
    expect((await readSiteFiles(site.out)).get('docs/api/orders/get-order/index.html')).toContain('By hand')
  })

  test.each([
    [
      'a file that is missing',
      { 'docs/api/index.md': '::openapi{file="none.yaml"}\n' },
      'docs/api/none.yaml does not exist',
    ],
    [
      'an address',
      { 'docs/api/index.md': '::openapi{file="https://a.example/b.yaml"}\n' },
      'names a file of the folder',
    ],
    ['no file', { 'docs/api/index.md': '::openapi\n' }, 'names a description'],
    [
      'a page that is no index',
      { 'docs/api/more.md': '::openapi{file="shop.json"}\n' },
      'belongs in the index.md',
    ],
    [
      'two descriptions',
      { 'docs/api/index.md': '::openapi{file="shop.json"}\n\n::openapi{file="shop.json"}\n' },
      'one ::openapi only',
    ],
    ['a broken description', { 'docs/api/shop.json': '{"openapi": "3.1.0"}' }, 'has no paths'],
  ])('%s is an error that says so', async (_, files, message) => {
    const site = await temporarySite({ ...FILES, 'index.md': '# Home\n', ...files })
    const result = await site.run()
    const errors = 'errors' in result ? result.errors : []
    expect(errors.map((error) => `${error.code} ${error.message}`)).toEqual([
      expect.stringContaining(message),
    ])
    expect(errors[0]?.code).toBe('QN-BAD-OPENAPI')
  })

  test('in a block of code it is only shown', async () => {
    const site = await temporarySite({
      'site.yaml': 'name: N\n',
      'a.md': '```md\n::openapi{file="x.yaml"}\n```\n',
    })
    await site.build()
  })
})
