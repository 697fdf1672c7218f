import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readObjectLiteral } from '../../src/convert/program/object-literal.ts'
import { vitepressConfig } from '../../src/convert/vitepress/config.ts'
import { convertTexts } from './convert-texts.ts'

test('a folder with a .vitepress configuration is detected, and its literal values are converted', async () => {
  const { texts, lines } = await convertTexts(null, {
    '.vitepress/config.mts': `export default defineConfig({
  title: 'A',
  description: 'About A',
  lang: 'de',
  themeConfig: {
    logo: '/logo.svg',
    nav: [{ text: 'Guide', link: '/guide/start.md' }],
    socialLinks: [{ icon: 'github', link: 'https://github.com/a/a' }],
    footer: { message: 'Made <b>here</b>' },
    editLink: { pattern: 'https://github.com/a/a/edit/main/docs/:path' },
  },
})`,
    'guide/start.md': '# Start\n',
  })
  expect(texts.get('site.yaml')).toBe(`name: A
meta_description: About A
logo: /logo.svg
footer_text: Made here
nav_links:
  - label: Guide
    href: /guide/start
  - label: GitHub
    href: https://github.com/a/a
    external: true
branding:
  lang: de
edit_base: https://github.com/a/a/edit/main/docs/
`)
  expect(lines).toEqual([])
})

test('a logo for each mode becomes the logo and that of dark pages', async () => {
  const logo = "{ light: '/ink.svg', dark: '/paper.svg', alt: 'A' }"
  const { texts } = await convertTexts('vitepress', {
    '.vitepress/config.js': `export default { title: 'A', themeConfig: { logo: ${logo} } }`,
    'public/ink.svg': '<svg/>',
    'public/paper.svg': '<svg/>',
    'a.md': '# A\n',
  })
  expect(texts.get('site.yaml')).toContain('logo: /ink.svg\nlogo_dark: /paper.svg\n')
})

test('the sidebar becomes docs_nav with its groups', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config.js':
      "export default { title: 'A', themeConfig: { sidebar: [{ text: 'Care', items: [{ text: 'B', link: '/b' }, { text: 'A', link: '/a' }] }] } }",
    'a.md': 'A\n',
    'b.md': 'B\n',
  })
  expect(texts.get('site.yaml')).toContain(
    'docs_nav:\n  - title: Care\n    children:\n      - title: B\n        slug: b\n      - title: A\n        slug: a\n',
  )
  expect(lines).toEqual([])
})

test('srcDir, rewrites and locales decide the path and language of a page', async () => {
  const { texts } = await convertTexts('vitepress', {
    'docs/.vitepress/config.ts':
      "export default { srcDir: 'src', rewrites: { 'en/:rest*': ':rest*' }, locales: { root: { lang: 'en' }, de: { lang: 'de-DE' } } }",
    'docs/src/en/a.md': 'A\n',
    'docs/src/de/a.md': 'B\n',
  })
  expect([...texts.keys()].sort()).toEqual(['a.md', 'de/a.md', 'site.yaml'])
  expect(texts.get('de/a.md')).toContain('lang: de-DE\n')
})

test('a home page becomes a page of sections with its text below them', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'index.md':
      '---\nlayout: home\nhero:\n  name: A\n  text: Light\n  actions: [{ text: Start, link: /a.md }]\nfeatures: [{ title: One, details: First }]\n---\n\nMore\n',
    'a.md': 'A\n',
  })
  expect(texts.get('index.md')).toContain('  - type: hero\n    title: Light\n    tagline: A\n')
  expect(texts.get('index.md')).toContain('link: /a\n')
  expect(texts.get('index.md')).toContain('  - type: features\n')
  expect(texts.get('index.md')).toMatch(/\n---\nMore\n$/)
  expect(lines).toEqual([])
})

test('files of the public folder are served at the root, and pages generated from data are reported', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'public/lamp.png': 'x',
    'a.md': '![Lamp](/lamp.png)\n',
    '[id].md': 'Generated\n',
  })
  expect(texts.get('a.md')).toContain('![Lamp](/lamp.png)')
  expect(lines).toEqual([
    '[id].md: warning QN-NOT-CONVERTED The file generates pages from data. It is left out.',
  ])
})

test('badges, includes and code from files become Markdown', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'a.md':
      '# A\n\nNew <Badge type="tip" text="beta" />\n\n<!-- @include: ./part.md -->\n\n<<< @/code.ts#part{1 ts:line-numbers}\n',
    'part.md': '---\ntitle: Part\n---\nIncluded\n',
    'code.ts': 'const a = 1\n// #region part\n  const b = 2\n// #endregion\n',
  })
  expect(texts.get('a.md')).toContain('New **beta**')
  expect(texts.get('a.md')).toContain('\nIncluded\n')
  expect(texts.get('a.md')).toContain('```ts:line-numbers{1}\nconst b = 2\n```\n')
  expect(lines).toEqual([])
})

test('components and expressions are left out with a warning at their line', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    'a.md': '---\ntitle: A\n---\nVersion {{ version }}\n\n<Lamp>\n\nText\n\n</Lamp>\n\n<Lamp :size="3" />\n',
  })
  expect(texts.get('a.md')).toContain('\nText\n')
  expect(lines).toEqual([
    'a.md:4: warning QN-NOT-CONVERTED `{{ version }}` is left out.',
    'a.md:6: warning QN-PARTLY-CONVERTED `<Lamp>` is left out. The text inside of it stays.',
    'a.md:12: warning QN-NOT-CONVERTED `<Lamp :size="3" />` is left out.',
  ])
})

test.each([
  ['A\n\n::: v-pre\n{{ raw }}\n:::\n\nB\n', 'A\n\n\n{{ raw }}\n\n\nB'],
  ['A\r\n\r\n::: v-pre\r\n{{ raw }}\r\n:::\r\n', 'A\n\n\n{{ raw }}'],
  [
    '```md\n::: v-pre\n{{ x }}\n:::\n```\n\n`<b v-pre>{{ a }}</b>`\n\n::: v-pre\n{{ y }}\n```\n{{ z }}\n```\n:::\n',
    '```md\n::: v-pre\n{{ x }}\n:::\n```\n\n`<b v-pre>{{ a }}</b>`\n\n\n{{ y }}\n```\n{{ z }}\n```',
  ],
  [
    'A <b v-pre>{{ x }}</b>.\n\n<div class="c" v-pre>\n\n{{ y }}\n\n</div>\n',
    'A <b>{{ x }}</b>.\n\n<div class="c">\n\n{{ y }}\n\n</div>',
  ],
  ['::: v-pre\n{{ a }}12{{ b }} `c`\n:::\n', '{{ a }}12{{ b }} `c`'],
  ['<div v-pre>\n\n```\n{{ x }}\n```\n\n{{ y }}\n</div>\n', '<div>\n\n```\n{{ x }}\n```\n\n{{ y }}\n</div>'],
  ['<b title="`{{`" v-pre>{{ x }} `</b>` {{ y }}</b>\n', '<b title="`{{`">{{ x }} `</b>` {{ y }}</b>'],
])('the text of v-pre stays as it is written: %j', async (markdown, converted) => {
  const { texts, lines } = await convertTexts('vitepress', { 'a.md': markdown })
  expect(texts.get('a.md')).toContain(converted)
  expect(lines).toEqual([])
})

test('lastUpdated: false is not reported, since it only hides a date', async () => {
  const { lines } = await convertTexts('vitepress', { 'a.md': '---\nlastUpdated: false\n---\nA\n' })
  expect(lines).toEqual([])
})

describe('reading a configuration without running it', () => {
  test('finds every literal value, whatever other code is next to it', () => {
    const value = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
    )
    const other = fc.constantFrom('f: (a) => a', 'g() { return `}` }', '...rest', 'h: [x]', 'i: a + "}"', 'j')
    fc.assert(
      fc.property(value, fc.array(other), (fields, others) => {
        const written = Object.entries(fields).map(([name, given]) => `"${name}": ${JSON.stringify(given)}`)
        const text = `{ ${[...others, ...written, '// }\nz: 1'].join(', ')} }`
        const literal = readObjectLiteral(text, 0)
        expect(literal.fields).toEqual({ ...fields, z: 1 })
        expect(literal.skipped.length).toBeGreaterThanOrEqual(others.length > 0 ? 1 : 0)
      }),
    )
  })

  test('ends at a comment that never ends', () => {
    expect(readObjectLiteral('{ a: b /* c', 0).skipped).toContain('a')
  })

  test('ends for any text', () => {
    const part = fc.constantFrom(...'{}[](),:"\'`/*a1\n\\.')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { skipped, fields } = readObjectLiteral(`{${parts.join('')}`, 0)
        expect(skipped.length + Object.keys(fields).length).toBeLessThanOrEqual(parts.length + 1)
      }),
    )
  })

  test('reports nothing when all values are converted, and everything when the export is not an object', () => {
    const { fields, skipped } = vitepressConfig(
      "const a = 1\nexport default { title: 'A', themeConfig: { nav: [] } }",
    )
    expect([fields, skipped]).toEqual([{ name: 'A' }, []])
    expect(vitepressConfig('export default config').skipped).toEqual(['everything'])
  })
})

test('types in angle brackets are text, and components are not', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config.js': 'export default {}\n',
    'a.md':
      '# Options<Id, S, A\\>\n\nA Store<Id, S\\>, Ref<T\\> and <T extends X\\>.\n\n<Demo :a="b > c" @go="d" v-slot:x #y />\n',
  })
  expect(texts.get('a.md')).toContain('A Store<Id, S\\>, Ref<T\\> and <T extends X\\>.\n')
  expect(texts.get('a.md')).toContain('title: Options<Id, S, A>')
  expect(lines).toEqual([
    expect.stringContaining('The anchor `#options-id-s-a` is left out'),
    'a.md:5: warning QN-NOT-CONVERTED `<Demo :a="b > c" @go="d" v-slot:x #y />` is left out.',
  ])
})

test('a configuration that is split into programs of languages is read as one', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config/index.ts':
      "import { defineConfig } from 'vitepress'\nimport { en } from './en'\nimport german, { label as name } from './de.js'\nexport default defineConfig({ title: 'V', locales: { root: { label: 'English', ...en }, de: { label: name, ...german } } })\n",
    '.vitepress/config/en.ts':
      "import { sidebar } from './sidebar'\nexport const en = defineConfig({ lang: 'en', themeConfig: { nav: [{ text: 'Guide', link: '/a' }], sidebar } })\n",
    '.vitepress/config/sidebar.ts':
      "export const sidebar = [{ text: 'All', items: [{ text: 'Page A', link: '/a' }] }]\n",
    '.vitepress/config/de.ts':
      "export const label = 'Deutsch'\nexport default defineConfig({ lang: 'de', themeConfig: { nav: [{ text: 'Anleitung', link: '/de/a' }] } })\n",
    'a.md': '# A\n',
    'de/a.md': '# A\n',
  })
  const site = texts.get('site.yaml') ?? expect.unreachable()
  expect(site).toContain('nav_links:\n  - label: Guide\n    href: /a\n')
  expect(site).toContain('label: Deutsch\n    subroute: de\n')
  expect(site).toContain('by_locale:\n  de:\n    nav_links:\n      - label: Anleitung\n        href: /de/a\n')
  expect(site).toContain('docs_nav:\n  - title: All\n    children:\n      - title: Page A\n        slug: a\n')
  expect(lines).toEqual([])
})

test.each([
  ['{2,3}', 'Two\n## Three'],
  ['{4,}', 'Four\n## Five\n\nSix'],
  ['{,1}', 'One'],
  ['#part', '<!-- Six -->'],
  ['#three', '## Three\nFour'],
  ['#own{1,1}', '## Five {#own}'],
  ['', 'One\nTwo\n## Three\nFour\n## Five'],
])('an include of VitePress with %j has that part of the file', async (part, expected) => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config.js': 'export default {}',
    'a.md': `Before\n\n<!--@include: ./part.md${part}-->\n\nAfter\n`,
    'part.md': part.startsWith('#part')
      ? 'One\n<!-- #region part -->\n<!-- Six -->\n<!-- #endregion part -->\n'
      : `One\nTwo\n## Three\nFour\n## Five${part.startsWith('#own') ? ' {#own}' : ''}\n\nSix\n`,
  })
  expect(texts.get('a.md')).toContain(`Before\n\n${expected}`)
  expect(lines).toEqual([])
})

test('a picture keeps the size that VitePress gives it', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config.js': 'export default {}',
    'a.md': '![A "b"](./x.svg){width=20 height="10"} and ![C](./x.svg){.dark}\n',
    'x.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  expect(texts.get('a.md')).toContain(
    '<img src="/x.svg" alt="A &quot;b&quot;" width="20" height="10"> and ![C](/x.svg)\n',
  )
  expect(lines).toEqual(['a.md:1: warning QN-PARTLY-CONVERTED Of a picture, `{.dark}` is left out.'])
})
