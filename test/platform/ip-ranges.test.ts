import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInRanges, parseIpRanges } from '../../src/platform/ip-ranges.ts'

describe('parseIpRanges', () => {
  test('an address matches itself only, and a range matches every address in it', () => {
    const ranges = parseIpRanges(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32', '::1'])
    const matching = ['192.0.2.7', '10.0.0.0', '10.255.255.255', '2001:db8::', '2001:db8:ffff::1', '::1']
    const others = ['192.0.2.6', '9.255.255.255', '11.0.0.0', '2001:db7::1', '2001:db9::', '::2']
    expect(matching.filter((address) => !isInRanges(address, ranges))).toEqual([])
    expect(others.filter((address) => isInRanges(address, ranges))).toEqual([])
  })

  test('an IPv4 range also matches IPv4 addresses in IPv6 form', () => {
    const ranges = parseIpRanges(['10.0.0.0/8'])
    expect(isInRanges('::ffff:10.1.2.3', ranges)).toBe(true)
    expect(isInRanges('::ffff:11.1.2.3', ranges)).toBe(false)
  })

  test('no range matches text that is not an address', () => {
    const ranges = parseIpRanges(['10.0.0.0/8', '2001:db8::/32'])
    for (const text of [
      '',
      'localhost',
      '10.0.0',
      '10.0.0.1/32',
      ' 10.0.0.1',
      '10.0.0.1:80',
      '[2001:db8::1]',
    ])
      expect(isInRanges(text, ranges), text).toBe(false)
  })

  test('no entries match no address', () => {
    expect(isInRanges('127.0.0.1', parseIpRanges([]))).toBe(false)
  })

  test.each([
    '',
    'localhost',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8.0',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    '/8',
  ])('%j is refused with a message that names it', (entry) => {
    expect(() => parseIpRanges(['192.0.2.1', entry])).toThrow(
      new RangeError(`${entry} is neither an IP address nor a range such as 10.0.0.0/8`),
    )
  })

  test.each(['0.0.0.0/0', '::/0', '::ffff:0:0/96'])(
    '%s is refused because it matches every address',
    (entry) => {
      expect(() => parseIpRanges([entry])).toThrow(
        new RangeError(`${entry} matches every address; name the proxies themselves`),
      )
    },
  )

  test('a range matches the addresses that have its first bits', () => {
    const bitsOf = (address: number) => address.toString(2).padStart(32, '0')
    const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
    const address = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(address, address, fc.integer({ min: 1, max: 32 }), (base, other, width) => {
        // Half of the addresses share the first bits with the range.
        const near = Number.parseInt(bitsOf(base).slice(0, width) + bitsOf(other).slice(width), 2)
        const ranges = parseIpRanges([`${dotted(base)}/${width}`])
        for (const candidate of [near, other])
          expect(isInRanges(dotted(candidate), ranges)).toBe(
            bitsOf(candidate).slice(0, width) === bitsOf(base).slice(0, width),
          )
      }),
    )
  })
})
