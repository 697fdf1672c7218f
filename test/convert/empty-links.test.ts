import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test.each([
  ['hugo', { 'hugo.toml': 'title = "A"\n' }, 'content/a.md', (name: string) => `{{% ${name} x %}}`],
  ['jekyll', { '_config.yml': 'title: A\n' }, 'a.md', (name: string) => `{{ ${name} }}`],
  ['eleventy', { '.eleventy.js': 'module.exports = {}\n' }, 'a.md', (name: string) => `{{ ${name} }}`],
] as const)(
  'in %s, the text of a link stays whose address is a tag that is left out',
  async (name, site, path, tag) => {
    const body = `
[inline](${tag('one')}), [angles](<${tag('one')}>), [titled](${tag('one')} "T"),
[reference][a], [A][], [a], <a class="x" href="${tag('one')}">html</a>.

\`\`\`md
[a][]
\`\`\`

\`[a][]\` [kept](https://x.example/) [other][b]

> [a]

[a]: <${tag('two')}>
[b]: https://b.example/
`
    const { texts, lines } = await convertTexts(name, { ...site, [path]: `---\ntitle: A\n---\n${body}` })
    expect(texts.get('a.md')).toContain(`inline, angles, titled,
reference, A, a, <a class="x">html</a>.

\`\`\`md
[a][]
\`\`\`

\`[a][]\` [kept](https://x.example/) [other][b]

> a


[b]: https://b.example/
`)
    expect(lines.filter((line) => line.includes('is left out.'))).toHaveLength(5)
  },
)
