import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'

const FOREIGN: readonly [kind: string, written: string, excerpt?: string][] = [
  ['a template tag', 'a {{ site.title }} b', '{{ site.title }}'],
  ['a template tag', '{% include "a.html" %}'],
  ['a template tag', '{{< figure src="a.png" >}}'],
  ['a template tag', '{{<figure src="a.png">}}'],
  ['a template tag', '{{% note %}}'],
  ['a template tag', '[a]({% link b.md %})', '{% link b.md %}'],
  ['a template tag', '[a]({{site.url}}/b)', '{{site.url}}'],
  ['MDX', '<Tabs>\n\ntext\n\n</Tabs>', '<Tabs'],
  ['MDX', 'a <Badge text="x" /> b', '<Badge'],
  ['MDX', "import X from './x'"],
  ['MDX', 'export const a = 1', 'export const '],
  ['an admonition of MkDocs', '!!! note'],
  ['an admonition of MkDocs', '??? tip "Title"'],
  ['a tab of MkDocs', '=== "One"'],
  ['an alert', '> [!QUESTION]\n> text', '[!QUESTION]'],
  ['an alert', '> [!NOTE]- Title\n> text', '[!NOTE]-'],
  ['a list of headings', '[TOC]'],
  ['a wiki link', 'see [[Other page|text]].', '[[Other page|text]]'],
  ['an attribute list', 'text\n{: .lead}', '{: .lead}'],
  ['an attribute list', '[a](/b){target=_blank .c}', '{target=_blank .c}'],
  ['an attribute list', '## Title {#id .c}', '{#id .c}'],
  ['a footnote', 'text[^none].', '[^none]'],
  ['a footnote', 'text^[a note].', '^[a note]'],
  ['an abbreviation', '*[HTML]: Hyper', '*[HTML]:'],
  ['a part of another file', '--8<-- "a.md"'],
  ['a part of another file', '[!INCLUDE [a note](a.md)]', '[!INCLUDE'],
  ['a part of another file', 'a [!INCLUDE[a note](a.md)]', '[!INCLUDE'],
  ['a part of another file', '[!code-csharp[Main](a.cs)]', '[!code-'],
  ['a formula of LaTeX', 'where \\(x^2\\) is', '\\(x^2\\)'],
  ['a formula of LaTeX', '\\[\n\\frac{a}{b}\n\\]', '\\['],
  ['a key', 'press ++ctrl+alt+del++', '++ctrl+alt+del++'],
  ['an icon of MkDocs', 'a :material-account: b', ':material-account:'],
  ['a comment of Obsidian', 'a %%secret%% b', '%%secret%%'],
  ['the address of a file with a blank in its name', '![The river](Über den Fluss.png)'],
  ['the address of a file with a blank in its name', '[my file](my file.pdf)'],
  ['a directive', '::codepen{id="a"}'],
]

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('syntax of other tools, parsed by %s,', (_, parse) => {
  const foreign = (source: string) =>
    renderMarkdown(source, { href: (url) => url, parse }).diagnostics.filter(
      ({ code }) => code === 'QN-FOREIGN-SYNTAX',
    )

  test.each(FOREIGN)('such as %s in %j is reported', (kind, written, excerpt = written) => {
    expect(foreign(written)).toMatchObject([{ excerpt, once: kind }])
    expect(foreign(`> ${written.replaceAll('\n', '\n> ')}`)).toMatchObject([{ excerpt }])
  })

  test.each(FOREIGN)('such as %s in %j is text in code', (_, written) => {
    const lines = written.split('\n').join('\n    ')
    for (const source of [
      `\`\`\`\n${written}\n\`\`\``,
      `text\n\n    ${lines}`,
      `- a\n\n  ~~~\n  ${written.replaceAll('\n', '\n  ')}\n  ~~~`,
    ])
      expect(foreign(source)).toEqual([])
    if (!/[\n`]/.test(written)) expect(foreign(`a \`${written}\` b`)).toEqual([])
  })

  test('is reported once for each kind', () => {
    expect(foreign('{{ a }} {{ b }}\n\n{{ c }} [[x]]\n\n[[y]]').map(({ excerpt }) => excerpt)).toEqual([
      '{{ a }}',
      '[[x]]',
    ])
  })

  test.each([
    'a \\{{ b }} c',
    'Vec<T> and List<String> and <BR>',
    'C++ and D++',
    'a{b} {x=1} {n = 2} {a, b}',
    '100%% and 5%',
    '## Title {#id}',
    '> [!NOTE]\n> text',
    '> [!INFO] Title\n> text',
    'text[^1]\n\n[^1]: note',
    '[[1]] and a[0][1]',
    'What??? Really!!! === yes',
    'import duties are high',
    'x ++ y',
    '$\\frac{{a}}{b}$',
    '<!-- {% raw %} {{ a }} -->',
    '<pre>\n{{ a }}\n</pre>',
    ':::tabs\n::tab[a]\ntext\n:::',
    ':tada: ==a== H~2~O x^2^\n\nTerm\n: text',
  ])('is not what %j is', (source) => {
    expect(foreign(source)).toEqual([])
  })
})
