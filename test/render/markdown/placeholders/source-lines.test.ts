import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sourceLines } from '../../../../src/render/markdown/placeholders/source-lines.ts'

const codeIn = (source: string) => sourceLines(source).flatMap(({ text, isCode }) => (isCode ? [text] : []))

describe('the lines of a source', () => {
  test('are those of the text, whichever line breaks its author uses', () => {
    const line = fc.string().map((text) => text.replace(/[\r\n]/g, ''))
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        expect(sourceLines(lines.join(end)).map(({ text }) => text)).toEqual(lines)
      }),
    )
  })
})

describe('a fenced block', () => {
  test.each([
    ['with backticks', '```', '```'],
    ['with tildes', '~~~', '~~~'],
    ['with a longer end', '```', '`````'],
    ['with a language', '```ts {1}', '```'],
    ['in a list', '- ```', '  ```'],
    ['in a numbered list', '1. ```', '   ```'],
    ['in a quote', '> ```', '> ```'],
  ])('%s contains its fences and the lines between them', (_, opening, closing) => {
    expect(codeIn(`a\n${opening}\n:::note\n${closing}\nb`)).toEqual([opening, ':::note', closing])
  })

  test.each([
    ['a shorter fence', '`````', '```'],
    ['a fence of the other character', '```', '~~~'],
    ['a fence with text after it', '```', '```ts'],
  ])('is not ended by %s', (_, opening, line) => {
    expect(codeIn(`${opening}\n${line}\na`)).toEqual([opening, line, 'a'])
  })

  test('extends to the end of the text when nothing closes it', () => {
    expect(codeIn('a\n~~~\nb\n\nc')).toEqual(['~~~', 'b', '', 'c'])
  })

  test.each(['``` a ` b', '``', 'a ```', '`code`'])('is not opened by %j', (line) => {
    expect(codeIn(`${line}\n$a$`)).toEqual([])
  })
})
