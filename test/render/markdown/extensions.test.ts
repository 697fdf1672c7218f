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
  test('in a known language has classes and no inline styles', async () => {
    const { html } = await page(fence('ts', 'const a = 1'))
    expect(html).toContain('<span class="hl-k">const</span> a = <span class="hl-n">1</span>')
    expect(html).not.toContain('style=')
  })

  test('has the same text with and without highlighting', async () => {
    const source = fence('ts {2} showLineNumbers', 'const a = "<b>"\n\n\t// `x`')
    const textOf = (html: string) => html.replace(/<[^>]*>/g, '')
    expect(textOf((await page(source)).html)).toBe(textOf(renderMarkdown(source, { href }).html))
  })

  test.each([
    ['an unknown language', fence('klingon', 'graph TD')],
    ['a block over the limit', fence('js', `let a = 1\n${'//\n'.repeat(11_000)}`)],
  ])('stays plain in %s', async (_, source) => {
    expect((await page(source)).html).not.toContain('hl-')
  })

  test('is highlighted up to a limit per page', async () => {
    const block = fence('js', 'let a = 1\n'.repeat(2_000))
    const { html } = await page(block.repeat(4))
    const blocks = html.split('<div class="code').slice(1)
    expect(blocks.map((found) => found.includes('hl-'))).toEqual([true, true, false, false])
  })

  test('is highlighted in every language of a page', async () => {
    const languages = ['json', 'yaml', 'toml', 'ini', 'diff', 'sql', 'bash', 'zig', 'go', 'java']
    const { html } = await page(languages.map((name) => fence(name, '"a" # b\n+ c')).join('\n'))
    const blocks = html.split('<div class="code').slice(1)
    expect(blocks.map((block) => block.includes('hl-'))).toEqual(languages.map(() => true))
  })

  test('in an unknown language is reported once a page, and plain text is not', async () => {
    const source = `${fence('klingon', 'a')}\n${fence('klingon', 'b')}\n${fence('text', 'c')}`
    const { diagnostics } = await page(source)
    expect(diagnostics).toEqual([
      {
        code: 'QN-PLAIN-CODE',
        excerpt: '```klingon',
        message: 'Code in "klingon" is shown without colours: there is no language of this name.',
      },
    ])
  })

  test('is asked about once for each unknown language, which is reported in short', async () => {
    const asked: string[] = []
    const tools = {
      ...(await loadMarkdownTools('')),
      plainReason: (language: string) => {
        asked.push(language)
        return language === 'text' ? null : 'there is no language of this name.'
      },
    }
    const long = 'k'.repeat(80)
    const source = [long, long, 'text', 'text'].map((name) => fence(name, 'a')).join('\n')
    const { diagnostics } = await page(source, { tools })
    expect(asked).toEqual([long, 'text'])
    expect(diagnostics.map(({ excerpt }) => excerpt)).toEqual([`\`\`\`${'k'.repeat(50)}`])

    const many = Array.from({ length: 300 }, (_, n) => fence(`x${n}`, 'a')).join('\n')
    asked.length = 0
    expect((await page(many, { tools })).diagnostics).toHaveLength(asked.length)
  })

  test('keeps the classes that its author gave, and reads its language from none of them', async () => {
    const { html, diagnostics } = await page('<pre class="mine"><code class="terminal-window">a</code></pre>')
    expect(html).toBe(
      '<div class="code" dir="ltr"><pre tabindex="0" class="mine"><code class="terminal-window">a</code></pre></div>',
    )
    expect(diagnostics).toEqual([])

    const named = await page('<pre class="mine"><code class="shell language-js:line-numbers">a</code></pre>')
    expect(named.html).toContain('<div class="code" dir="ltr" data-lang="js">')
    expect(named.html).toContain('<pre tabindex="0" class="mine numbered">')
    expect(named.html).toContain('<code class="language-js shell"><span class="line" data-line="1">')
  })

  test('is highlighted the same whatever was rendered before', async () => {
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

  test('ignores options that are unknown', async () => {
    expect((await page(fence('ts {x} frame=none {1', 'a'))).html).toBe((await page(fence('ts', 'a'))).html)
  })
})

describe('containers', () => {
  test('have labels in the language of the page', async () => {
    const words = { tip: 'Tipp', details: 'Einzelheiten', table: 'Tabelle {n}', footnotes: 'Fußnoten' }
    const source = ':::tip\na[^1]\n:::\n\n> [!TIP]\n> b\n\n:::details\nc\n:::\n\n|a|\n|-|\n\n[^1]: d'
    const { html } = await page(source, { labels: words })
    expect(html.match(/Tipp/g)).toHaveLength(2)
    expect(html).toContain('<summary>Einzelheiten</summary>')
    expect(html).toContain('aria-label="Tabelle 1"')
    expect(html).toContain('>Fußnoten</h2>')
  })

  test('nested deeper than eight levels stay text', async () => {
    const { html, diagnostics } = await page(`${':::note\n'.repeat(9)}a\n${':::\n'.repeat(9)}`)
    expect(html.match(/<div class="alert /g)).toHaveLength(8)
    expect(html).toContain(':::note')
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining('nest up to 8 levels') }])
  })

  test('stay text when they are not closed', async () => {
    expect((await page(':::note\na\nb')).html).toBe('<p>:::note\na\nb</p>')
    expect((await page('a\n:::\nb')).html).toBe('<p>a\n:::\nb</p>')
  })

  test('show a numbered list as steps', async () => {
    const { html } = await page(':::steps\n1. Make\n2. Send\n:::')
    expect(html).toBe('<div class="walk">\n<ol>\n<li>Make</li>\n<li>Send</li>\n</ol>\n</div>')
  })

  test('end at a line with as many colons', async () => {
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
  ])('are not found in %j', async (source) => {
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
  ])('are found in %j', async (source) => {
    expect((await page(source)).html).toContain('<math')
  })

  test('load their renderer wherever they are', async () => {
    const pieces = ['$', '$$', 'x', '1', ' ', '\n', '\r', '\\', '\u2028', '> ', '- ', '`', '```', '\n\n', '.']
    const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
    const { typeset } = await loadMarkdownTools('$$')
    await fc.assert(
      fc.asyncProperty(sources, async (source) => {
        expect(await page(source)).toEqual(
          await page(source, { tools: { ...(await loadMarkdownTools(source)), typeset } }),
        )
      }),
      { numRuns: runs(1000) },
    )
  })

  test('show their source when they fail, and are reported', async () => {
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
  ])('are shown as source or MathML when they %s, and never fail the page', async (_, source) => {
    expect((await page(source)).html).toMatch(/<code>|<math/)
  })

  test('are rendered up to a limit per page', async () => {
    const formula = `$${'x + '.repeat(450)}x$\n\n`
    const { html, diagnostics } = await page(formula.repeat(12))
    expect(html.match(/<math/g)).toHaveLength(9)
    expect(diagnostics[0]?.message).toMatch(/the page has too many formulas\.$/)
  })

  test('contain only MathML, whatever is written', async () => {
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

  test('render the same page for every mix of placeholders, and restore all of them', () => {
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

describe('a heading that sets its id', () => {
  test('is listed under this id, which other headings do not get', async () => {
    const { toc, ids } = await page('## Install\n\n## Set up {#install}\n\n## Set up {#install}\n')
    expect(toc.map(({ id, text }) => [id, text])).toEqual([
      ['install-1', 'Install'],
      ['install', 'Set up'],
      ['set-up', 'Set up'],
    ])
    expect(ids).toEqual(['install-1', 'install', 'set-up'])
  })

  test.each(['top', 'user-content-fn-1'])('never takes %j, which the page uses', async (id) => {
    const { html } = await page(`## A {#${id}}\n\n[^1]\n\n[^1]: x`, { reservedIds: ['top'] })
    expect(html).toContain(`<h2 id="a"><a class="anchor" href="#a">A<`)
  })

  test('keeps its id on a page with raw HTML, which cannot set one this way', async () => {
    const { html } = await page('## A {#own}\n\n<h2 data-heading-id="theirs">B</h2>\n')
    expect(html).toMatch(/<h2 id="own"><a [^>]*>A<.*<h2 id="b"><a [^>]*>B</s)
    expect(html).not.toContain('heading-id')
  })
})

test('an alert may have a title of its own', async () => {
  const { html } = await page('> [!TIP] A title of its own\n> Text.')
  expect(html).toContain('<p class="alert-title">A title of its own</p>\n<p>Text.</p>')
})

describe('what documents of other places have', () => {
  test('code in the language math is a formula, as is a formula in backticks', async () => {
    const { html, diagnostics } = await page(`${fence('math', String.raw`\frac12`)}\nIt is $\`a\`$.\n`)
    expect(html.match(/<math/g)).toHaveLength(2)
    expect(html).toContain('display="block"')
    expect(html).not.toContain('<code')
    expect(diagnostics).toEqual([])
  })

  test('code in the language math that is no formula stays code, with a warning', async () => {
    const { html, diagnostics } = await page(fence('math', String.raw`\frac{1`))
    expect(html).toContain('\\frac{1')
    expect(diagnostics.map(({ code }) => code)).toContain('QN-BAD-FORMULA')
  })

  test('an escaped bar in a table is a bar of its formula, and elsewhere a double bar', async () => {
    const formula = String.raw`$x \| y$`
    const table = await page(`| a | b |\n|---|---|\n| ${formula} | 2 |\n`)
    expect(table.html).toContain('>|<')
    expect(table.html).not.toContain('‖')
    expect((await page(formula)).html).toContain('‖')
    expect((await page(`${formula}\n---`)).html).toContain('‖')
  })

  test('numbers of lines begin where the author says', async () => {
    const { html } = await page(fence('js showLineNumbers=10', 'a\nb'))
    expect([...html.matchAll(/data-line="(\d+)"/g)].map(([, number]) => number)).toEqual(['10', '11'])
    expect((await page(fence('js', 'a'))).html).not.toContain('data-line')
  })

  test('colours of a recorded terminal are no characters of the page', async () => {
    const { html } = await page(fence('ansi', '\u001b[31mred\u001b[0m \u001b[1;32mbold\u001b[0m \u001bx'))
    expect(html).toContain('red bold x')
    expect(html).not.toContain('\u001b')
  })

  test('a container may begin an entry of a list, which has what it holds', async () => {
    const { html, diagnostics } = await page('- :::note\n  in a list\n  :::\n- second\n')
    expect(html).toMatch(/<li>\s*<div class="alert alert-note"[\s\S]*in a list[\s\S]*<\/div>\s*<\/li>/)
    expect(html).not.toContain(':::')
    expect(diagnostics).toEqual([])
  })
})
