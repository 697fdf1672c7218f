import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const CONFIG = `site_name: P
plugins: [search, include-markdown, macros, mkdocstrings, roamlinks]
markdown_extensions: [markdown_include.include]
extra: { version: "9.9" }
`

async function converted(body: string) {
  const { texts, lines } = await convertTexts('mkdocs', {
    'mkdocs.yml': CONFIG,
    'src/a.py': 'print("code")\n',
    'docs/index.md': `# Home\n\n${body}\n`,
    'docs/part.md': '---\ntitle: P\n---\nBefore.\n<!--s-->\nIncluded.\n',
    'docs/other-page.md': '# Other\n',
  })
  const text = texts.get('index.md') ?? ''
  return { text, lines: lines.filter((line) => line.startsWith('docs/index.md')) }
}

test.each([
  ['a file of markdown-include', '{!docs/part.md!}', 'Before.'],
  ['a part of a file', '{% include-markdown "part.md" start="<!--s-->" %}', 'Included.'],
  ['the code of a file', '{* ../src/a.py *}', '```py\nprint("code")\n```'],
  [
    'code in a list of files',
    '<!--codeinclude-->\n[Code](../src/a.py)\n<!--/codeinclude-->',
    '```py title="Code"\nprint("code")\n```',
  ],
  [
    'a value of the configuration',
    'Version {{ extra.version }} of {{ config.site_name }}',
    'Version 9.9 of P',
  ],
  ['a link to a page by its name', 'See [[other-page]].', 'See [other-page](/other-page).'],
])('%s is filled in, and nothing is said', async (_, body, expected) => {
  const { text, lines } = await converted(body)
  expect(text).toContain(expected)
  expect(lines).toEqual([])
})

test.each([
  ['::: mypkg.Thing\n    options:\n      a: b', '`::: mypkg.Thing` is left out.'],
  ['{!gone.md!}', '`{!gone.md!}` is left out.'],
  ['{* ../src/a.py hl[1] *}', '`{* ../src/a.py hl[1] *}` shows the whole file.'],
  ['See [[nothing]].', '`[[nothing]]` leads to no page. Its text stays.'],
])('%j is told at its line', async (body, message) => {
  const { lines } = await converted(body)
  expect(lines).toEqual([expect.stringContaining(message)])
  expect(lines[0]).toMatch(/^docs\/index\.md:3: /)
})

test('code that shows the syntax of plugins stays as it is', async () => {
  const code = '```md\n{!docs/part.md!}\n::: mypkg.Thing\n[[other-page]]\n```'
  expect((await converted(code)).text).toContain(code)
})
