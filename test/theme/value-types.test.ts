import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/domain/json.ts'
import { typeFaults, type ValueType } from '../../src/theme/value-types.ts'

const RIGHT: readonly [ValueType, readonly JsonValue[]][] = [
  ['text', ['a', '', 7]],
  ['number', [0, 1.5]],
  ['boolean', [true, false]],
  ['date', ['2026-03-01', '2026-03-01T10:00:00+01:00']],
  ['url', ['https://a.example/', '/docs', 'mailto:a@a.example']],
  ['list', [[], ['a']]],
  ['object', [{}, { a: 1 }]],
  [['easy', 'hard'], ['easy']],
]

describe('a value of the declared type', () => {
  test.each(RIGHT)('%j is right, and so is an absent one', (type, values) => {
    for (const value of [...values, null, undefined])
      expect(typeFaults({ a: value }, { a: type })).toEqual([])
    expect(typeFaults({}, { a: type, toString: type })).toEqual([])
  })
})

test.each<[ValueType, JsonValue, string]>([
  ['text', ['a'], 'must be a text, not ["a"].'],
  ['number', '7', 'must be a number, not "7".'],
  ['boolean', 'yes', 'must be true or false, not "yes".'],
  ['date', 'soon', 'must be a date such as 2026-03-01, not "soon".'],
  ['url', 'javascript:alert(1)', 'must be an address that links may have, not "javascript:alert(1)".'],
  ['list', 'a', 'must be a list, not "a".'],
  ['object', [], 'must be names and values, not [].'],
  [['easy', 'hard'], 'Easy', 'must be one of easy, hard, not "Easy".'],
  ['number', 'a'.repeat(100), `must be a number, not "${'a'.repeat(59)}….`],
])('a value that is no %j is named: %j', (type, value, message) => {
  expect(typeFaults({ price: value }, { price: type })).toEqual([{ name: 'price', message }])
})
