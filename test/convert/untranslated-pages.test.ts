import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test('a link to a page that is not translated leads to the page that Starlight shows in its place', async () => {
  const { texts } = await convertTexts('starlight', {
    'astro.config.mjs':
      'export default defineConfig({ integrations: [starlight({ title: "A", locales: { root: { lang: "en", label: "English" }, da: { label: "Dansk" } } })] })',
    'src/content/docs/b.md': '---\ntitle: B\n---\n',
    'src/content/docs/c.md': '---\ntitle: C\n---\n',
    'src/content/docs/da/a.md': '---\ntitle: A\n---\n\n[B](/da/b/#x) [C](../c/) [D](/da/d/) [E](/da/c/)\n',
    'src/content/docs/da/c.md': '---\ntitle: C\n---\n',
  })
  expect(texts.get('da/a.md')).toContain('[B](/b#x) [C](/da/c) [D](/da/d/) [E](/da/c)\n')
})

test('links of a partial of Docusaurus are relative to the partial', async () => {
  const { texts } = await convertTexts('docusaurus', {
    'docusaurus.config.js':
      'export default { title: "A", presets: [["classic", { docs: { routeBasePath: "/" } }]] }',
    'docs/parts/_note.mdx': 'See [B](../b.md#x), `[B](../b.md)`.\n\n```\n[B](../b.md)\n```\n',
    'docs/b.md': '# B\n',
    'docs/deep/er/a.mdx': '# A\n\nimport Note from "../../parts/_note.mdx"\n\n<Note />\n',
  })
  expect(texts.get('deep/er/a.md')).toContain('See [B](/b#x),')
  expect(texts.get('deep/er/a.md')).toContain('```\n[B](../b.md)\n```')
})

test('the menu of Docusaurus leads to docs by their ids', async () => {
  const { texts } = await convertTexts('docusaurus', {
    'docusaurus.config.js':
      'export default { title: "A", presets: [["classic", { docs: { routeBasePath: "/" } }]], themeConfig: { navbar: { items: [{ type: "doc", docId: "use/index", label: "Use" }, { type: "doc", docId: "style/style", label: "Style" }] } } }',
    'docs/use/index.md': '# Use\n',
    'docs/style/style.md': '# Style\n',
  })
  expect(texts.get('site.yaml')).toContain('- label: Use\n    href: /use\n')
  expect(texts.get('site.yaml')).toContain('- label: Style\n    href: /style\n')
})

test('attributes of headings are read in the marks that VitePress is configured for', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config/index.ts': 'export default defineConfig({ ...shared })',
    '.vitepress/config/shared.ts':
      "export const shared = { markdown: { attrs: { leftDelimiter: '%{', rightDelimiter: '}%' } } }",
    'a.md': '# A\n\n## Küche %{#kitchen}%\n\nText %{x}%\n',
  })
  expect(texts.get('a.md')).toContain('## Küche {#kitchen}\n\nText %{x}%\n')
  expect(lines.filter((line) => line.startsWith('a.md'))).toEqual([])
})

test('links of MkDocs to services have the names of the services', async () => {
  const { texts } = await convertTexts('mkdocs', {
    'mkdocs.yml':
      'site_name: A\nextra:\n  social:\n    - { icon: fontawesome/brands/github, link: https://github.com/a }\n    - { icon: fontawesome/brands/x-twitter, link: https://x.com/a }\n    - { icon: fontawesome/solid/lamp, link: https://lamp.example }\n',
    'docs/index.md': '# A\n',
  })
  for (const label of ['GitHub', 'X', 'lamp']) expect(texts.get('site.yaml')).toContain(`label: ${label}\n`)
})
