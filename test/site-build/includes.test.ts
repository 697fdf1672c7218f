import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  '_includes/warning.md': 'Back up **first**. See [B](../docs/deep/b.md) and ![a tram](tram.svg).\n',
  '_includes/tram.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'examples/app.ts': 'import x\n// #region run\n  run()\n// #endregion\n',
  'index.md': '---\ntitle: Home\n---\nText.\n',
  'docs/a.md':
    '---\ntitle: A\n---\n::include{file="../_includes/warning.md"}\n\n::code{file="/examples/app.ts" region="run" title="app.ts"}\n\n::include{page="/docs/deep/b" heading="Setup"}\n',
  'docs/deep/b.md': '---\ntitle: B\n---\nStart.\n\n## Setup\n\nSet it up. To [C](c.md).\n\n## End\n\nDone.\n',
  'docs/deep/c.md': '---\ntitle: C\n---\nText.\n',
}

describe('includes of a content folder', () => {
  test('files, parts of pages and code are part of the page, with their links', async () => {
    const { out, build } = await temporarySite(SITE)
    const { warnings } = await build()
    const files = await readSiteFiles(out)
    const html = files.get('docs/a/index.html') ?? ''
    expect(warnings).toEqual([])
    expect(html).toContain('<p>Back up <strong>first</strong>. See <a href="../../docs/deep/b/">B</a>')
    expect(html).toMatch(/<figcaption>app\.ts<\/figcaption>/)
    expect(html).toContain('<p>Set it up. To <a href="../../docs/deep/c/">C</a>.</p>')
    expect(html).not.toContain('Done.')
    expect(files.get('docs/a/index.md')).toContain('Back up **first**.')
    expect([...files.keys()].filter((key) => /warning|app\.ts/.test(key))).toEqual([])
  })

  test.each([
    ['a text of its own', '_includes/warning.md', 'Back up *twice*.\n'],
    ['code', 'examples/app.ts', '// #region run\nstop()\n// #endregion\n'],
    ['another page', 'docs/deep/b.md', SITE['docs/deep/b.md'].replace('Set it up.', 'Set it down.')],
    ['the page itself', 'docs/a.md', `${SITE['docs/a.md']}\nMore.\n`],
  ])('after an edit of %s, an incremental build has the bytes of a cold one', async (_, file, text) => {
    const { out, build, put } = await temporarySite(SITE)
    await build()
    await put(file, text)
    await build()
    const cold = await temporarySite({ ...SITE, [file]: text })
    await cold.build()
    // The index has the times of edits, which a cold build cannot know.
    const [warm, whole] = [await readSiteFiles(out), await readSiteFiles(cold.out)]
    expect(
      [...whole].filter(([key, text]) => key !== '_index.json' && warm.get(key) !== text).map(([key]) => key),
    ).toEqual([])
    expect([...warm.keys()].sort()).toEqual([...whole.keys()].sort())
  })

  test('what cannot be included stops the build with the line', async () => {
    const { run } = await temporarySite({
      ...SITE,
      'docs/deep/c.md':
        '---\ntitle: C\n---\nText.\n\n::include{file="../../../outside.md"}\n\n::include{page="/docs/deep/c"}\n',
    })
    expect(await run()).toMatchObject({
      errors: [
        {
          code: 'QN-BAD-INCLUDE',
          file: 'docs/deep/c.md',
          line: 6,
          message: expect.stringContaining('no file outside.md'),
        },
        { code: 'QN-INCLUDE-LOOP', file: 'docs/deep/c.md', line: 8 },
      ],
    })
  })
})
