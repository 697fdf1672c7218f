import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { type MarkdownOptions, renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'
import { runs } from '../../support/long-form.ts'

const href = (url: string) => url

async function page(source: string, options: Partial<MarkdownOptions> = {}) {
  return renderMarkdown(source, { href, tools: await loadMarkdownTools(source), ...options })
}

const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`

describe('code', () => {
  test('of a known language has classes and no styles', async () => {
    const { html } = await page(fence('ts', 'const a = 1'))
    expect(html).toContain('<span class="hl-k">const</span> a = <span class="hl-n">1</span>')
    expect(html).not.toContain('style=')
  })

  test('says the same with and without colours', async () => {
    const source = fence('ts {2} showLineNumbers', 'const a = "<b>"\n\n\t// `x`')
    const textOf = (html: string) => html.replace(/<[^>]*>/g, '')
    expect(textOf((await page(source)).html)).toBe(textOf(renderMarkdown(source, { href }).html))
  })

  test.each([
    ['a language nobody knows', fence('mermaid', 'graph TD')],
    ['a block over the limit', fence('js', `let a = 1\n${'//\n'.repeat(11_000)}`)],
  ])('stays plain in %s', async (_, source) => {
    expect((await page(source)).html).not.toContain('hl-')
  })

  test('of a page is highlighted until it is enough', async () => {
    const block = fence('js', 'let a = 1\n'.repeat(2_000))
    const { html } = await page(block.repeat(4))
    const blocks = html.split('<div class="code"').slice(1)
    expect(blocks.map((found) => found.includes('hl-'))).toEqual([true, true, false, false])
  })

  test('in many languages is highlighted in the first six', async () => {
    const languages = ['json', 'yaml', 'toml', 'ini', 'diff', 'sql', 'zig']
    const { html } = await page(languages.map((name) => fence(name, '"a" # b\n+ c')).join('\n'))
    const last = html.slice(html.indexOf('data-lang="zig"'))
    expect(html.slice(html.indexOf('data-lang="sql"'))).toContain('hl-')
    expect(last).not.toContain('hl-')
  })

  test('looks the same whatever was rendered before', async () => {
    const source = fence('md', '~~~rust\nlet x = 1;\n~~~')
    const before = (await page(source)).html
    await page(fence('rust', 'let x = 1;'))
    expect((await page(`${source} `)).html).toBe(before)
  })

  test.each([
    ['ts title="a b.ts"', '<figcaption>a b.ts</figcaption>'],
    ["ts title='a.ts'", '<figcaption>a.ts</figcaption>'],
    ['ts title=a.ts', '<figcaption>a.ts</figcaption>'],
    ['ts [a.ts]', '<figcaption>a.ts</figcaption>'],
    ['title="<b>"', '<figcaption>&lt;b></figcaption>'],
    ['ts:line-numbers', 'class="numbered"'],
    ['ts {2}', '<span class="line marked">b'],
    ['ts {1-2}', '<span class="line marked">b'],
    ['ts {1,9-99999}', '<span class="line">b'],
    ['ts ins={2}', '<span class="line added signed">b'],
    ['ts del={2}', '<span class="line removed signed">b'],
  ])('with %j shows %j', async (info, expected) => {
    expect((await page(fence(info, 'a\nb\nc'))).html).toContain(expected)
  })

  test('with options nobody knows is as without them', async () => {
    expect((await page(fence('ts {x} frame=none {1', 'a'))).html).toBe((await page(fence('ts', 'a'))).html)
  })
})

describe('containers', () => {
  test('are said in the words of the page', async () => {
    const words = { tip: 'Tipp', details: 'Einzelheiten', table: 'Tabelle {n}', footnotes: 'Fußnoten' }
    const source = ':::tip\na[^1]\n:::\n\n> [!TIP]\n> b\n\n:::details\nc\n:::\n\n|a|\n|-|\n\n[^1]: d'
    const { html } = await page(source, { labels: words })
    expect(html.match(/Tipp/g)).toHaveLength(2)
    expect(html).toContain('<summary>Einzelheiten</summary>')
    expect(html).toContain('aria-label="Tabelle 1"')
    expect(html).toContain('>Fußnoten</h2>')
  })

  test('deeper than eight stay text', async () => {
    const { html, diagnostics } = await page(`${':::note\n'.repeat(9)}a\n${':::\n'.repeat(9)}`)
    expect(html.match(/<div class="alert /g)).toHaveLength(8)
    expect(html).toContain(':::note')
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('nest up to 8 levels') }])
  })

  test('that are not closed leave the page as it is', async () => {
    expect((await page(':::note\na\nb')).html).toBe('<p>:::note\na\nb</p>')
    expect((await page('a\n:::\nb')).html).toBe('<p>a\n:::\nb</p>')
  })

  test('show a numbered list as steps', async () => {
    const { html } = await page(':::steps\n1. Make\n2. Send\n:::')
    expect(html).toBe('<div class="walk">\n<ol>\n<li>Make</li>\n<li>Send</li>\n</ol>\n</div>')
  })

  test('end where as many colons stand', async () => {
    const { html, diagnostics } = await page('::::note\n:::tip\nnot closed\n::::\nafter')
    expect(html).toMatch(/alert-note.*:::tip\nnot closed.*<\/div>\n<p>after<\/p>$/s)
    expect(diagnostics).toMatchObject([{ excerpt: ':::tip', message: expect.stringContaining('closes it') }])
  })
})

describe('formulas', () => {
  test.each([
    'It costs $5 and $10.',
    '$5-$10, $5/$10, US$5 and CA$6',
    '$5, or 10$',
    'between $1.50 (with tax) and 2$',
    'an $ alone, $ x $, $x $, $ x$',
    String.raw`\$x\$`,
    '$HOME and $PATH',
    '$x\n$',
    '$$\n\n$$',
  ])('%j holds none', async (source) => {
    expect((await page(source)).html).not.toContain('<math')
  })

  test.each([
    '$x$',
    '（$x$）',
    '$2 + 2 = 4$',
    '$10$',
    '*$x$*',
    '$a$, $b$',
    '$$x$$',
    '$$\nx\n$$',
    '公式$x$是',
  ])('%j does', async (source) => {
    expect((await page(source)).html).toContain('<math')
  })

  test('find what sets them loaded, wherever they are', async () => {
    const pieces = ['$', '$$', 'x', '1', ' ', '\n', '\r', '\\', '\u2028', '> ', '- ', '`', '```', '\n\n', '.']
    const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
    const { typeset } = await loadMarkdownTools('$$')
    await fc.assert(
      fc.asyncProperty(sources, async (source) => {
        expect(await page(source)).toEqual(
          await page(source, { tools: { ...(await loadMarkdownTools('')), typeset } }),
        )
      }),
      { numRuns: runs(1000) },
    )
  })

  test('that cannot be set show their source, and say why', async () => {
    const { html, diagnostics } = await page(String.raw`$\frac{a}$ and $\href{javascript:x}{y}$`)
    expect(html).toBe(String.raw`<p><code>\frac{a}</code> and <code>\href{javascript:x}{y}</code></p>`)
    expect(diagnostics).toHaveLength(2)
    expect(diagnostics[1]?.message).toBe(
      String.raw`The formula "\\href{javascript:x}{y}" was not rendered: Unsupported function name: \href at position 1.`,
    )
  })

  test.each([
    ['define commands', String.raw`$\def\a{b}\a$`],
    ['nest without end', `$${'\\sqrt{'.repeat(200)}x${'}'.repeat(200)}$`],
    [
      'repeat themselves',
      `$${String.raw`\underbrace{x}`.repeat(120)}${'\\binom{a}{b}'.repeat(20)}$`.repeat(12),
    ],
  ])('that %s end as source or as a formula, not as a fault of the page', async (_, source) => {
    expect((await page(source)).html).toMatch(/<code>|<math/)
  })

  test('of a page are set until it is enough', async () => {
    const formula = `$${'x + '.repeat(450)}x$\n\n`
    const { html, diagnostics } = await page(formula.repeat(12))
    expect(html.match(/<math/g)).toHaveLength(9)
    expect(diagnostics[0]?.message).toMatch(/the page has too many formulas\.$/)
  })

  test('cannot bring anything but formulas, whatever is written', async () => {
    const pieces = [
      ...[
        '\\href{javascript:alert(1)}{x}',
        '\\url{javascript:x}',
        '\\class{a}{x}',
        '\\id{a}{x}',
        '\\style{color:red}{x}',
      ],
      ...[
        '\\data{a=b}{x}',
        '\\includegraphics{x.png}',
        '\\text{<script>alert(1)</script>}',
        '\\text{"><img src=x>}',
      ],
      ...[
        '\\ref{a}',
        '\\label{a}',
        '\\color{red}',
        '\\colorbox{red}{x}',
        '\\verb|<b>|',
        '\\tag{"}',
        '\\rule{9em}{9em}',
      ],
      ...['x', '{', '}', '^', '_', '&', '\\\\', '\\begin{matrix}', '\\end{matrix}', '\\frac', '<', '"', ' '],
    ]
    const tools = await loadMarkdownTools('$$')
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
        fc.boolean(),
        (parts, isDisplay) => {
          const set = tools.typeset(parts.join(''), isDisplay)
          expect(JSON.stringify('math' in set ? set.math : {})).not.toMatch(
            /"(?:tagName":"(?:a|img|script|style|span|div|mglyph|annotation-xml)|(?:href|src|style|id|on\w+)":)/,
          )
        },
      ),
      { numRuns: runs(300) },
    )
  })
})

describe('both parsers', () => {
  const lines = [
    ...[':::note', ':::tip Title', ':::', '::::', '::::details *a*', ':::tabs', '::tab[A]', ':::code-group'],
    ...['text', '- item', '  more', '> quote', '> :::note', '> :::', '1. one', '   :::tip', '   :::', '', ''],
    ...[
      '```js {1}',
      '```',
      '| a |\n| - |',
      '# Heading',
      '$x$ and $5',
      '$$',
      'a_1 + b_1',
      '`$a$`',
      '<div>',
      '</div>',
      '---',
    ],
    ...['[a]: /b', '[a]', '    indented', 'x[^1]', '[^1]: note'],
  ]

  test('make the same page of whatever is between the marks, and lose no mark', () => {
    const [satteri, remark] = [satteriParser('gfm'), remarkParser('gfm')]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 14 }), (parts) => {
        const source = parts.join('\n')
        const html = renderMarkdown(source, { href, parse: satteri })
        expect(html).toEqual(renderMarkdown(source, { href, parse: remark }))
        expect(html.html).not.toMatch(/[\uFDD0\uFDD1]/)
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('a heading that names its id', () => {
  test('is in the table of contents under it, and keeps it from headings before it', async () => {
    const { toc, ids } = await page('## Install\n\n## Set up {#install}\n\n## Set up {#install}\n')
    expect(toc.map(({ id, text }) => [id, text])).toEqual([
      ['install-1', 'Install'],
      ['install', 'Set up'],
      ['set-up', 'Set up'],
    ])
    expect(ids).toEqual(['install-1', 'install', 'set-up'])
  })

  test.each(['top', 'user-content-fn-1'])('never takes %j, which the page has', async (id) => {
    const { html } = await page(`## A {#${id}}\n\n[^1]\n\n[^1]: x`, { reservedIds: ['top'] })
    expect(html).toContain('<h2 id="a">A ')
  })

  test('has the same with raw HTML on the page, which may name none so', async () => {
    const { html } = await page('## A {#own}\n\n<h2 data-heading-id="theirs">B</h2>\n')
    expect(html).toMatch(/<h2 id="own">A .*<h2 id="b">B /s)
    expect(html).not.toContain('heading-id')
  })
})
