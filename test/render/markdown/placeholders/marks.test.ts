import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../../../src/render/markdown/remark.ts'
import { renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../../src/render/markdown/satteri.ts'
import { runs } from '../../../support/long-form.ts'

const PARSERS = [
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
] as const

const href = (url: string) => url

describe.each(PARSERS)('with %s', (_, parse) => {
  const html = (source: string) => renderMarkdown(source, { href, parse }).html

  test.each([
    ['H~2~O, x^2^', 'H<sub>2</sub>O, x<sup>2</sup>'],
    ['==marked== :tada:', '<mark>marked</mark> 🎉'],
    [
      '==**a**== **==b==** ==_c_== _==d==_',
      '<mark><strong>a</strong></mark> <strong><mark>b</mark></strong> <mark><em>c</em></mark> <em><mark>d</mark></em>',
    ],
    ['字**==重==**字==**点**==字', '字<strong><mark>重</mark></strong>字<mark><strong>点</strong></mark>字'],
    [
      '==use `a == b` and [x^2^](/x^2^)==',
      '<mark>use <code>a == b</code> and <a href="/x%5E2%5E">x<sup>2</sup></a></mark>',
    ],
    ['==a b\nc== d', '<mark>a b\nc</mark> d'],
    ['==a **b== c**', '==a <strong>b== c</strong>'],
    ['[==a==]\n\n[==a==]: /u', '<a href="/u"><mark>a</mark></a>'],
    ['~gone~ ~~gone~~', '<del>gone</del> <del>gone</del>'],
    ['1~2, 3~4', '1~2, 3~4'],
    ['\\==a== \\:tada: H\\~2~O x\\^2^', '==a== :tada: H~2~O x^2^'],
    ['`:tada: ==a== x^2^`', '<code>:tada: ==a== x^2^</code>'],
    [
      'https://a.example/x^2^/:tada:/a',
      '<a href="https://a.example/x%5E2%5E/:tada:/a" rel="external noopener noreferrer">https://a.example/x^2^/:tada:/a</a>',
    ],
    ['$x^2^$', '<code>x^2^</code>'],
    ['<b>==x== :tada:</b> H~2~O', '<b><mark>x</mark> 🎉</b> H<sub>2</sub>O'],
    ['<b title=":tada: ==a==">b</b>', '<b title=":tada: ==a==">b</b>'],
    ['a **note:** ==x==。', 'a <strong>note:</strong> <mark>x</mark>。'],
  ])('the text %j is shown', (source, shown) => {
    expect(html(source)).toBe(`<p>${shown}</p>`)
  })

  test('paragraphs, cells of tables and code do not share a range', () => {
    expect(html('==a\n\nb==')).toBe('<p>==a</p>\n<p>b==</p>')
    expect(html('| a |\n|--|\n| ==b |\n| c== |')).not.toContain('mark')
    expect(html('| a |\n|--|\n| ==b== H~2~O |')).toContain('<td><mark>b</mark> H<sub>2</sub>O</td>')
    expect(html('    ==a== :tada:')).toContain('==a== :tada:')
    expect(html('```\n==a== :tada:\n```')).toContain('==a== :tada:')
  })

  test('an alternative text has the emoji and no signs', () => {
    expect(html('![H~2~O :tada:](/a.png)')).toContain('alt="H2O 🎉"')
  })

  test('a heading is named by the shown text', () => {
    expect(html('## ==New== :tada: in H~2~O')).toContain('<h2 id="new--in-h2o">')
  })

  test('a term and its definitions are a list', () => {
    expect(html('Term **one**\n: text\n: more\n\nOther\nAlias\n\n: last')).toBe(
      '<dl>\n<dt>Term <strong>one</strong></dt>\n<dd>text</dd>\n<dd>more</dd>\n<dt>Other</dt>\n<dt>Alias</dt>\n<dd>last</dd>\n</dl>',
    )
  })

  test('a definition may hold several blocks', () => {
    expect(html('Term\n: one\n\n  two\n\n  ```js\n  code\n  ```\n  - item\n\nafter')).toMatch(
      /^<dl>\n<dt>Term<\/dt>\n<dd>\n<p>one<\/p>\n<p>two<\/p>\n<div class="code"[\s\S]*<ul>\n<li>item<\/li>\n<\/ul>\n<\/dd>\n<\/dl>\n<p>after<\/p>$/,
    )
  })

  test('a definition after much space is no code', () => {
    for (const space of ['     ', '\t\t', ' \t  '])
      expect(html(`T\n:${space}a ==b==`)).toBe('<dl>\n<dt>T</dt>\n<dd>a <mark>b</mark></dd>\n</dl>')
  })

  test('a definition is one in quotes and containers, and in a list that follows it there is none', () => {
    expect(html('> T\n> : d')).toContain('<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>')
    expect(html(':::note\nT\n: d\n:::')).toContain('<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>')
    expect(html('T\n: d\n- item')).toBe('<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>\n<ul>\n<li>item</li>\n</ul>')
  })

  test.each([
    ['without a term', ': text', '<p>: text</p>'],
    ['after a heading', '# H\n: text', '<p>: text</p>'],
    ['without a space', 'T\n:text', '<p>T\n:text</p>'],
    ['in a code span', 'T `a\n: b` c', '<p>T <code>a : b</code> c</p>'],
    ['in HTML', '<div>\nT\n: d\n</div>', '<div>\nT\n: d\n</div>'],
  ])('a colon %s stays text', (_, source, shown) => {
    expect(html(source)).toContain(shown)
  })

  test('a colon in code stays text', () => {
    for (const source of ['    T\n    : d', '```\nT\n: d\n```', 'T\n\n```\n: d\n```'])
      expect(html(source)).toContain(': d\n</code>')
  })

  test('whatever is written, no letter and no digit is lost or added', () => {
    const word = fc.constantFrom('a', 'b2', '3', '字', 'é', ' ', '  ', '\n', '\n\n', '!', '(', ',')
    const sign = fc.constantFrom(
      '==',
      '=',
      '^',
      '~',
      '~~',
      ':tada:',
      ':',
      '\n: ',
      '\n\n: ',
      '> ',
      '\n- ',
      '**',
      '*',
      '_',
      '`',
      '$',
      '\\',
      '|',
      '\n    ',
      '\n\n  ',
      '## ',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, sign), { maxLength: 30 }), (pieces) => {
        const source = pieces.join('')
        // The word after a fence is a language, which is not shown. `:a:` is an emoji.
        fc.pre(!/~{3}|`{3}|:a:/.test(source))
        const shown = html(source)
          .replace(/<[^>]*>|&\w+;/g, '')
          .replaceAll('🎉', ' tada ')
        const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.join('')
        expect(letters(shown)).toBe(letters(source))
      }),
      { numRuns: runs(2000) },
    )
  })
})

test('both parsers show the same, whatever is written', () => {
  const piece = fc.constantFrom(
    'a',
    'b2',
    '3',
    '字',
    ' ',
    '\n',
    '\n\n',
    '==',
    '^',
    '~',
    ':tada:',
    '\n: ',
    '\n\n: ',
    '**',
    '`',
    '$',
    '> ',
    '[',
    '](/u)',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const [one, other] = PARSERS.map(([, parse]) => renderMarkdown(pieces.join(''), { href, parse }).html)
      expect(one).toBe(other)
    }),
    { numRuns: runs(2000) },
  )
})
