import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const STARLIGHT = 'export default defineConfig({ integrations: [starlight({ title: "A" })] })'

test('an unknown component keeps its own link', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'a.md': '# A\n\n<LessonLink\n  href="https://b.example/(1)"\n  title="Watch [1]"\n/>\n',
  })
  expect(texts.get('a.md')).toContain('[Watch \\[1\\]](<https://b.example/(1)>)\n')
  expect(lines).toEqual(['a.md:3: warning QN-PARTLY-CONVERTED `<LessonLink` is left out. Its links stay.'])
})

test('an unknown component keeps the links of its lists, with their descriptions', async () => {
  const { texts, lines } = await convertTexts('starlight', {
    'astro.config.mjs': STARLIGHT,
    'src/content/docs/a.mdx':
      '---\ntitle: A\n---\n\n<LampGrid lamps={[{ title: "Oil", href: "/b/", description: "Warm" }, { label: "Gas", link: "https://c.example" }, { title: "None" }]} />\n',
    'src/content/docs/b.md': '---\ntitle: B\n---\n',
  })
  expect(texts.get('a.md')).toContain('- [Oil](/b): Warm\n- [Gas](https://c.example)\n')
  expect(lines.join('\n')).toContain('is left out. Its links stay.')
})

test('an unknown component around text keeps a title that has lines of its own', async () => {
  const { texts } = await convertTexts('starlight', {
    'astro.config.mjs': STARLIGHT,
    'src/content/docs/a.mdx':
      '---\ntitle: A\n---\n\n<Lamps title="What people say">\n\nBright.\n\n</Lamps>\n\nA <Hint title="no text">word</Hint> here.\n',
  })
  expect(texts.get('a.md')).toMatch(/\*\*What people say\*\*\n\n+Bright\.\n\n+A word here\.\n/)
})

test('an escaped tag of VitePress is text', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'a.md': '# A\n\nA `Map` is `x` or Ref\\<T, U\\>.\n',
  })
  expect(texts.get('a.md')).toContain('Ref\\<T, U\\>.')
  expect(lines).toEqual([])
})

test('an action of a home page without a text shows its address', async () => {
  const { texts } = await convertTexts('vitepress', {
    'index.md':
      "---\nlayout: home\nhero:\n  name: A\n  actions: [{ text: ' ', link: 'https://www.lamp.example/' }]\n---\n",
  })
  expect(texts.get('index.md')).toContain('- text: lamp.example\n        link: https://www.lamp.example/\n')
})

test('the labels in an unknown component stay as a list, with those in them', async () => {
  const { texts, lines } = await convertTexts('docusaurus', {
    'docusaurus.config.js': 'module.exports = {}\n',
    'docs/a.mdx':
      "# A\n\n<Preview\n  config={[\n    { label: 'Stars', items: [{ label: 'Orion [x]', link: '' }] },\n    { label: 'Moons' },\n    { id: 1 },\n  ]}\n/>\n",
  })
  expect(texts.get('docs/a.md')).toContain('- Stars\n  - Orion \\[x\\]\n- Moons\n')
  expect(lines).toEqual([
    expect.stringMatching(
      /^docs\/a\.mdx:3: warning QN-PARTLY-CONVERTED `<Preview .* is left out\. Its texts stay, as a list\.$/,
    ),
  ])
})
