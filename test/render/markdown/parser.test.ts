import { tests } from 'commonmark-spec'
import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import rehypeStringify from 'rehype-stringify'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'
import type { MarkdownParser } from '../../../src/render/markdown/markdown-parser.ts'
import { chooseParser, markdownParser } from '../../../src/render/markdown/parser.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'

const examples = tests.map(({ markdown, html, ...rest }) => ({
  ...rest,
  markdown: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}))

const toHtml = unified()
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze()
const normaliser = unified().use(rehypeRaw).use(rehypeStringify).freeze()

function print(source: string, parse: MarkdownParser): string {
  return toHtml.stringify(toHtml.runSync(parse(source)))
}

/** Normalises spelling: `<br />` and `<br>`, `&quot;` and `"`. */
function normalised(markup: string): string {
  const tree: Root = { type: 'root', children: [{ type: 'raw', value: markup.trim() }] }
  return normaliser.stringify(normaliser.runSync(tree))
}

describe.each([
  ['satteri', satteriParser('commonmark')],
  ['remark', remarkParser('commonmark')],
])('%s', (_, parse) => {
  test('renders all examples of CommonMark 0.31.2 as specified', () => {
    expect(examples).toHaveLength(652)
    const wrong = examples.filter(
      (example) => normalised(print(example.markdown, parse)) !== normalised(example.html),
    )
    expect(wrong).toEqual([])
  })
})

test('both parsers render every CommonMark example the same, with the extensions of GFM', () => {
  const page = (markdown: string, parse: MarkdownParser) =>
    renderMarkdown(markdown, { href: (url) => url, parse })
  const [satteri, remark] = [satteriParser('gfm'), remarkParser('gfm')]
  for (const { markdown } of examples) expect(page(markdown, satteri)).toEqual(page(markdown, remark))
})

describe('the chosen parser', () => {
  test('is the native one on this platform', () => {
    expect(markdownParser).toMatchObject({ name: 'satteri', reason: null })
  })

  test('is remark, with the reason, where the native one cannot be loaded', async () => {
    const missing = new Error('no binary')
    const chosen = await chooseParser(() => Promise.reject(missing))
    expect(chosen).toMatchObject({ name: 'remark', reason: missing })
    expect(chosen.parse('~~a~~').children).toMatchObject([{ children: [{ type: 'delete' }] }])
  })
})
