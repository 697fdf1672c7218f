import { describe, expect, test } from 'vitest'
import { countWithin } from '../../src/domain/list-bytes.ts'

describe('the items of a list', () => {
  test('are as many first ones as stay below the limit', () => {
    expect(countWithin([3, 3, 3], 10)).toBe(3)
    expect(countWithin([3, 3, 4], 10)).toBe(2)
    expect(countWithin([3, 6, 2], 10)).toBe(2)
  })

  test('are at least one, and none of none', () => {
    expect(countWithin([50, 1], 10)).toBe(1)
    expect(countWithin([], 10)).toBe(0)
  })
})
