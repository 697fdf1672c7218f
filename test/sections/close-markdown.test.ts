import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../src/render/markdown/remark.ts'
import { satteriParser } from '../../src/render/markdown/satteri.ts'
import { closeMarkdown } from '../../src/sections/close-markdown.ts'
import { runs } from '../support/long-form.ts'

const part = fc.constantFrom(
  ...['', '', 'text', '# Title', '> quote', '- item', '2. item', '  more', '    code', '***', '| a |\n|---|'],
  ...['```', '````', '``` js', '~~~', '> ```', '- ```', '`` ` ``', '    ```', '[a]: /b', '[^1]: note', 'a\\'],
  ...['<!-- a', '-->', '<!-- a -->', '<pre>', '<script>', '<?php', '?>', '<!DOCTYPE'],
  ...['<![CDATA[', ']]>', '<https://a.example>', '<b>b</b>'],
)
const body = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('\n'))

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('read by %s', (_, parse) => {
  test('text after a body is parsed on its own', () => {
    fc.assert(
      fc.property(body, (text) => {
        const { children } = parse(`${closeMarkdown(text)}\n\n# Next`)
        expect(children.at(-1)).toMatchObject({ type: 'heading', children: [{ value: 'Next' }] })
      }),
      { numRuns: runs(3000) },
    )
  })
})

test('a body without open blocks is unchanged', () => {
  for (const text of ['A *b*\n\n- c\n', '```\nx\n```', '<div>\n\n```\nx\n```\n\n</div>', '    code\n\ntext'])
    expect(closeMarkdown(text)).toBe(text.trimEnd())
})

test.each([
  ['```js\nlet x', '```js\nlet x\n```'],
  ['~~~~\n```', '~~~~\n```\n~~~~'],
  ['<!-- later', '<!-- later\n-->'],
  ['\n\n  \n    code', '    code'],
])('the text %j is closed as %j', (text, closed) => {
  expect(closeMarkdown(text)).toBe(closed)
})
