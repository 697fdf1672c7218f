import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'

const render = (markdown: string) => renderMarkdown(markdown, { href: (url) => url })

describe('an id that an author wrote in HTML', () => {
  test.each([
    ['<a id="kept"></a>\n\n## New wording', 'kept'],
    ['<h3 id="by-html">By HTML</h3>', 'by-html'],
    ['<a name="named"></a>Text.', 'named'],
    ['<div id="Über_uns.1">Text</div>', 'Über_uns.1'],
  ])('is the id on the page, so that links from other pages reach it: %s', (markdown, id) => {
    expect(render(markdown).ids).toContain(id)
    expect(render(markdown).html).toContain(`id="${id}"`)
  })

  test('is given once: a later heading of that name takes another', () => {
    expect(render('<a id="install"></a>\n\n## Install\n\n<p id="install">a</p>').ids).toEqual([
      'install',
      'install-1',
      'user-content-install',
    ])
  })

  test('never takes the id that a heading sets itself, or that of a footnote', () => {
    const { html, ids } = render(
      '<p id="setup">a</p>\n\n## Install {#setup}\n\n<b id="fn-1">b</b> Text[^1].\n\n[^1]: N',
    )
    expect(html).toContain('<h2 id="setup"><a class="anchor" href="#setup">Install')
    expect(ids).toEqual(expect.arrayContaining(['user-content-setup', 'setup', 'user-content-fn-1']))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a heading', () => {
  test.each([
    [
      '## Install `npm`',
      '<h2 id="install-npm"><a class="anchor" href="#install-npm">Install <code>npm</code></a></h2>',
    ],
    [
      '## See [docs](/docs) first',
      '<h2 id="see-docs-first"><a class="anchor" href="#see-docs-first">See </a><a href="/docs">docs</a> first</h2>',
    ],
    [
      '## [Docs](/docs) and more',
      '<h2 id="docs-and-more"><a href="/docs">Docs</a><a class="anchor" href="#docs-and-more"> and more</a></h2>',
    ],
    ['## [Docs](/docs)', '<h2 id="docs"><a href="/docs">Docs</a></h2>'],
  ])('links to itself by its own text, which no other words follow: %s', (markdown, html) => {
    expect(render(markdown).html.trim()).toBe(html)
  })

  test('has no link to itself in a feed, which other pages show', () => {
    const options = { href: (url: string) => url, pageUrl: 'https://acme.example/blog/one/' }
    expect(renderMarkdown('## Part', options).html).not.toContain('anchor')
  })
})

test('a header cell without text is a plain cell, which nothing announces as a header without a name', () => {
  const { html } = render('|  | Free | ![Pro](/pro.svg) | <br> |\n| - | - | - | - |\n| Pages | 1 | 2 | 3 |')
  expect(html).toMatch(/<thead>\s*<tr>\s*<td><\/td>/)
  expect(html.match(/<th scope="col">/g)).toHaveLength(2)
  expect(html).toMatch(/<td><br><\/td>/)
})
