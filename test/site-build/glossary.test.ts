import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'data/glossary.yaml':
    'pages: docs\nterms:\n  CDN: Copies of files <near> readers.\n  lease: { text: A right for a time., also: [leases], href: /docs/b }\n  content key: Seals pages.\n  key: Opens doors.\n',
  'index.md': '---\ntitle: Home\ntype: page\n---\nA CDN.\n',
  'docs/a.md':
    '---\ntitle: The CDN\n---\n## CDN first\n\n[CDN](/docs/b) and `CDN`. Leases of the *CDN*, a CDN, and a lease. CDNs. The content key.\n',
  'docs/b.md': '---\ntitle: B\nglossary: false\n---\nA CDN.\n',
}

describe('the glossary of a site', () => {
  test('the first occurrence of each term in the text shows its explanation', async () => {
    const { out, build } = await temporarySite(SITE)
    expect((await build()).warnings).toEqual([])
    const files = await readSiteFiles(out)
    const html = files.get('docs/a/index.html') ?? ''
    const prose = html.slice(html.indexOf('<div class="prose">'), html.indexOf('</main>'))
    expect(prose).toContain(
      '<em><button type="button" class="term" popovertarget="term-2">CDN</button><span class="term-text" id="term-2" popover="auto" role="note">Copies of files &lt;near> readers.</span></em>, a CDN,',
    )
    expect(prose).toContain(
      '<button type="button" class="term" popovertarget="term-1">Leases</button><span class="term-text" id="term-1" popover="auto" role="note">A right for a time. <a href="../../docs/b/">Leases</a></span>',
    )
    expect(prose).toContain('>content key</button>')
    expect(prose.match(/class="term"/g)).toHaveLength(3)
    expect(prose).toMatch(/<h2 id="cdn-first">.*CDN first/)
    expect(files.get('docs/a/index.md')).toContain('Leases of the *CDN*, a CDN')
    const search = [...files].filter(([key]) => key.startsWith('_search')).map(([, text]) => text)
    expect(search.join('\n')).not.toContain('Copies of files')
  })

  test('pages that are not chosen, or turn it off, show plain text', async () => {
    const { out, build } = await temporarySite({
      ...SITE,
      'docs/c.md': '---\ntitle: C\ntype: page\nglossary: true\n---\nA CDN.\n',
    })
    await build()
    const files = await readSiteFiles(out)
    expect(files.get('docs/b/index.html')).not.toContain('class="term"')
    expect(files.get('index.html')).not.toContain('class="term"')
    expect(files.get('docs/c/index.html')).toContain('class="term"')
  })

  test('an invalid entry is an error of the data', async () => {
    const { run } = await temporarySite({ ...SITE, 'data/glossary.yaml': 'pages: docs\nterms:\n  CDN: 1\n' })
    expect(await run()).toMatchObject({
      errors: [
        {
          code: 'QN-BAD-DATA',
          file: 'data/glossary.yaml',
          line: 3,
          message: expect.stringContaining('glossary.terms.CDN must be a text'),
        },
      ],
    })
  })
})
