import fc from 'fast-check'
import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { parseRawHtml } from '../../../src/render/markdown/parse-raw-html.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { SCHEMAS } from '../../../src/render/markdown/schema.ts'
import { runs } from '../../support/long-form.ts'

const parse = remarkParser('gfm')
const toHast = unified().use(remarkRehype, { allowDangerousHtml: true }).freeze()
const wholeParser = unified().use(rehypeRaw).freeze()

const elements = (markdown: string): Root => toHast.runSync(parse(markdown)) as Root
const sanitiser = unified().use(rehypeSanitize, SCHEMAS.block).freeze()
const printer = unified().use(rehypeStringify).freeze()
/** What visitors get. An attribute without a value is `true` before a parser reads it, and an empty text after that. */
const print = (tree: Root) => printer.stringify(sanitiser.runSync(tree)).replaceAll('=""', '')

const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/)
const inline = fc.oneof(
  words,
  fc.constantFrom(
    '<br>',
    '<kbd>F1</kbd>',
    '<!-- a note -->',
    '<b>',
    '</b>',
    '<T>',
    '</div>',
    '`<div>`',
    '[^a]',
  ),
)
const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => `a ${parts.join(' ')}`)
const block = fc.oneof(
  line,
  line.map((text) => `- ${text}\n- b`),
  line.map((text) => `> ${text}`),
  line.map((text) => `| a | b |\n| - | - |\n| ${text} | c |`),
  fc.constantFrom(
    '# Heading',
    '```js\n<div>\n```',
    '<details><summary>More</summary>',
    '</details>',
    '<div align="center">\n<p>Inside</p>',
    '</div>',
    '<ul><li>a<li>b</ul>',
    '<p>A text without an end tag',
    '<table><tr><td>a</table>',
    '<script>\n<div>\n</script>',
    '<!-- a\n\nnote -->',
    '[^a]: Note with <em>HTML</em>',
  ),
)

test('blocks without HTML are what a parser of the whole page would make of them', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
      const source = blocks.join('\n\n')
      expect(print(parseRawHtml(elements(source)))).toBe(print(wholeParser.runSync(elements(source))))
    }),
    { numRuns: runs(400) },
  )
})

test.each([
  ['an element that stays open contains the rest of the page', '<div>\n\nOne\n\nTwo', ['div']],
  ['an element ends where it is closed', '<div>\n\nOne\n\n</div>\n\nTwo', ['div', 'p']],
  ['blocks beside HTML stay on their own', 'One <br> two\n\n# Three\n\nFour <kbd>F1</kbd>', ['p', 'h1', 'p']],
  ['the first newline of code is kept', '<b>x</b>\n\n```\n\n\na\n```', ['p', 'pre']],
])('%s', (_title, source, names) => {
  const tree = parseRawHtml(elements(source))
  expect(tree.children.flatMap((node) => (node.type === 'element' ? [node.tagName] : []))).toEqual(names)
})
