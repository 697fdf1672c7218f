import { expect, test } from 'vitest'
import { readValue } from '../../../src/dashboard/frame/controls.ts'
import { growthOf, LINEAR_GROWTH } from '../../support/growth.ts'

const titleOf = (text: string) => readValue({ kind: 'title', name: 'title' }, text, null)

test('a title that was typed in several lines is stored as one', () => {
  expect(titleOf('A long\r\n\r\n \t title')).toBe('A long title')
  expect(titleOf(' spaced  as typed ')).toBe(' spaced  as typed ')
})

test('a title of blanks is read in linear time', () => {
  expect(growthOf((size) => `a${' \t'.repeat(size / 2)}b`, titleOf)).toBeLessThan(LINEAR_GROWTH)
})
