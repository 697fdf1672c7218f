import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRange } from '../../src/domain/byte-range.ts'

describe('a Range header', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['BYTES=5-6', { start: 5, end: 6 }],
    [' bytes=5-6 ', { start: 5, end: 6 }],
  ])('%j asks for a part of 100 bytes', (header, range) => {
    expect(readRange(header, 100)).toEqual(range)
  })

  test.each(['', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=0x1-2'])(
    '%j is ignored, and the whole is sent',
    (header) => {
      expect(readRange(header, 100)).toBeNull()
    },
  )

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%j cannot be satisfied', (header) => {
    expect(readRange(header, 100)).toBe('unsatisfiable')
  })

  test('can never be satisfied by an empty object', () => {
    for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0'])
      expect(readRange(header, 0)).toBe('unsatisfiable')
  })

  test('never leads out of the object', () => {
    const number = fc.oneof(fc.nat({ max: 120 }), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.constant(''))
    fc.assert(
      fc.property(number, number, fc.nat({ max: 110 }), (first, last, size) => {
        const range = readRange(`bytes=${first}-${last}`, size)
        if (range === null || range === 'unsatisfiable') return
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.start).toBeLessThanOrEqual(range.end)
        expect(range.end).toBeLessThan(size)
      }),
      { numRuns: 500 },
    )
  })

  test('parts that follow each other make up the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 50 }), (size, step) => {
        let bytes = 0
        for (let start = 0; start < size; start += step) {
          const range = readRange(`bytes=${start}-${start + step - 1}`, size)
          if (range === null || range === 'unsatisfiable') throw new Error('A part of the object is missing.')
          bytes += range.end - range.start + 1
        }
        expect(bytes).toBe(size)
      }),
    )
  })
})
