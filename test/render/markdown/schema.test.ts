import { describe, expect, test } from 'vitest'
import { renderInlineMarkdown, renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { isAllowedTag, isStrippedTag } from '../../../src/render/markdown/schema.ts'

const href = (url: string) => url
const render = (html: string) => renderMarkdown(html, { href }).html

describe('HTML that authors write in Markdown keeps', () => {
  test.each([
    '<p>Due <time datetime="2026-05-04">in May</time></p>',
    '<p><del datetime="2026-01-01">old</del> <ins datetime="2026-01-02">new</ins></p>',
    '<p><abbr title="HyperText">HT</abbr> and <kbd>Ctrl</kbd>, <q>quoted</q>, <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>',
    '<p lang="de" dir="rtl" title="A title">text</p>',
    '<details open><summary>More</summary>text</details>',
    '<ol start="3" reversed type="a"><li value="7">item</li></ol>',
    '<figure><figcaption>Text</figcaption></figure>',
    '<dl><dt>Term</dt><dd>Meaning</dd></dl>',
    '<p><a href="/a" aria-label="Further">more</a></p>',
  ])('%s', (html) => {
    expect(render(html)).toBe(html)
  })

  test.each([
    [
      '<table><caption>Prices</caption><tbody><tr><td>1</td></tr></tbody></table>',
      '<caption>Prices</caption>',
    ],
    [
      '<table><colgroup span="2"></colgroup><tbody><tr><td>1</td></tr></tbody></table>',
      '<colgroup span="2">',
    ],
    [
      '<table><colgroup><col span="2"></colgroup><tbody><tr><td>1</td></tr></tbody></table>',
      '<col span="2">',
    ],
    [
      '<table><tbody><tr><th abbr="No." scope="row" colspan="2">Number</th></tr></tbody></table>',
      'abbr="No."',
    ],
    ['<table><tbody><tr><th scope="rowgroup" rowspan="2">a</th></tr></tbody></table>', 'scope="rowgroup"'],
    ['<table><tbody><tr><td colspan="2" rowspan="3">a</td></tr></tbody></table>', 'colspan="2" rowspan="3"'],
    ['<img src="/a.png" alt="A" width="100%" height="20">', 'width="100%" height="20"'],
  ])('in %s: %s', (html, kept) => {
    expect(render(html)).toContain(kept)
  })
})

describe('HTML that authors write in Markdown loses', () => {
  test.each([
    ['<p dir="sideways">a</p>', '<p>a</p>'],
    ['<p align="justify">a</p>', '<p>a</p>'],
    ['<ol type="x"><li>a</li></ol>', '<ol><li>a</li></ol>'],
    ['<img src="/a.png" alt="A" width="99999">', 'width'],
    ['<img src="/a.png" alt="A" height="a1">', 'height'],
    ['<p datetime="2026-01-01" abbr="x" open span="2">a</p>', '<p>a</p>'],
    ['<p class="footnotes task-list-item">a</p>', '<p>a</p>'],
    ['<caption>Alone</caption>', '<caption'],
  ])('in %s what is not allowed there: %s', (html, gone) => {
    const rendered = render(html)
    if (gone.endsWith('>')) expect(rendered).toBe(gone)
    else expect(rendered).not.toContain(gone)
  })

  test('blocks where one line is shown, and keeps their text', () => {
    expect(
      renderInlineMarkdown('<div><p>one <time datetime="2026">two</time></p></div>', { href }).html,
    ).toBe('one <time datetime="2026">two</time>')
  })
})

test('an element is shown, replaced by its content, or removed with it', () => {
  expect(['time', 'caption', 'wbr', 'tfoot'].map(isAllowedTag)).toEqual([true, true, true, true])
  expect(['font', 'center', 'script'].map(isAllowedTag)).toEqual([false, false, false])
  const removed =
    'script style template noscript iframe object embed svg math title textarea select option noembed noframes xmp plaintext'
  for (const tag of removed.split(' ')) {
    expect(isStrippedTag(tag), tag).toBe(true)
    expect(isAllowedTag(tag), tag).toBe(false)
  }
  expect(isStrippedTag('font')).toBe(false)
})
