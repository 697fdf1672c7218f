import { describe, expect, test } from 'vitest'
import { listFiles } from '../../src/content-folder/list-files.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'site.yaml': 'name: Notes\n', ...files })
  return folder
}

async function pagesOf(files: Readonly<Record<string, string>>) {
  const { site, errors } = await readSite(await folderOf(files))
  expect(errors).toEqual([])
  return site.pages
}

async function titleOf(path: string, text: string): Promise<string | undefined> {
  return (await pagesOf({ [path]: text }))[0]?.title
}

describe('a Markdown file without a title', () => {
  test('is called by its first heading, which is not shown twice', async () => {
    const [page] = await pagesOf({ 'docs/a.md': '# How it *works*\n\nText.\n\n## More\n' })
    expect(page).toMatchObject({ title: 'How it works', type: 'docs', markdown: 'Text.\n\n## More\n' })
  })

  test('may have front matter for other fields, even an empty one', async () => {
    const [page] = await pagesOf({ 'docs/a.md': '---\nnav_order: 2\n---\n# Name\nText.\n' })
    expect(page).toMatchObject({ title: 'Name', markdown: 'Text.\n', ownFields: { navOrder: 2 } })
    for (const none of ['---\n---\n', '---\n# Only a comment.\n---\n', '---\ntitle:\n---\n'])
      expect(await titleOf('docs/a.md', `${none}# Name\nText.\n`)).toBe('Name')
  })

  test.each([
    ['getting-started.md', 'Getting started'],
    ['docs/api-keys.md', 'API keys'],
    ['docs/FAQ.md', 'FAQ'],
    ['docs/guides/index.md', 'Guides'],
    ['docs/how-to/README.md', 'How to'],
    ['index.md', 'Home'],
    ['README.md', 'Home'],
    ['blog/2024-03-10-first-steps.md', 'First steps'],
  ])('is called by its name when it has no heading either: %s is "%s"', async (path, title) => {
    expect(await titleOf(path, 'Text.\n')).toBe(title)
    expect(await titleOf(path, '')).toBe(title)
  })

  test('keeps a heading that does not fit into a title in its beginning', async () => {
    const title = await titleOf('a.md', `# ${'ä'.repeat(300)}\n`)
    expect([...(title ?? '')]).toHaveLength(200)
    expect(title?.endsWith('…')).toBe(true)
  })

  test('may begin with a rule', async () => {
    const text = '---\n\nBetween two rules.\n\n---\n\nAfter.\n'
    expect(await pagesOf({ 'a.md': text })).toMatchObject([{ title: 'A', markdown: `\n${text}` }])
    expect(await pagesOf({ 'a.md': '---\n\nAfter one.\n' })).toMatchObject([
      { markdown: '---\n\nAfter one.\n' },
    ])
  })

  test('may have any spelling of its extension', async () => {
    const pages = await pagesOf({ 'a.markdown': '# One\n', 'b.MD': '# Two\n', 'c.Markdown': '# Three\n' })
    expect(pages.map(({ title, slug }) => `${slug} ${title}`)).toEqual(['a One', 'b Two', 'c Three'])
  })
})

describe('a title that YAML does not read as text', () => {
  test.each([
    '2024',
    '2024-03-10',
    '1.10',
    '1e3',
    '0x1F',
    '007',
    '1_000',
    'yes',
    'No',
    'true',
    'False',
    '.5',
    '12:30',
    '2024-03-10T12:00:00Z',
    '+49',
  ])('%s is the title as it is written', async (written) => {
    expect(await titleOf('a.md', `---\ntitle: ${written}\n---\n`)).toBe(written)
    expect(await titleOf('a.yaml', `title: ${written}\n`)).toBe(written)
    expect(await titleOf('a.md', `---\nx: &t ${written}\ntitle: *t\ntype: item\n---\n`)).toBe(written)
  })

  test('is the title as written in JSON too', async () => {
    expect(await titleOf('a.json', '{"title": 1.10}')).toBe('1.10')
  })

  test('is no exception: every text is read so', async () => {
    const { site, errors } = await readSite(
      await folderOf({
        'site.yaml':
          'name: 1984\nmeta_title: 1.0\nfooter_text: 007\nnav_links:\n  - { label: 404, href: /docs }\n',
        'a.md':
          '---\ntitle: A\ndescription: 1984\nmeta: { title: 2.50, keywords: true }\nslug: 007\nsubroute: 2024\n---\n',
        'b.md': '---\ntitle: B\ntype: article\nauthor: { name: 1.10 }\n---\n',
      }),
    )
    expect(errors).toEqual([])
    expect(site).toMatchObject({
      name: '1984',
      settings: { metaTitle: '1.0', footerText: '007', navLinks: [{ label: '404' }] },
      pages: [
        { description: '1984', meta: { title: '2.50', keywords: 'true' }, slug: '007', subroute: '2024' },
        { ownFields: { author: { name: '1.10' } } },
      ],
    })
  })

  test('keeps its form, and so do numbers that sections and items show', async () => {
    const [plans, item] = await pagesOf({
      'a.yaml':
        'title: A\nsections:\n  - type: pricing\n    plans: [{ name: 1.0, price: 9.90 }, { name: 2, price: 12 }]\n',
      'b.yaml': 'title: B\ntype: item\nversion: 1.10\nweight: 3\n',
    })
    expect(plans?.config['sections']).toEqual([
      {
        type: 'pricing',
        plans: [
          { name: '1.0', price: '9.90' },
          { name: 2, price: 12 },
        ],
      },
    ])
    expect(item?.config).toEqual({ version: '1.10', weight: 3 })
  })
})

describe('a README', () => {
  test('is the page of its folder where there is no index', async () => {
    const pages = await pagesOf({ 'README.md': '# Project\n', 'docs/Readme.markdown': '# Docs\n' })
    expect(pages.map(({ subroute, slug, title }) => `${subroute}/${slug} ${title}`).sort()).toEqual([
      '/index Project',
      'docs/index Docs',
    ])
  })

  test.each(['index.md', 'Index.markdown', 'index.yaml', 'index.page.yaml', 'index.json'])(
    'is left out, and listed, where there is an %s',
    async (index) => {
      const text = index.toLowerCase().includes('.m') ? '# Front\n' : '{ "title": "Front" }'
      const files = { [index]: text, 'README.md': '---\nbroken: [\n---\n', 'docs/README.md': '# Docs\n' }
      const pages = await pagesOf(files)
      expect(pages.map(({ title }) => title).sort()).toEqual(['Docs', 'Front'])
      expect(listFiles(await folderOf(files), null).ignored).toEqual(['README.md'])
    },
  )

  test('may be linked to by its file, whether it is a page or not', async () => {
    const pages = await pagesOf({
      'README.md': '[Docs](docs/README.md#part) [Same](./docs/)\n',
      'docs/README.md': '[Up](../README.md)\n',
      'guides/index.md': 'Text.\n',
      'guides/README.md': 'Not a page.\n',
      'guides/a.md': '[Index](README.md)\n',
    })
    expect(Object.fromEntries(pages.map(({ source, markdown }) => [source, markdown]))).toMatchObject({
      'README.md': '[Docs](/docs#part) [Same](/docs)\n',
      'docs/README.md': '[Up](/)\n',
      'guides/a.md': '[Index](/guides)\n',
    })
  })
})
