import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKey, parseAddress } from '../../src/domain/email-address.ts'

describe('an e-mail address', () => {
  test.each([
    ['Ada@Example.com', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ["o'hara+news@mail.example.com", "o'hara+news@mail.example.com"],
    ['a.b@example.com', 'a.b@example.com'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ADA@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['Owner@localhost', 'owner@localhost'],
  ])('%s has the key %s', (text, key) => {
    expect(parseAddress(text)?.key).toBe(key)
  })

  test.each([
    ['a name', 'ada'],
    ['a single label', 'ada@mailhost'],
    ['another name of this machine', 'ada@localhost'],
    ['a dot at the end', 'ada@example.com.'],
    ['an ideographic dot at the end', 'ada@example.com。'],
    ['an IP address', 'ada@192.0.2.1'],
    ['an IP literal', 'ada@[192.0.2.1]'],
    ['an IP address in another notation', 'ada@0xc0000201'],
    ['a list', 'ada@example.com,eve@example.com'],
    ['a second line', 'ada@example.com\nBcc: eve@example.com'],
    ['a display name', 'Ada <ada@example.com>'],
    ['a comment', 'ada(eve@example.com)@example.com'],
    ['quotes', '"ada eve"@example.com'],
    ['a group', 'all:ada@example.com;'],
    ['two signs', 'ada@eve@example.com'],
    ['letters outside ASCII before the sign', 'zoë@example.com'],
    ['percent encoding', 'ada@%65xample.com'],
    ['a dot at the start', '.ada@example.com'],
    ['two dots', 'a..b@example.com'],
    ['an invisible character', 'ada@exam\u200bple.com'],
    ['a character that turns the text around', 'ada@example.com\u202e'],
    ['a local part of 65 bytes', `${'a'.repeat(65)}@example.com`],
    ['255 bytes', `${'a'.repeat(64)}@${'b.'.repeat(94)}com`],
  ])('is refused because of %s', (_, text) => {
    expect(parseAddress(text)).toBeNull()
  })

  test('has one recipient and one key, whatever it is made of', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aB9.-_+@,;:<>()[]"\\ \n%ü。'), maxLength: 12 })
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const address = parseAddress(`${local}@${domain}.Example`)
        if (address === null) return
        expect(address.mailbox).toMatch(/^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z0-9.-]+$/)
        expect(addressKey(address.written.toUpperCase())).toBe(address.key)
        expect(parseAddress(address.key)?.key).toBe(address.key)
      }),
    )
  })
})
