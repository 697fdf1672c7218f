import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LineMatcher, readCodeOptions } from '../../../../src/render/markdown/enhance/code-options.ts'

const linesOf = (matches: LineMatcher) => Array.from({ length: 20 }, (_, n) => n + 1).filter(matches)

describe('the title of a code block', () => {
  test.each([
    ['title="a b.ts"', 'a b.ts'],
    ["title='a b.ts'", 'a b.ts'],
    ['title=a.ts {1}', 'a.ts'],
    ['[a.ts]', 'a.ts'],
    ['{1} [a b.ts] ins={2}', 'a b.ts'],
    ['[b.ts] title="a.ts"', 'a.ts'],
    ['title="  a.ts  "', 'a.ts'],
  ])('is read from %j', (written, title) => {
    expect(readCodeOptions(written).title).toBe(title)
  })

  test.each(['title=""', 'title="  "', 'subtitle="a"', '[]', 'a[b]', 'title'])('is none in %j', (written) => {
    expect(readCodeOptions(written).title).toBeNull()
  })

  test('is at most 120 characters long', () => {
    expect(readCodeOptions(`title="${'a'.repeat(1000)}"`).title).toHaveLength(120)
  })
})

describe('the lines of a code block', () => {
  test.each([
    ['{3}', [3]],
    ['{1,3-5}', [1, 3, 4, 5]],
    ['{ 1 , 3-5 }', [1, 3, 4, 5]],
    ['{5-3}', []],
    ['{0}', []],
    ['{1,,2}', [1, 2]],
    ['{1-2-3}', []],
    ['{a}', []],
    ['{1', []],
    ['x{1}', []],
  ])('marked by %j are the lines %j', (written, lines) => {
    expect(linesOf(readCodeOptions(written).marked)).toEqual(lines)
  })

  test('are marked, added and removed independently', () => {
    const { marked, added, removed } = readCodeOptions('{1} ins={2} del={3}')
    expect([marked, added, removed].map(linesOf)).toEqual([[1], [2], [3]])
  })

  test('are exactly those that the ranges name', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(4))
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 8 }), (ranges) => {
        const written = ranges.map(([from, more]) => (more === 0 ? `${from}` : `${from}-${from + more}`))
        const named = ranges.flatMap(([from, more]) => Array.from({ length: more + 1 }, (_, n) => from + n))
        const lines = [...new Set(named)].filter((line) => line <= 20).sort((a, b) => a - b)
        expect(linesOf(readCodeOptions(`{${written.join(',')}}`).marked)).toEqual(lines)
      }),
    )
  })
})

describe('line numbers', () => {
  test.each([
    'showLineNumbers',
    'line-numbers',
    ':line-numbers',
    'showLineNumbers{5}',
    '{1} showLineNumbers',
  ])('are on with %j', (written) => {
    expect(readCodeOptions(written).firstNumber).toBe(1)
  })

  test.each(['', 'noLineNumbers', 'showLineNumbersNot', 'title=showLineNumbers'])(
    'are off with %j',
    (written) => {
      expect(readCodeOptions(written).firstNumber).toBe(null)
    },
  )
})

test('any text is read, and unknown options change nothing', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    'title=',
    '"',
    "'",
    ' ',
    '1-',
    ',',
    'ins=',
    'frame=none',
    '字',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(text, (written) => {
      const { title, marked } = readCodeOptions(written)
      expect(title === null || (title !== '' && title.length <= 120)).toBe(true)
      expect(typeof marked(1)).toBe('boolean')
    }),
  )
  expect(readCodeOptions('frame=none wrap {2}').title).toBeNull()
  expect(linesOf(readCodeOptions('frame=none wrap {2}').marked)).toEqual([2])
})
