import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\nvariables:\n  version: "2.4"\n  product: Tern\n',
  'index.yaml':
    'title: About {{ product }}\nsections:\n  - type: hero\n    title: "{{ product }} {{version}}"\n',
  'docs/a.md':
    '---\ntitle: Install {{ product }}\ndescription: Version {{ version }}.\n---\nGet [it](https://x.example/{{ version }}/a) now: {{ unknown }}.\n\n`{{ version }}`\n\n```sh\nget {{ version }}\n```\n\n```sh variables\nget {{ version }}\n```\n',
  'docs/b.md': '---\ntitle: B\n---\nText.\n',
}

describe('variables of a site', () => {
  test('titles, descriptions, Markdown and sections show their values, and code does not', async () => {
    const { out, build } = await temporarySite(SITE)
    await build()
    const files = await readSiteFiles(out)
    const html = files.get('docs/a/index.html') ?? ''
    expect(html).toContain('<title>Install Tern')
    expect(html).toContain('content="Version 2.4."')
    expect(html).toContain('href="https://x.example/2.4/a"')
    expect(html).toContain('{{ unknown }}')
    expect(html).toContain('<code>{{ version }}</code>')
    expect(html.match(/get <\/span>\{\{/g)).toHaveLength(1)
    expect(html).toMatch(/get <\/span>2\.4|get <\/span><span[^>]*>2\.4/)
    expect(files.get('index.html')).toContain('Tern 2.4')
    expect(files.get('docs/a/index.md')).toContain('now: {{ unknown }}')
    expect(files.get('docs/b/index.html')).toContain('Install Tern')
    expect(files.get('_index.json')).toContain('Install Tern')
  })

  test('a changed value is on all pages that show it, as after a cold build', async () => {
    const { out, build, put } = await temporarySite(SITE)
    await build()
    const changed = SITE['site.yaml'].replace('2.4', '2.5')
    await put('site.yaml', changed)
    await build()
    const cold = await temporarySite({ ...SITE, 'site.yaml': changed })
    await cold.build()
    const [warm, whole] = [await readSiteFiles(out), await readSiteFiles(cold.out)]
    // The index has the times of edits, which a cold build cannot know.
    const differing = [...whole].filter(([key, text]) => key !== '_index.json' && warm.get(key) !== text)
    expect(differing.map(([key]) => key)).toEqual([])
    expect(warm.get('docs/a/index.html')).toContain('Version 2.5.')
  })

  test('a name that is nearly declared is reported with its line', async () => {
    const { build } = await temporarySite({
      ...SITE,
      'docs/b.md': '---\ntitle: B\n---\nText.\n\n{{ verson }}\n',
    })
    const { warnings } = await build()
    expect(warnings.filter(({ file }) => file === 'docs/b.md')).toContainEqual(
      expect.objectContaining({
        code: 'QN-UNKNOWN-VARIABLE',
        line: 6,
        message: expect.stringContaining('Is it version?'),
      }),
    )
  })

  test.each([
    ['variables: { "2a": x }', 'variables'],
    ['variables: { a: "x\\ny" }', 'variables'],
  ])('are refused when written as %s', async (line, field) => {
    const { run } = await temporarySite({ ...SITE, 'site.yaml': `name: Notes\n${line}\n` })
    expect(await run()).toMatchObject({
      errors: [{ file: 'site.yaml', line: 2, field: expect.stringContaining(field) }],
    })
  })
})
