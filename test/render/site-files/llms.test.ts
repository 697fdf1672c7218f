import { expect, test } from 'vitest'
import { llmsLine, llmsText } from '../../../src/render/site-files/llms.ts'
import { livePage } from '../../support/live-page.ts'

test('llms.txt lists the Markdown of each page under its subroute', () => {
  const pages = [
    livePage({ page: { slug: 'index', title: 'Home' } }),
    livePage({ page: { slug: 'a', subroute: 'docs', title: 'A [b]', description: 'About\na.' } }),
    livePage({ page: { slug: 'b', subroute: 'docs', title: 'B' } }),
  ]
  const lines = linesOf(pages)
  const of = livePage({ settings: { metaTitle: 'Acme Docs', metaDescription: 'All of it.' } })
  expect(Buffer.from(llmsText(of, lines, []).body).toString()).toBe(
    [
      '# Acme Docs',
      '',
      '> All of it.',
      '',
      '## Pages',
      '',
      '- [Home](https://acme.example/index.md)',
      '',
      '## Docs',
      '',
      '- [A \\[b\\]](https://acme.example/docs/a/index.md): About a.',
      '- [B](https://acme.example/docs/b/index.md)',
      '',
    ].join('\n'),
  )
})

test('llms.txt lists docs pages in the order of the sidebar, after the pages of the root and before others', () => {
  const pages = [
    ['', 'index'],
    ['blog', 'news'],
    ['docs', 'a'],
    ['docs', 'index'],
    ['docs/guides', 'first'],
    ['docs/guides', 'second'],
    ['docs/api', 'first'],
  ].map(([subroute = '', slug = '']) => livePage({ page: { subroute, slug, title: `${subroute}/${slug}` } }))
  const order = ['/docs', '/docs/guides/second', '/docs/guides/first', '/docs/a', '/docs/api/first']
  const text = Buffer.from(llmsText(livePage({}), linesOf(pages), order).body).toString()
  expect([...text.matchAll(/^## (.*)|^- \[(.*?)\]/gm)].map(([, group, page]) => group ?? page)).toEqual([
    'Pages',
    '/index',
    'Docs',
    'docs/index',
    'docs/a',
    'Docs / Guides',
    'docs/guides/second',
    'docs/guides/first',
    'Docs / API',
    'docs/api/first',
    'Blog',
    'blog/news',
  ])
})

function linesOf(pages: readonly ReturnType<typeof livePage>[]) {
  return pages.map((live) => ({ ...live.page, llms: llmsLine(live) }))
}
