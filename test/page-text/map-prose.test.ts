import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapProse } from '../../src/page-text/map-prose.ts'

const shouted = (body: string) => mapProse(body, (text) => text.toUpperCase())

test.each([
  ['text', 'a\nb\n', 'A\nB\n'],
  ['code spans', 'a `b` c ``d ` e`` f', 'A `b` C ``d ` e`` F'],
  ['a fence', 'a\n```js\nb\n```\nc', 'A\n```js\nb\n```\nC'],
  [
    'a fence in a list and in a quote',
    '- ```\n  a\n  ```\n> ~~~\n> b\n> ~~~\nc',
    '- ```\n  a\n  ```\n> ~~~\n> b\n> ~~~\nC',
  ],
  ['a shorter fence within', '````\na\n```\nb\n````\nc', '````\na\n```\nb\n````\nC'],
  [
    'fences of quotes and lists in a sample',
    '```md\n> ```\n- ```\na\n```\nb',
    '```md\n> ```\n- ```\na\n```\nB',
  ],
  ['a fence that is never closed', 'a\n~~~\nb\n```\nc', 'A\n~~~\nb\n```\nc'],
  ['backticks that open no fence', '``` a`b\nc', '``` A`B\nC'],
  ['Windows line ends', 'a\r\n```\r\nb\r\n```\r\nc', 'A\r\n```\r\nb\r\n```\r\nC'],
])('prose is found in a text with %s', (_, body, expected) => {
  expect(shouted(body)).toBe(expected)
})

test('prose is passed with its line, and everything else stays', () => {
  const line = fc.constantFrom(
    '```',
    '~~~',
    '````',
    '> ```',
    '- ```',
    '',
    'word',
    'a `b` word',
    '`` word',
    'word `',
    '\r',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const body = lines.map((text, index) => text.replace('word', `word${index}.`)).join('\n')
      const same = mapProse(body, (text, first) => {
        for (const { 1: number, index } of text.matchAll(/word(\d+)\./g)) {
          expect(first + text.slice(0, index).split('\n').length - 1).toBe(Number(number))
        }
        return text
      })
      expect(same).toBe(body)
    }),
  )
})

test('code is never changed, whatever surrounds it', () => {
  const code = fc.constantFrom('`{{ x }}`', '``{{ ` }}``', '```js\n{{ y }}\n```\n', '~~~\n{% z %}\n~~~\n')
  const prose = fc.constantFrom('text ', '{{ gone }}', '\n', '# Title\n', '- item\n', '> quote\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(prose, code)), (parts) => {
      const body = parts.map(([words, block]) => `${words}\n${block}\n`).join('')
      const changed = mapProse(body, (text) => text.replaceAll('{{ gone }}', ''))
      expect(changed).toBe(body.replaceAll('{{ gone }}', ''))
    }),
  )
})
