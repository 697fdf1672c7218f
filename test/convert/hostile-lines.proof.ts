import { expect, test } from 'vitest'
import { measureMarkdown } from '../../src/convert/comparison/measure.ts'
import { GENERATORS, type GeneratorName, type SourceFiles } from '../../src/convert/conversion.ts'
import { convertSite } from '../../src/convert/convert-site.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'
import { some } from '../support/long-form.ts'
import { NOW } from './convert-texts.ts'

/** A site of each generator, and the path of the page that is attacked. */
const SITES: Readonly<Record<GeneratorName, readonly [Readonly<Record<string, string>>, string]>> = {
  docusaurus: [{ 'docusaurus.config.js': 'module.exports = {}' }, 'docs/a.mdx'],
  starlight: [{ 'astro.config.mjs': '', 'src/content/docs/b.md': 'B\n' }, 'src/content/docs/a.mdx'],
  vitepress: [{ '.vitepress/config.js': 'export default {}' }, 'a.md'],
  nextra: [{ 'next.config.js': 'nextra' }, 'pages/a.mdx'],
  mkdocs: [{ 'mkdocs.yml': 'site_name: A' }, 'docs/a.md'],
  mdbook: [{ 'book.toml': '', 'src/SUMMARY.md': '[A](a.md)' }, 'src/a.md'],
  hugo: [{ 'hugo.toml': '' }, 'content/a.md'],
  hexo: [{ '_config.yml': '', 'package.json': '{"hexo":{}}' }, 'source/a.md'],
  jekyll: [{ '_config.yml': '' }, 'a.md'],
  eleventy: [{ '.eleventy.js': '' }, 'a.md'],
  notion: [{ 'b 0123456789abcdef0123456789abcdef.md': '# B\n' }, 'a.md'],
  markdown: [{}, 'a.md'],
}

/** What is repeated, after a beginning. */
const LINES: readonly (readonly [beginning: string, repeated: string])[] = [
  ['x ', '`'],
  ['', '<aside>\n'],
  ['<aside>', ' '],
  ['', '<details>\n<summary>'],
  ['# A\n\nTags: ', 'a ('],
  ['# A\n\nTags: ', 'a, '],
  ['', '**** a '],
  ['[a](https://www.notion.so/', 'a-'],
  ['', '- [ ] '],
  ['x ', '``` `'],
  ['', '~~'],
  ['', '~~~\n'],
  ['# a', ' '],
  ['# ', 'a {'],
  ['# a ', '{#b} '],
  ['# a {', '#'],
  ['# ', '['],
  ['', '\n'],
  ['{{< ', ' '],
  ['{{< ', '\n'],
  ['{{< a ', ' b="'],
  ['{{% include "a"', ' '],
  ['{{ "/a" |', ' '],
  ['<a', ' '],
  ['', '{{< figure '],
  ['{{< figure ', ' '],
  ['{{< youtube ', 'a'],
  ['', '{{< a >}}'],
  ['', '{{</* '],
  ['', '{{< highlight a >}}'],
  ['', '{% highlight a %}'],
  ['', '{% raw %}'],
  ['', '{% codeblock %}'],
  ['{% codeblock ', ' '],
  ['', '{% quote '],
  ['', '<!-- more'],
  ['', '{!'],
  ['|-|\n', '`|'],
  ['|', ' '],
  ['|-', ' |'],
  ['', '{* a'],
  ['', '{% comment %}'],
  ['', '{%'],
  ['', '{#'],
  ['', '{{#include '],
  ['{{#include ', 'a'],
  ['', '<!-- '],
  ['', '<!--@include:'],
  ['<<< a', ' '],
  ['', '<script>\n'],
  ['', '<A>\n'],
  ['', '<A '],
  ['', '</A.'],
  ['<Badge', ' text="'],
  ['<a', ' v-pre'],
  ['', '<a v-pre>'],
  ['', '::: v-pre\n'],
  ['<div', ' markdown'],
  ['', '<img '],
  ['', '{'],
  ['', '{"'],
  ['', '{/*'],
  ['$', '_'],
  ['import ', 'import a '],
  ['', 'export const a = {\n'],
  ['!!! a', ' '],
  ['', '!!! a\n'],
  ['/// a |', ' x '],
  ['', '/// a\n'],
  ['', '--8<--\n'],
  ['*[a]: b\n\n', ']('],
  ['{~~', '~>'],
  ['', '[a]('],
]

function convert(name: GeneratorName, body: string): void {
  const [others, path] = SITES[name]
  const texts: Readonly<Record<string, string>> = { ...others, [path]: `---\ntitle: A\n---\n${body}` }
  const files: SourceFiles = {
    paths: Object.keys(texts).toSorted(),
    diagnostics: [],
    text: (each) => texts[each] ?? null,
  }
  convertSite(files, detectGenerator(files, name) ?? expect.unreachable(), 'x', NOW)
}

const repeated = (beginning: string, text: string) => (size: number) =>
  `${beginning}${text.repeat(Math.ceil(size / text.length))}!`

test.each(LINES)('a page of %j and then %j is compared in time that grows with it', (beginning, text) => {
  const growth = growthOf(repeated(beginning, text), (body) => measureMarkdown(body, {}))
  expect(growth).toBeLessThan(LINEAR_GROWTH)
})

const ATTACKS = some(
  GENERATORS.flatMap((name) => LINES.map((line) => [name, ...line] as const)),
  17,
)

test.each(ATTACKS)(
  '%s: a page of %j and then %j is converted in time that grows with it',
  (name, beginning, text) => {
    expect(growthOf(repeated(beginning, text), (body) => convert(name, body))).toBeLessThan(LINEAR_GROWTH)
  },
)
