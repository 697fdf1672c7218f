import { expect, test } from 'vitest'
import { zonedDate } from '../../../src/convert/ghost/zoned-date.ts'
import { withParagraphs } from '../../../src/convert/wordpress/autop.ts'
import { postContent } from '../../../src/convert/wordpress/content.ts'
import { postDate } from '../../../src/convert/wordpress/post-date.ts'
import { replaceShortcodes } from '../../../src/convert/wordpress/shortcodes.ts'

test.each([
  ['One.\n\nTwo\nlines.', '<p>One.</p>\n<p>Two<br>\nlines.</p>'],
  ['<h2>A</h2>\nText\n<ul>\n<li>b</li>\n</ul>', '<h2>A</h2>\n<p>Text</p>\n<ul>\n<li>b</li>\n</ul>'],
  ['<blockquote>Said\n\ntwice</blockquote>', '<blockquote>\n<p>Said</p>\n<p>twice</p>\n</blockquote>'],
  ['<pre>a\n\nb</pre>', '<pre>a\n\nb</pre>'],
])('the classic text %j has its paragraphs', (text, html) => {
  expect(withParagraphs(text)).toBe(html)
})

test.each([
  ['a [one x="1"]b[/one] c', 'a <b> c', []],
  ['[sic] and [1] and [x](y)', '[sic] and [1] and [x](y)', []],
  ['[box color=red]kept[/box] [form id="3"] after', 'kept  after', ['box', 'form']],
  ['[[one]] <code>[one x="1"]</code>', '[one] <code>[one x="1"]</code>', []],
])('the shortcodes of %j are replaced', (text, html, names) => {
  const { html: replaced, unknown } = replaceShortcodes(text, ({ name, inner }) =>
    name === 'one' ? `<${inner ?? ''}>` : null,
  )
  expect([replaced, [...unknown.keys()]]).toEqual([html, names])
})

test('the name and the address of a social link are text, whatever they hold', () => {
  const block = '<!-- wp:social-link {"url":"https://a.example/?b=1&c=<d>","service":"<b>e"} /-->'
  const { html } = postContent(
    block,
    () => [],
    () => null,
  )
  expect(html).toBe('<li><a href="https://a.example/?b=1&amp;c=&lt;d&gt;">&lt;b&gt;e</a></li>')
})

test.each([
  ['opening tags', '[a x="1"]'.repeat(50_000)],
  ['tags that are never opened', '[/a]'.repeat(50_000)],
  ['quotes that are never closed', '[a "'.repeat(50_000)],
  ['brackets', '['.repeat(200_000)],
])('hostile text of %s takes a moment', (_, text) => {
  const start = performance.now()
  withParagraphs(replaceShortcodes(text, () => null).html)
  expect(performance.now() - start).toBeLessThan(5_000)
})

test.each([
  ['2024-05-01 10:00:00', '2024-05-01 08:00:00', '2024-05-01T10:00:00+02:00'],
  ['2024-05-01 10:00:00', '2024-05-01 13:30:00', '2024-05-01T10:00:00-03:30'],
  ['2024-05-01 10:00:00', '0000-00-00 00:00:00', '2024-05-01T10:00:00Z'],
  ['0000-00-00 00:00:00', '0000-00-00 00:00:00', null],
])('the date %s, %s in UTC, has the zone of the site', (local, utc, date) => {
  expect(postDate(local, utc)).toBe(date)
})

test.each([
  ['2024-03-10T22:00:00.000Z', 'Asia/Tokyo', '2024-03-11T07:00:00+09:00'],
  [1616560573000, 'America/St_Johns', '2021-03-24T02:06:13-02:30'],
  ['2024-03-10 22:00:00', 'Nowhere/None', '2024-03-10T22:00:00Z'],
  ['soon', 'Etc/UTC', null],
])('the time %s of Ghost is written in the zone %s', (time, zone, date) => {
  expect(zonedDate(time, zone)).toBe(date)
})
