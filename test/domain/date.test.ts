import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDates, dayOf, inUtc, readDate, readLocalDate } from '../../src/domain/date.ts'

test.each([
  ['2024-03-10', '2024-03-10T00:00:00.000Z'],
  ['2024-03-10T23:30', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10 23:30:15', '2024-03-10T23:30:15.000Z'],
  ['2024-03-10T23:30:00Z', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10t23:30:00z', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10 23:30:00 UTC', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10T23:30:00+00:00', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10T23:30:00-00:00', '2024-03-10T23:30:00.000Z'],
  ['2024-03-10T23:30:00-05:00', '2024-03-10T23:30:00.000-05:00'],
  ['2024-03-10 23:30:00 -0500', '2024-03-10T23:30:00.000-05:00'],
  ['2024-03-10 23:30 -05', '2024-03-10T23:30:00.000-05:00'],
  ['2024-03-11T01:15:00.123456+05:45', '2024-03-11T01:15:00.123+05:45'],
  ['2024-12-31T24:00:00-05:00', '2025-01-01T00:00:00.000-05:00'],
])('the date %j is read as %j, with the offset it was written with', (written, read) =>
  expect(readLocalDate(written)).toBe(read),
)

test.each([
  '',
  '2024-3-10',
  '10.03.2024',
  'March 10, 2024',
  '2024-02-30',
  '2024-02-30T12:00:00-05:00',
  '2024-03-10T25:00',
  '2024-03-10T23:30:00+25:00',
  '2024-03-10T23:30:00 CET',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2024-03-10-05:00',
  20240310,
  null,
  {},
])('%j is not a date', (written) => {
  expect(readLocalDate(written)).toBeNull()
  expect(readDate(written)).toBeNull()
})

test('a date keeps its moment and the day that was written, in every offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, minutes) => {
        const size = Math.abs(minutes)
        const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
        const local = new Date(date.getTime() + minutes * 60_000).toISOString()
        const written = local.replace('Z', `${minutes < 0 ? '-' : '+'}${parts.join(':')}`)
        const read = readLocalDate(written) ?? ''
        expect(inUtc(read)).toBe(date.toISOString())
        expect(dayOf(read)).toBe(local.slice(0, 10))
        expect(readLocalDate(read)).toBe(read)
        expect(readDate(written)).toBe(date.toISOString())
      },
    ),
  )
})

test('dates are compared by their moments', () => {
  const evening = '2024-03-10T23:30:00.000-05:00'
  expect(compareDates(evening, '2024-03-11T00:00:00.000Z')).toBeGreaterThan(0)
  expect(compareDates(evening, '2024-03-11T05:00:00.000Z')).toBeLessThan(0)
  expect(compareDates(evening, '2024-03-11T04:30:00.000Z')).toBe(0)
  expect(compareDates('2024-03-10T00:00:00.000Z', '2024-03-11T00:00:00.000Z')).toBeLessThan(0)
})
