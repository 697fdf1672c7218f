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
    '<aside role="note"><p>Aside.</p></aside>',
    '<address>Main Street 1</address>',
    '<div class="mine price-list">text</div>',
    '<p><picture><source media="(prefers-color-scheme: dark)" srcset="/dark.png 1x, /dark-2.png 2x" type="image/png"><img src="/a.png" alt="A" loading="lazy" decoding="async"></picture></p>',
    '<p><video src="/a.mp4" controls loop poster="/a.png" preload="none"><track kind="captions" src="/a.vtt" srclang="en" label="English" default></video></p>',
    '<p><audio preload="metadata" controls><source src="/a.ogg" type="audio/ogg">No sound.</audio></p>',
  ])('all of the fragment %s', (html) => {
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
  ])('in the fragment %s: %s', (html, kept) => {
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
    ['<p class="site-header alert-note hl-k user-content-a">a</p>', '<p>a</p>'],
    ['<picture><source srcset="/a.png"></picture>', '<source'],
    ['<video src="/a.mp4" autoplay></video>', 'autoplay'],
    ['<track kind="nonsense" src="/a.vtt">', 'nonsense'],
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

test('whatever is removed is reported, with a text that leads to its line', () => {
  const source = [
    '<div style="position:fixed" class="mine site-header">a</div>',
    '<p onclick="run()" align="justify">b</p>',
    '<iframe src="/x"></iframe>',
    '<a href="/c" target="_blank" rel="nofollow" data-x="1">c</a>',
    '<video src="javascript:x" poster="data:x">d</video>',
  ].join('\n\n')
  const { diagnostics, droppedUrls } = renderMarkdown(source, { href })
  expect(diagnostics.map(({ message, excerpt }) => [message, excerpt])).toEqual([
    ['The attribute style of <div> was removed.', 'position:fixed'],
    ['The class "site-header" of <div> was removed: it is not a name that texts may use.', 'site-header'],
    ['The attribute onclick of <p> was removed.', 'run()'],
    ['The attribute align of <p> was removed.', 'justify'],
    ['The HTML element <iframe> was removed with its content.', '<iframe'],
  ])
  expect(droppedUrls).toEqual(['javascript:x', 'data:x'])
})

test('removals are reported up to a limit, and all URLs that are removed', () => {
  const source = '<p onclick="a" style="b"><a href="javascript:c">d</a></p>\n\n'.repeat(150)
  const { diagnostics, droppedUrls } = renderMarkdown(source, { href })
  expect(diagnostics).toHaveLength(100)
  expect(droppedUrls).toHaveLength(150)
})

test('code whose language is a blank has no class that could be removed', () => {
  const { html, diagnostics } = renderMarkdown('<p>a</p>\n\n~~~ &#32;js\na\n~~~', { href })
  expect(html).toContain('<code>a')
  expect(diagnostics).toEqual([])
  const written = renderMarkdown('<pre><code class="language-">a</code></pre>', { href })
  expect(written.diagnostics.map(({ excerpt }) => excerpt)).toEqual(['language-'])
})

test.each([
  ['/a.png 1.5x,/b.png 2x', '/a.png 1.5x, /b.png 2x'],
  ['/a,b.png 480w,/c.png 12.25x', '/a,b.png 480w, /c.png 12.25x'],
  ['/a.png 1x, /b,1.5x.png 2x', '/a.png 1x, /b,1.5x.png 2x'],
])('the images of srcset %j are separated by commas', (srcset, expected) => {
  const { html, droppedUrls } = renderMarkdown(`<img src="/a.png" alt="A" srcset="${srcset}">`, { href })
  expect(html).toContain(`srcset="${expected}"`)
  expect(droppedUrls).toEqual([])
})

test('images of a srcset beyond the limit are left out and reported', () => {
  const urls = Array.from({ length: 22 }, (_, n) => `/${n}.png`)
  const srcset = urls.map((url, n) => `${url} ${n + 1}w`).join(', ')
  const { html, droppedUrls } = renderMarkdown(`<img src="/a.png" alt="A" srcset="${srcset}, ">`, { href })
  expect(html).toContain('/19.png 20w"')
  expect(droppedUrls).toEqual(['/20.png', '/21.png'])
})

test('a video has controls, and one that plays by itself is silent', () => {
  expect(render('<video src="/a.mp4" autoplay muted loop></video>')).toContain(
    'muted controls autoplay playsinline',
  )
  for (const attributes of ['', 'controls', 'autoplay muted loop', 'autoplay'])
    expect(render(`<video src="/a.mp4" ${attributes}></video>`)).toContain(' controls')
  expect(render('<video src="/a.mp4" autoplay muted preload="none"></video>')).toContain('preload="none"')
})
