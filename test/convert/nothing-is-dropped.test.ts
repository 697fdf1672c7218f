import { describe, expect, test } from 'vitest'
import { GENERATORS, type GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

type Texts = Record<string, string>

/** What makes a folder a site of each generator, and where its pages are. */
const SITES: Readonly<Record<GeneratorName, { readonly files: Texts; readonly pages: string }>> = {
  docusaurus: { files: { 'docusaurus.config.js': 'module.exports = {}' }, pages: 'docs/' },
  starlight: {
    files: { 'astro.config.mjs': 'export default defineConfig({ integrations: [starlight({})] })' },
    pages: 'src/content/docs/',
  },
  vitepress: { files: { '.vitepress/config.js': 'export default {}' }, pages: '' },
  nextra: { files: { 'next.config.js': "require('nextra')" }, pages: 'content/' },
  mkdocs: { files: { 'mkdocs.yml': '' }, pages: 'docs/' },
  mdbook: { files: { 'book.toml': '' }, pages: 'src/' },
  hugo: { files: { 'hugo.toml': '' }, pages: 'content/' },
  hexo: { files: { '_config.yml': '', 'package.json': '{"hexo":{}}' }, pages: 'source/' },
  jekyll: { files: { '_config.yml': '' }, pages: '' },
  eleventy: { files: { '.eleventy.js': '' }, pages: '' },
  notion: { files: { 'B 0123456789abcdef0123456789abcdef.md': '# B\n' }, pages: '' },
  markdown: { files: {}, pages: '' },
}

/** Syntax of every generator, around words that are sought in the output. Each is a page of its own. */
const BLOCKS = [
  'WORD',
  '# Title\n\nWORD',
  '- WORD\n  - WORD\n\n    WORD',
  '| a | b |\n| - | - |\n| WORD | WORD |',
  '> WORD\n\n```js title="WORD"\nWORD\n```',
  '```mermaid\ngraph TD; WORD\n```',
  '~~~\nWORD\n~~~',
  '`WORD` and ``WORD``',
  '![WORD](https://example.com/WORD.png "WORD")',
  '[WORD](https://example.com/WORD)\n\n[WORD]: https://example.com/WORD "WORD"',
  'Text[^1]\n\n[^1]: WORD',
  '<div class="x">\n\nWORD\n\n</div>',
  '<details><summary>WORD</summary>\n\nWORD\n\n</details>',
  '<p>WORD</p><b>WORD</b>',
  '<Unknown title="WORD">WORD</Unknown>',
  '<Unknown>\n\nWORD\n\n</Unknown>',
  '<Unknown text="WORD" />',
  '<unknown-element>WORD</unknown-element>',
  '<script>\nWORD\n</script>',
  '<style>\nWORD\n</style>',
  '<iframe src="https://example.com/WORD"></iframe>',
  '<video src="https://example.com/WORD.mp4" controls></video>',
  '<picture><source srcset="https://example.com/WORD.webp"><img src="https://example.com/WORD.png" alt="WORD"></picture>',
  '<svg viewBox="0 0 1 1"><text>WORD</text></svg>',
  '<form><label>WORD</label><button>WORD</button></form>',
  '<Tabs>\n<TabItem value="a" label="WORD">\n\nWORD\n\n</TabItem>\n</Tabs>',
  '<Badge text="WORD" /> <Badge>WORD</Badge> <Badge type="tip">WORD</Badge>',
  '<Card title="WORD" icon="star">\nWORD\n</Card>',
  '<LinkCard title="WORD" href="/x" description="WORD" />',
  '<CardGrid>\n<Card title="WORD">WORD</Card>\n</CardGrid>',
  '<Steps>\n\n1. WORD\n\n2. WORD\n\n</Steps>',
  '<Aside type="caution" title="WORD">\nWORD\n</Aside>',
  '<Callout type="info" emoji="x">WORD</Callout>',
  '<FileTree>\n\n- WORD\n  - WORD\n\n</FileTree>',
  '<CodeGroup>\n\n```js [WORD]\nWORD\n```\n\n</CodeGroup>',
  '<LinkButton href="/x">WORD</LinkButton>',
  '<Image src={img} alt="WORD" />',
  '<CodeBlock language="js" title="WORD">{`WORD`}</CodeBlock>',
  'export const value = "WORD"\n\n{value}',
  'export const Thing = () => <b>WORD</b>\n\n<Thing />',
  "import Part from './_part.mdx'\n\n<Part />\n\nWORD",
  '{/* comment */}WORD{props.missing}WORD',
  ':::tip WORD\nWORD\n:::',
  ':::tip[WORD]\nWORD\n:::',
  '::: details WORD\nWORD\n:::',
  '::: code-group\n\n```js [WORD]\nWORD\n```\n\n:::',
  ':::unknown WORD\nWORD\n:::',
  ':::unknown{title="WORD"}\nWORD\n:::',
  '::youtube[WORD]{#WORD}',
  '!!! note "WORD"\n    WORD',
  '??? unknown "WORD"\n    WORD',
  '=== "WORD"\n\n    WORD\n\n=== "WORD"\n\n    WORD',
  '/// note | WORD\nWORD\n///',
  '/// unknown | WORD\nWORD\n///',
  '*[HTML]: WORD\n\nThe HTML is',
  '++ctrl+WORD++ and ==WORD== and ^^WORD^^ and ~~WORD~~',
  '{++WORD++} {--WORD--} {~~WORD~>WORD~~} {>>WORD<<} {==WORD==}',
  'Term WORD\n:   WORD',
  '## Heading {#WORD .class title="WORD"}\n\nWORD',
  'A paragraph WORD\n{: .class title="WORD"}',
  '--8<-- "WORD.md"',
  '{% include WORD.html text="WORD" %}',
  '{{#include WORD.md}}',
  '{{ WORD }} {{ site.WORD }} {{ page.WORD | upcase }}',
  '{% if WORD %}WORD{% else %}WORD{% endif %}',
  '{% for x in WORD %}WORD{% endfor %}',
  '{% capture x %}WORD{% endcapture %}',
  '{% assign x = "WORD" %}WORD',
  '{% highlight ruby %}\nWORD\n{% endhighlight %}',
  '{% raw %}WORD {{ WORD }}{% endraw %}',
  '{% link WORD.md %} {% post_url 2024-01-01-WORD %}',
  '{% comment %}x{% endcomment %}WORD',
  '{% unknown "WORD" %}WORD{% endunknown %}',
  '{{< figure src="/WORD.png" caption="WORD" title="WORD" alt="WORD" attr="WORD" attrlink="https://example.com/WORD" link="https://example.com/WORD" >}}',
  '{{< unknown "WORD" >}}WORD{{< /unknown >}}',
  '{{% unknown title="WORD" %}}WORD{{% /unknown %}}',
  '{{< youtube WORD >}}',
  '{{< notice note "WORD" >}}\nWORD\n{{< /notice >}}',
  '{{< tabs >}}\n{{< tab "WORD" >}}WORD{{< /tab >}}\n{{< /tabs >}}',
  '{{< details "WORD" >}}WORD{{< /details >}}',
  '{{< highlight go "linenos=table" >}}\nWORD\n{{< /highlight >}}',
  '{{< ref "WORD.md" >}} [WORD]({{< relref "WORD" >}})',
  '{{< gist WORD 123 >}} {{< tweet user="WORD" id="1" >}} {{< vimeo WORD >}}',
  '<<< @/WORD.js',
  '<!--@include: ./WORD.md-->',
  '[[toc]]\n\n[TOC]\n\nWORD',
  '$$\nWORD\n$$\n\n$WORD^2$',
  '<!-- more -->WORD<!--truncate-->WORD<!-- excerpt -->',
  '[[WORD]] and [[a|WORD]]',
  '> [!NOTE] WORD\n> WORD',
  '> [!INCLUDE [WORD](WORD.md)]',
  '\\(WORD\\) and \\[WORD\\]',
  ':WORD: and :material-WORD: and :tada:',
  '- [ ] WORD\n- [x] WORD',
  '1. WORD\n\n   ```\n   WORD\n   ```\n2. WORD',
  '    WORD indented',
  'WORD  \nWORD\\\nWORD',
  '<dl><dt>WORD</dt><dd>WORD</dd></dl>',
  'Setext WORD\n===\n\nOther WORD\n---',
] as const

/** The block with a word of its own in each place. */
function withWords(
  block: string,
  index: number,
): { readonly text: string; readonly words: readonly string[] } {
  const words: string[] = []
  const text = block.replaceAll('WORD', () => {
    const word = `word${index}x${words.length}y`
    words.push(word)
    return word
  })
  return { text, words }
}

const REPORTED = /QN-(NOT-CONVERTED|PARTLY-CONVERTED|SOURCE-UNREADABLE|HIDDEN-PAGE|UNUSED-REDIRECT)/

/** Words that are neither in the new folder nor in a page that the report names. */
async function dropped(name: GeneratorName, ending: string): Promise<readonly string[]> {
  const { files, pages } = SITES[name]
  const blocks = BLOCKS.map(withWords)
  const given: Texts = { ...files }
  blocks.forEach(({ text }, index) => {
    given[`${pages}page${index}${ending}`] = `Begin.\n\n${text}\n\nEnd.\n`
  })
  if (name === 'mdbook')
    given['src/SUMMARY.md'] = blocks.map((_, index) => `- [P](page${index}.md)`).join('\n')
  const { texts, lines } = await convertTexts(name, given)
  const output = [...texts.values()].join('\n').toLowerCase()
  return blocks.flatMap(({ text, words }, index) => {
    const isReported = lines.some((line) => line.includes(`page${index}.`) && REPORTED.test(line))
    const missing = words.filter((word) => !output.includes(word))
    return missing.length === 0 || isReported ? [] : [`${text} lacks ${missing.join(', ')}`]
  })
}

describe('what a page holds is in the converted page, or the report names it', () => {
  test.each(
    GENERATORS.flatMap((name) =>
      (['docusaurus', 'starlight', 'nextra'].includes(name) ? ['.md', '.mdx'] : ['.md']).map(
        (ending) => [name, ending] as const,
      ),
    ),
  )('after a conversion from %s, %s', async (name, ending) => {
    expect(await dropped(name, ending)).toEqual([])
  })
})

/** Front matter of every generator. */
const FIELDS = `title: WORD
description: WORD
summary: WORD
excerpt: WORD
linkTitle: WORD
subtitle: WORD
author: WORD
authors: [WORD, { name: WORD, title: WORD }]
tags: [WORD, WORD]
categories: [WORD]
keywords: [WORD]
aliases: [/WORD]
redirect_from: [/WORD]
redirects: [/WORD]
image: /WORD.png
cover: { image: /WORD.png, alt: WORD, caption: WORD }
images: [/WORD.png, /WORD.png]
hero: { title: WORD, tagline: WORD, image: { file: ./WORD.png, alt: WORD }, actions: [{ text: WORD, link: /WORD }] }
features: [{ title: WORD, details: WORD, icon: WORD, link: /WORD, linkText: WORD }]
sidebar: { label: WORD, order: 3, badge: { text: WORD } }
sidebar_label: WORD
sidebar_position: 3
pagination_label: WORD
nav_title: WORD
nav_order: 3
parent: WORD
eleventyNavigation: { key: WORD, parent: WORD, order: 1, title: WORD }
prev: { text: WORD, link: /WORD }
next: WORD
head: [{ tag: meta, attrs: { name: WORD, content: WORD } }]
banner: { content: WORD }
lastUpdated: WORD
date: WORD
publishDate: WORD
layout: WORD
template: WORD
permalink: /WORD/
slug: WORD
url: /WORD/
id: WORD
toc: WORD
editUrl: https://example.com/WORD
footer: WORD
weight: 3
params: { WORD: WORD }
custom: { WORD: [WORD, { WORD: WORD }] }
lang: WORD
outline: WORD
hide: [WORD]
search: { boost: WORD }
comments: WORD
math: WORD
icon: WORD
status: WORD`.split('\n')

describe('what front matter holds is in the converted page, or the report names it', () => {
  test.each(GENERATORS.map((name) => [name] as const))('after a conversion from %s', async (name) => {
    const { files, pages } = SITES[name]
    const fields = FIELDS.map(withWords)
    const given: Texts = { ...files }
    fields.forEach(({ text }, index) => {
      given[`${pages}blog/page${index}.md`] = `---\n${text}\n---\nText.\n`
    })
    if (name === 'mdbook')
      given['src/SUMMARY.md'] = fields.map((_, index) => `- [P](blog/page${index}.md)`).join('\n')
    const { texts, lines } = await convertTexts(name, given)
    const output = [...texts].flat().join('\n').toLowerCase()
    const lost = fields.flatMap(({ text, words }, index) => {
      const field = `\`${text.slice(0, text.indexOf(':'))}\``
      const isReported = lines.some(
        (line) => (line.includes(`page${index}.`) || line.includes(field)) && REPORTED.test(line),
      )
      const missing = words.filter((word) => !output.includes(word))
      return missing.length === 0 || isReported ? [] : [`${text} lacks ${missing.join(', ')}`]
    })
    expect(lost).toEqual([])
  })
})

test.each<[GeneratorName, Texts]>([
  [
    'docusaurus',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js':
        "module.exports = { docs: ['a', 'gone', { type: 'link', label: 'Forum', href: 'https://example.com/' }] }",
      'docs/a.md': '# A\n',
    },
  ],
  [
    'starlight',
    {
      'astro.config.mjs':
        "export default defineConfig({ integrations: [starlight({ sidebar: ['a', 'gone', { label: 'Forum', link: 'https://example.com/' }] })] })",
      'src/content/docs/a.md': '---\ntitle: A\n---\nA\n',
    },
  ],
  [
    'vitepress',
    {
      '.vitepress/config.js':
        "export default { themeConfig: { sidebar: [{ text: 'A', link: '/a' }, { text: 'Gone', link: '/gone' }, { text: 'Forum', link: 'https://example.com/' }] } }",
      'a.md': '# A\n',
    },
  ],
  [
    'mkdocs',
    { 'mkdocs.yml': 'nav: [a.md, gone.md, { Forum: "https://example.com/" }]\n', 'docs/a.md': '# A\n' },
  ],
])('entries of a sidebar of %s that lead to no page are counted in the report', async (name, given) => {
  const { lines } = await convertTexts(name, given)
  expect(lines.filter((line) => line.includes('docs_nav'))).toEqual([
    'site.yaml: warning QN-PARTLY-CONVERTED `docs_nav` lacks 2 entries of the source site: it holds docs pages, and these lead elsewhere.',
  ])
})

test('pictures and Markdown that no folder of the site holds are counted in the report', async () => {
  const { lines } = await convertTexts('hugo', {
    'hugo.toml': '',
    'content/a.md': 'A\n',
    'archetypes/b.md': 'B\n',
    'pictures/a.png': 'x',
    'pictures/b/c.pdf': 'x',
  })
  expect(lines).toEqual([
    'archetypes: warning QN-NOT-CONVERTED 1 Markdown file is outside of the folders of the site, and left out.',
    'pictures: warning QN-NOT-CONVERTED 2 pictures and downloads are in no folder that the site serves, and left out.',
  ])
})
