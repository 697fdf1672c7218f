import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test.each([
  [
    'VitePress',
    {
      '__tests__/e2e/.vitepress/config.ts': 'export default {}\n',
      '__tests__/e2e/x.md': '# X\n',
      'docs/.vitepress/config.ts': 'export default { title: "Docs" }\n',
      'docs/a.md': '# A\n',
    },
  ],
  [
    'mdBook',
    {
      'guide/book.toml': '[book]\ntitle = "Docs"\n',
      'guide/src/SUMMARY.md': '- [A](a.md)\n- [B](b.md)\n',
      'guide/src/a.md': '# A\n',
      'guide/src/b.md': '# B\n',
      'book/book.toml': '[book]\ntitle = "Small"\n',
      'book/src/SUMMARY.md': '',
    },
  ],
  [
    'Docusaurus',
    {
      'examples/docusaurus.config.js': 'module.exports = {}\n',
      'examples/docs/x.md': '# X\n',
      'website/docusaurus.config.js': 'module.exports = { title: "Docs" }\n',
      'website/docs/a.md': '# A\n',
    },
  ],
])('from several sites of %s in a folder, the one of the documentation is converted', async (_, files) => {
  const { texts } = await convertTexts(null, files)
  expect(texts.get('site.yaml')).toContain('name: Docs\n')
  expect([...texts.keys()].some((path) => /(^|\/)a\.md$/.test(path))).toBe(true)
  expect([...texts.keys()].some((path) => /(^|\/)x\.md$/.test(path))).toBe(false)
})
