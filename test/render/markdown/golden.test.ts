import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countWords } from '../../../src/page-text/count-words.ts'
import { visibleText } from '../../../src/page-text/visible-text.ts'
import { markdownToText } from '../../../src/render/markdown/markdown-to-text.ts'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'

const root = new URL('../../../fixtures/markdown/', import.meta.url)
const cases = readdirSync(root)
const sourceOf = (name: string) => readFileSync(new URL(`${name}/input.md`, root), 'utf8')

const options = { href: (url: string) => (url.startsWith('missing.') ? null : url), title: 'Title' }

// Each folder holds input.md and output.html; `vitest run -u` rewrites the outputs for review in the diff.
test.each(cases)('the document %s renders as stored', async (name) => {
  const tools = await loadMarkdownTools(sourceOf(name))
  const { html } = renderMarkdown(sourceOf(name), { ...options, tools, parse: satteriParser('gfm') })
  await expect(`${html}\n`).toMatchFileSnapshot(new URL(`${name}/output.html`, root).pathname)
})

test.each(cases)('%s is rendered the same by both parsers', async (name) => {
  const tools = await loadMarkdownTools(sourceOf(name))
  const render = (parse: ReturnType<typeof remarkParser>) =>
    renderMarkdown(sourceOf(name), { ...options, tools, parse })
  expect(render(remarkParser('gfm'))).toEqual(render(satteriParser('gfm')))
})

/** Differences between the two word counts. */
const OFF_BY: Readonly<Record<string, number>> = {
  captions: -9, // captions, and the alternative text of an image with an unsafe URL
  code: -2, // a tag in indented code, the title of a block
  'code-options': -10, // titles of blocks
  containers: 6, // markers of containers
  'heading-ids': -3, // ids in text that is no heading
  footnotes: 3, // a footnote without a reference
  images: -1, // the text of an image with an unsafe URL
  players: -12, // captions, and the name of a video in a link
  tabs: 3, // markers of tabs
  tables: 1, // a cell beyond the table's columns
  unsafe: 10, // elements that are removed with their text, and text for browsers without a player
}

test.each(cases)('%s has the same word count before and after rendering', (name) => {
  const source = sourceOf(name)
  const difference = countWords(visibleText(source)) - countWords(markdownToText(source))
  expect(difference).toBe(OFF_BY[name] ?? 0)
})
