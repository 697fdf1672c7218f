import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { PageTarget } from '../../src/convert/conversion.ts'
import { connectedLocales } from '../../src/convert/page/connected-locales.ts'
import { convertTexts } from './convert-texts.ts'

const LOCALES = `locales:
  - code: en
    label: English
  - code: fr
    label: Français
    subroute: fr
`

const addressesOf = (texts: ReadonlyMap<string, string>) =>
  [...texts.keys()].filter((name) => name.endsWith('.md')).sort()

test('the languages of Hugo are connected, with the names that its configuration gives them', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.toml':
      'title = "A"\n[languages.en]\n[languages.fr]\nlanguageName = "Français"\n[languages.de]\nlabel = "Deutsch"\n',
    'content/docs/a.md': '---\ntitle: A\n---\nText\n',
    'content/docs/a.fr.md': '---\ntitle: A\n---\nTexte\n',
  })
  expect(texts.get('site.yaml')).toContain(LOCALES)
  expect(addressesOf(texts)).toEqual(['docs/a.md', 'fr/docs/a.md'])
})

test('the translations of Docusaurus have the paths that it serves them at, and are connected', async () => {
  const { texts } = await convertTexts('docusaurus', {
    'docusaurus.config.js': `module.exports = { title: 'A', i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [['classic', { docs: {}, blog: {} }]] }\n`,
    'docs/start.md': '# Start\n',
    'blog/2024-01-02-news.md': '# News\n',
    'i18n/fr/docusaurus-plugin-content-docs/current/start.md': '# Début\n',
    'i18n/fr/docusaurus-plugin-content-blog/2024-01-02-news.md': '# Nouvelles\n',
  })
  expect(texts.get('site.yaml')).toContain(LOCALES)
  expect(addressesOf(texts).filter((name) => name.startsWith('fr/')).length).toBe(2)
  expect(texts.get('fr/docs/start.md')).toContain('Début')
})

test('the locales of Starlight are connected, and one without pages is left out', async () => {
  const { texts } = await convertTexts('starlight', {
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default defineConfig({ integrations: [starlight({ title: 'A', defaultLocale: 'root',
  locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français' }, ja: { label: '日本語' } } })] })\n`,
    'src/content/docs/guide/a.md': '---\ntitle: A\n---\nText\n',
    'src/content/docs/fr/guide/a.md': '---\ntitle: A\n---\nTexte\n',
  })
  expect(texts.get('site.yaml')).toContain(LOCALES)
})

test('the locales of VitePress are connected in place of links to their front pages', async () => {
  const { texts } = await convertTexts('vitepress', {
    '.vitepress/config.ts': `export default { title: 'A', locales: {
  root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } } }\n`,
    'index.md': '# Home\n',
    'guide.md': '# Guide\n',
    'fr/index.md': '# Accueil\n',
    'fr/guide.md': '# Guide\n',
  })
  const site = texts.get('site.yaml')
  expect(site).toContain(LOCALES)
  expect(site).not.toContain('nav_links')
})

test('folders of languages are compared without case, and a language that is named twice is one', () => {
  const target = (route: string) => ({ route }) as PageTarget
  const pages = new Map([
    ['a', target('a')],
    ['b', target('pt-br/b')],
    ['c', target('FR/c')],
  ])
  const languages = [
    { folder: '', tag: 'en', label: 'English' },
    { folder: 'pt-BR', tag: 'pt-BR', label: 'Português' },
    { folder: 'pt-br', tag: 'pt', label: 'Again' },
    { folder: 'fr', tag: 'fr', label: 'Français' },
    { folder: 'FR', tag: 'FR', label: 'Again' },
  ]
  expect(connectedLocales(languages, pages)).toEqual([
    { code: 'en', label: 'English' },
    { code: 'pt-BR', label: 'Português', subroute: 'pt-br' },
    { code: 'fr', label: 'Français', subroute: 'fr' },
  ])
  expect(connectedLocales(languages.slice(3), pages)).toBeUndefined()
})

test('each language of VitePress keeps its own menu, name, description and footer', async () => {
  const { texts, lines } = await convertTexts('vitepress', {
    '.vitepress/config.ts': `export default { title: 'A', themeConfig: {
  nav: [{ text: 'Guide', link: '/guide' }], socialLinks: [{ icon: 'github', link: 'https://github.com/a/a' }] },
  locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr', title: 'Le A',
    description: 'Tout sur A', themeConfig: { nav: [{ text: 'Le guide', link: '/fr/guide.md' }], footer: { message: 'Fait ici' } } },
    ja: { lang: 'ja', themeConfig: { nav: [{ text: 'ガイド', link: '/ja/guide' }] } } } }\n`,
    'guide.md': '# Guide\n',
    'fr/guide.md': '# Guide\n',
  })
  expect(texts.get('site.yaml')).toContain(`by_locale:
  fr:
    site_name: Le A
    meta_description: Tout sur A
    nav_links:
      - label: Le guide
        href: /fr/guide
      - label: GitHub
        href: https://github.com/a/a
        external: true
    footer_text: Fait ici
`)
  expect(lines.join('\n')).toContain('Left out: menu and texts of ja, which is no language of the new site.')
})

test('a configuration of Hugo in a file for each language has names, menus and languages of all', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'config/_default/hugo.toml': 'baseURL = "https://a.example/"\ndefaultContentLanguage = "en"\n',
    'config/_default/languages.en.toml':
      'title = "My site"\nlabel = "English"\ncontentDir = "content/en"\nweight = 1\n',
    'config/_default/languages.de.toml':
      'title = "Meine Seite"\nlabel = "Deutsch"\ncontentDir = "content/de"\nweight = 2\ncopyright = "Wir"\n',
    'config/_default/menus.en.toml': '[[main]]\nname = "Docs"\nurl = "/docs/"\n',
    'config/_default/menus.de.toml': '[[main]]\nname = "Doku"\nurl = "/de/docs/a/"\n',
    'config/_default/params.de.toml': 'description = "Über uns"\n',
    'config/production/hugo.toml': 'buildDrafts = true\n',
    'content/en/docs/a.md': '---\ntitle: A\n---\nText\n',
    'content/de/docs/a.md': '---\ntitle: A\n---\nText\n',
  })
  expect(parse(texts.get('site.yaml') ?? '')).toMatchObject({
    name: 'My site',
    nav_links: [{ label: 'Docs', href: '/docs/' }],
    locales: [
      { code: 'en', label: 'English' },
      { code: 'de', label: 'Deutsch', subroute: 'de' },
    ],
    by_locale: {
      de: {
        site_name: 'Meine Seite',
        meta_description: 'Über uns',
        nav_links: [{ label: 'Doku', href: '/de/docs/a' }],
      },
    },
  })
  expect(lines).toEqual([
    'config/_default/hugo.toml: warning QN-PARTLY-CONVERTED Left out of the languages: `copyright`.',
    'config/production/hugo.toml: warning QN-NOT-CONVERTED The file configures an environment, or something else of one language. It is left out.',
  ])
})
