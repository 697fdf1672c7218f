import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertTexts } from './convert-texts.ts'

test('menus of the configuration and of pages are the links of header and footer, of each language', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'hugo.yaml': `title: H
languages: { en: {}, de: {} }
menus:
  main:
    - { name: Blog, url: /b, weight: 2 }
  footer:
    - { name: Imprint, pageRef: /a }
`,
    'content/a.md':
      '---\ntitle: A page\nmenu: { main: { weight: 1 }, footer: { name: Again, weight: 5 } }\n---\nText\n',
    'content/b.md': '---\ntitle: B\n---\nText\n',
    'content/draft.md': '---\ntitle: C\nmenu: main\ndraft: true\n---\nText\n',
    'content/a.de.md': '---\ntitle: Seite\nmenus: [main]\nweight: 3\n---\nText\n',
  })
  expect(parse(texts.get('site.yaml') ?? '')).toMatchObject({
    nav_links: [
      { label: 'A page', href: '/a' },
      { label: 'Blog', href: '/b' },
    ],
    shared_footer: {
      links: [
        { label: 'Imprint', href: '/a' },
        { label: 'Again', href: '/a' },
      ],
    },
    by_locale: {
      de: {
        nav_links: [
          { label: 'Blog', href: '/b' },
          { label: 'Seite', href: '/de/a' },
        ],
      },
    },
  })
  expect(lines).toEqual([])
})

test('a page that Hugo lists nowhere keeps its address, outside of lists', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': '',
    'content/posts/a.md': '---\ndate: 2024-01-02\nbuild: { list: never }\n---\nText\n',
  })
  expect(texts.get('posts/a.md')).toContain('type: page\n')
})
