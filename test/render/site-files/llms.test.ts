import { expect, test } from 'vitest'
import { llmsLine, llmsText } from '../../../src/render/site-files/llms.ts'
import { livePage } from '../../support/live-page.ts'

test('llms.txt lists the Markdown of each page under its subroute', () => {
  const pages = [
    livePage({ page: { slug: 'index', title: 'Home' } }),
    livePage({ page: { slug: 'a', subroute: 'docs', title: 'A [b]', description: 'About\na.' } }),
    livePage({ page: { slug: 'b', subroute: 'docs', title: 'B' } }),
  ]
  const lines = pages.map((live) => ({ subroute: live.page.subroute, llms: llmsLine(live) }))
  const of = livePage({ settings: { metaTitle: 'Acme Docs', metaDescription: 'All of it.' } })
  expect(Buffer.from(llmsText(of, lines).body).toString()).toBe(
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
