import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

/** The redirects of the new site, and what is said of them. */
async function redirects(name: GeneratorName, files: Readonly<Record<string, string>>) {
  const { texts, lines } = await convertTexts(name, files)
  return {
    to: parse(texts.get('redirects.yaml') ?? '{}') as object,
    said: lines.filter((line) => line.startsWith('redirects.yaml')),
  }
}

const post = (fields = '') => `---\ntitle: A\ndate: 2024-01-02\n${fields}---\nText\n`

describe('readers of the feeds and lists of the former site are led to those of the new one', () => {
  test('from Hugo: feeds of the site and of the folder that has all articles, and tags', async () => {
    const { to, said } = await redirects('hugo', {
      'hugo.toml': 'title = "A"\n',
      'content/posts/one.md': post('tags: [Go Lang, New]\n'),
      'content/posts/two.md': post('tags: [New]\ncategories: [Life]\n'),
      'content/docs/a.md': '---\ntitle: B\n---\nText\n',
    })
    expect(to).toEqual({
      '/index.xml': '/feed.xml',
      '/posts/index.xml': '/feed.xml',
      '/tags/go-lang': '/posts/tags/go-lang',
      '/tags/go-lang/index.xml': '/posts/tags/go-lang/feed.xml',
      '/tags/new': '/posts/tags/new',
      '/tags/new/index.xml': '/posts/tags/new/feed.xml',
      '/categories/life': '/posts/tags/life',
      '/categories/life/index.xml': '/posts/tags/life/feed.xml',
    })
    expect(said).toEqual([])
  })

  test('from Hugo: of a tag in two blogs, to the list with most articles, which is said', async () => {
    const { to, said } = await redirects('hugo', {
      'hugo.toml': 'title = "A"\ndisableKinds = ["RSS"]\n',
      'content/posts/one.md': post('tags: [x]\n'),
      'content/news/two.md': post('tags: [x]\n'),
      'content/news/three.md': post('tags: [x]\n'),
    })
    expect(to).toEqual({ '/tags/x': '/news/tags/x' })
    expect(said).toEqual([
      'redirects.yaml: warning QN-PARTLY-CONVERTED /tags/x/: each blog has a list of its own, and the redirect leads to that with most articles.',
    ])
  })

  test('from Hugo: of each language to its own', async () => {
    const { to } = await redirects('hugo', {
      'hugo.toml': 'title = "A"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.fr]\n',
      'content/posts/one.md': post('tags: [x]\n'),
      'content/posts/one.fr.md': post('tags: [y]\n'),
    })
    expect(to).toEqual({
      '/index.xml': '/feed.xml',
      '/posts/index.xml': '/feed.xml',
      '/tags/x': '/posts/tags/x',
      '/tags/x/index.xml': '/posts/tags/x/feed.xml',
      '/fr/index.xml': '/fr/feed.xml',
      '/fr/posts/index.xml': '/fr/feed.xml',
      '/fr/tags/y': '/fr/posts/tags/y',
      '/fr/tags/y/index.xml': '/fr/posts/tags/y/feed.xml',
    })
  })

  test('from Docusaurus: both feeds of the blog and its tags', async () => {
    const { to } = await redirects('docusaurus', {
      'docusaurus.config.js': "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/' }\n",
      'docs/a.md': 'Text\n',
      'blog/2024-01-02-one.md': '---\ntitle: A\ntags: [Release Notes]\n---\nText\n',
    })
    expect(to).toMatchObject({ '/blog/rss.xml': '/feed.xml', '/blog/atom.xml': '/feed.xml' })
    // A list of tags has the same address on both sites.
    expect(to).not.toHaveProperty(['/blog/tags/release-notes'])
  })

  test('from Jekyll: the feed at its own path, and lists of the plugin for archives', async () => {
    const { to, said } = await redirects('jekyll', {
      '_config.yml':
        'title: A\nplugins: [jekyll-feed, jekyll-archives]\nfeed: { path: atom.xml }\njekyll-archives: { enabled: [tags, categories] }\n',
      '_posts/2024-01-02-one.md': '---\ntitle: A\ntags: [Go Lang]\ncategories: [life]\n---\nText\n',
    })
    expect(to).toEqual({
      '/atom.xml': '/feed.xml',
      '/tag/go-lang': '/blog/tags/go-lang',
      '/category/life': '/blog/tags/life',
    })
    expect(said).toEqual([])
  })

  test('from Eleventy: what templates write to, and the plugin for feeds', async () => {
    const { to } = await redirects('eleventy', {
      'eleventy.config.js':
        "import { feedPlugin } from '@11ty/eleventy-plugin-rss'\nexport default (c) => c.addPlugin(feedPlugin, { type: 'atom', outputPath: '/feed/atom.xml' })\n",
      'rss.njk': '---\npermalink: /rss.xml\n---\n<rss></rss>\n',
      'tags.njk': '---\npermalink: /topics/{{ tag | slugify }}/\n---\n{{ tag }}\n',
      'posts/one.md': '---\ntitle: A\ndate: 2024-01-02\ntags: [Go Lang]\n---\nText\n',
    })
    expect(to).toEqual({
      '/rss.xml': '/feed.xml',
      '/feed/atom.xml': '/feed.xml',
      '/topics/go-lang': '/posts/tags/go-lang',
    })
  })

  test('from MkDocs: feeds of the plugin for RSS, categories and archives', async () => {
    const { to, said } = await redirects('mkdocs', {
      'mkdocs.yml': 'site_name: A\nplugins: [blog, rss]\n',
      'docs/index.md': '# A\n',
      'docs/blog/posts/one.md': '---\ntitle: A\ndate: 2024-01-02\ncategories: [Life]\n---\nText\n',
    })
    expect(to).toEqual({
      '/feed_rss_created.xml': '/feed.xml',
      '/feed_rss_updated.xml': '/feed.xml',
      '/blog/category/life': '/blog/tags/life',
      '/blog/archive/2024': '/blog',
    })
    expect(said).toEqual([])
  })

  test('from numbered pages, but for those that the list of the blog has itself, and from series', async () => {
    const posts = Array.from({ length: 40 }, (_, index) => [
      `content/posts/p${index}.md`,
      post('series: [Alps]\n'),
    ])
    const { to, said } = await redirects('hugo', {
      'hugo.toml': 'title = "A"\npaginate = 12\ndisableKinds = ["RSS"]\n[taxonomies]\nseries = "series"\n',
      ...Object.fromEntries(posts),
    })
    expect(to).toEqual({
      '/page/2': '/posts',
      '/page/3': '/posts',
      '/page/4': '/posts',
      '/posts/page/3': '/posts',
      '/posts/page/4': '/posts',
      '/series/alps': '/posts/p0',
    })
    expect(said).toEqual([])
  })

  test('not from an address that a page or file of the new site has, nor from one of drafts', async () => {
    const { to } = await redirects('hugo', {
      'hugo.toml': 'title = "A"\n',
      'static/index.xml': '<rss></rss>\n',
      'content/posts/one.md': post('tags: [x]\ndraft: true\n'),
    })
    expect(to).toEqual({})
  })
})

test('a redirect from an address that Quoin itself may write is left out with the reason', async () => {
  const { to, said } = await redirects('eleventy', {
    'eleventy.config.js': 'export default () => ({})\n',
    'feed.njk': '---\npermalink: /feed/feed.xml\n---\n<feed></feed>\n',
    'posts/one.md': '---\ntitle: A\ndate: 2024-01-02\n---\nText\n',
  })
  expect(to).toEqual({})
  expect(said).toEqual([
    'redirects.yaml: warning QN-UNUSED-REDIRECT /feed/feed.xml: Quoin writes files of this name itself, or the path is not valid.',
  ])
})

test('redirects of the configuration to other sites, parts of pages and files are kept', async () => {
  const { to } = await redirects('mkdocs', {
    'mkdocs.yml':
      'site_name: A\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: https://example.com/x\n        part.md: a.md#b\n        file.md: files/a.pdf\n        page.md: a.md\n',
    'docs/index.md': '# A\n',
    'docs/a.md': '# A\n\n## B\n',
    'docs/files/a.pdf': '%PDF-1.7',
  })
  expect(to).toEqual({ '/old': 'https://example.com/x', '/part': '/a#b', '/file': '/files/a.pdf' })
})

test('a series of Hugo is one of the new site, and nothing is reported of it', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'hugo.toml': 'title = "A"\n',
    'content/posts/one.md': post('series: [My Series]\n'),
  })
  expect(texts.get('posts/one.md')).toContain('series: My Series\n')
  expect(lines).toEqual([])
})

test('redirects of an Astro configuration are kept, and one to nothing is told', async () => {
  const { texts, lines } = await convertTexts('starlight', {
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default defineConfig({ base: '/b',
  redirects: { '/old': '/guides/x', '/moved': { status: 302, destination: '/b/guides/x/' }, '/ext': 'https://x.example', '/gone': '/none' },
  integrations: [starlight({ title: 'A' })] })\n`,
    'src/content/docs/guides/x.md': '---\ntitle: X\n---\nText\n',
  })
  expect(texts.get('guides/x.md')).toContain('redirect_from:\n  - /old\n  - /moved\n')
  expect(texts.get('redirects.yaml')).toBe('/ext: https://x.example\n')
  expect(lines.filter((line) => line.includes('/gone'))).toHaveLength(1)
})
