import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readRedirectLines } from '../../src/content-folder/redirect-lines.ts'

const pairs = (text: string) => readRedirectLines(text)?.map(({ from, to, line }) => [from, to, line])

test('each line of a redirects.yaml is a path and a target, in quotes or not', () => {
  expect(
    pairs(
      '# Moved\n/a: /b\n\n"/c d": \'/e\' # note\n/f.html: /g#h\n/i:   https://example.org/?a=b#c\r\n/j:k: /l\n',
    ),
  ).toEqual([
    ['/a', '/b', 2],
    ['/c d', '/e', 4],
    ['/f.html', '/g#h', 5],
    ['/i', 'https://example.org/?a=b#c', 6],
    ['/j:k', '/l', 7],
  ])
  expect(pairs('')).toEqual([])
})

test.each([
  '/a: /b\n/a: /c\n',
  '{ /a: /b }',
  '/a:\n  /b\n',
  '/a: "\\u0041"\n',
  '- /a\n',
  '/a: &x /b\n',
  'a: /b\n',
])('other YAML is left to the parser: %j', (text) => expect(pairs(text)).toBeUndefined())

test('what is read by line is what a YAML parser reads', () => {
  const part = fc.stringMatching(/^[/a-z#:"' .&*?,[\]{}!|>%@`-]{0,8}$/)
  const line = fc.tuple(part, part).map(([from, to]) => `/${from}: /${to}`)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      const text = lines.join('\n')
      const read = readRedirectLines(text)
      if (read === null) return
      const value = parse(text, { schema: 'core' }) ?? {}
      expect(Object.fromEntries(read.map(({ from, to }) => [from, to]))).toEqual(value)
    }),
    { numRuns: 2_000 },
  )
})
