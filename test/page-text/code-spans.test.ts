import { describe, expect, test } from 'vitest'
import { codeSpans } from '../../src/page-text/code-spans.ts'
import { lineCounter } from '../../src/page-text/line-counter.ts'
import { mapProse } from '../../src/page-text/map-prose.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

const spansIn = (text: string) => codeSpans(text).map(({ start, end }) => text.slice(start, end))

describe('a code span', () => {
  test.each([
    ['ends at as many backticks as it begins with', 'a `b` ``c ` d`` e', ['`b`', '``c ` d``']],
    ['may go on in the next line of its paragraph', 'a `b\nc` d', ['`b\nc`']],
    ['does not go beyond an empty line', 'a ` b\n \t\nc ` d', []],
    ['does not go beyond a list item or a heading', '- a ` b\n- c ` d\n# e ` f\n', []],
    ['does not begin at an escaped backtick', 'a \\` b `c` d \\\\`e`', ['`c`', '`e`']],
    ['begins after an escaped backtick', 'a \\``b` c', ['`b`']],
    ['is not a part of a longer run', '```` a ``` b', []],
  ])('%s', (_, text, spans) => {
    expect(spansIn(text)).toEqual(spans)
  })

  test.each<[string, (size: number) => string]>([
    ['one run', (size) => `x ${'`'.repeat(size)}`],
    [
      'runs that grow',
      (size) => Array.from({ length: Math.sqrt(2 * size) }, (_, n) => '`'.repeat(n)).join(' '),
    ],
    ['runs of two lengths', (size) => '`a``'.repeat(size / 4)],
    ['backslashes', (size) => '\\\\`'.repeat(size / 3)],
    ['empty lines', (size) => `\`${'\n'.repeat(size)}`],
  ])('is found in time that grows with the text: %s', (_, textOf) => {
    const growth = growthOf(textOf, (text) => mapProse(text, (prose) => prose), 64_000)
    expect(growth).toBeLessThan(LINEAR_GROWTH)
  })
})

test('lines are counted up to each offset', () => {
  const lineAt = lineCounter('a\nb\n\nc')
  expect([0, 1, 2, 4, 5, 99].map(lineAt)).toEqual([0, 0, 1, 2, 3, 3])
})
