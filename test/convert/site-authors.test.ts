import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertTexts } from './convert-texts.ts'

const authorsOf = (texts: ReadonlyMap<string, string>) =>
  parse(texts.get('data/authors.yaml') ?? 'null') as unknown

test('authors that a blog of Docusaurus describes are those of the new site', async () => {
  const { texts } = await convertTexts('docusaurus', {
    'docusaurus.config.js': "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/' }\n",
    'blog/authors.yml':
      'jo:\n  name: Jo Field\n  title: Writes\n  url: https://jo.example\n  image_url: not an address\nnobody:\n  url: https://x.example\n',
    'blog/2024-01-02-a.md': '---\nauthors: [jo]\n---\n# A\n',
  })
  expect(authorsOf(texts)).toEqual({ jo: { name: 'Jo Field', bio: 'Writes', url: 'https://jo.example' } })
  expect(texts.get('blog/2024/01/02/a.md')).toContain('author: Jo Field\n')
})

test('lists of authors of Hugo lead to those of the new site, which names the authors', async () => {
  const post = (authors: string) => `---\ntitle: A\ndate: 2024-01-02\nauthors: [${authors}]\n---\nText\n`
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': 'title = "A"\ndisableKinds = ["RSS"]\n[taxonomies]\nauthor = "authors"\n',
    'content/posts/a.md': post('Jo Field'),
    'content/posts/b.md': post('Jo Field, Ada'),
  })
  expect(authorsOf(texts)).toEqual({ 'jo-field': { name: 'Jo Field' } })
  expect(parse(texts.get('redirects.yaml') ?? '')).toEqual({ '/authors/jo-field': '/posts/authors/jo-field' })
})

test('a site whose generator has no lists of authors describes none', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml': 'title: A\n',
    '_posts/2024-01-02-a.md': '---\nauthor: Jo\n---\nText\n',
  })
  expect(authorsOf(texts)).toBeNull()
})
