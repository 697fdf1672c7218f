import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceptedCoding } from '../../../src/http/public/accept-encoding.ts'

describe('Accept-Encoding', () => {
  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip ; q=0.8', 'gzip'],
  ])('%j is answered with %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding)
  })

  test.each([
    '',
    'identity',
    'deflate',
    'gzip;q=0',
    'gzip;q=0, br;q=0',
    '*;q=0',
    'identity, gzip;q=0.5',
    'gzip;q=high',
    'gzip;q=2',
    'gzip;q=0.1234',
  ])('%j is answered with the text as it is', (header) => {
    expect(acceptedCoding(header)).toBeNull()
  })

  test('a coding that the client refuses is never sent, whatever else the header says', () => {
    const part = fc.constantFrom(
      'gzip',
      'br',
      'identity',
      'deflate',
      '*',
      'br;q=0.3',
      'gzip;q=0.9',
      'identity;q=0',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), fc.constantFrom('gzip', 'br'), (parts, refused) => {
        const header = [...parts.filter((other) => !other.startsWith(refused)), `${refused};q=0`].join(', ')
        expect(acceptedCoding(header)).not.toBe(refused)
      }),
    )
  })

  test('the order of the header does not matter', () => {
    const weight = fc.constantFrom('', ';q=0', ';q=0.5', ';q=1')
    fc.assert(
      fc.property(weight, weight, weight, (br, gzip, identity) => {
        const parts = [`br${br}`, `gzip${gzip}`, `identity${identity}`]
        expect(acceptedCoding(parts.join(','))).toBe(acceptedCoding(parts.toReversed().join(',')))
      }),
    )
  })
})
