import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'

const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 })

describe('a master key', () => {
  test('opens what it wrapped, for the same purpose only', () => {
    const key = parseMasterKey(newMasterKey())
    fc.assert(
      fc.property(bytes, fc.string(), fc.string(), (secret, context, other) => {
        const wrapped = key.wrap(secret, context)
        expect(Buffer.from(key.unwrap(wrapped, context))).toEqual(Buffer.from(secret))
        if (other !== context) expect(() => key.unwrap(wrapped, other)).toThrow(RangeError)
      }),
    )
  })

  test('never wraps twice alike, so that equal secrets cannot be told', () => {
    const key = parseMasterKey(newMasterKey())
    const secret = Buffer.from('secret')
    expect(key.wrap(secret, 'a').sealed).not.toBe(key.wrap(secret, 'a').sealed)
  })

  test('does not open what another key wrapped, and names that key', () => {
    const [one, other] = [parseMasterKey(newMasterKey()), parseMasterKey(newMasterKey())]
    expect(() => other.unwrap(one.wrap(Buffer.from('secret'), 'a'), 'a')).toThrow(one.id)
  })

  test('opens what an older key wrapped that is listed behind it', () => {
    const [older, newest] = [newMasterKey(), newMasterKey()]
    const wrapped = parseMasterKey(older).wrap(Buffer.from('secret'), 'a')
    for (const separator of [',', '\n', ', ', ' \n '])
      expect(
        Buffer.from(parseMasterKey(`${newest}${separator}${older}`).unwrap(wrapped, 'a')).toString(),
      ).toBe('secret')
    expect(parseMasterKey(`${newest},${older}`).id).toBe(parseMasterKey(newest).id)
  })

  test('notices any changed bit', () => {
    const key = parseMasterKey(newMasterKey())
    const wrapped = key.wrap(Buffer.from('a secret of some length'), 'a')
    const sealed = Buffer.from(wrapped.sealed, 'base64')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => key.unwrap({ ...wrapped, sealed: changed.toString('base64') }, 'a')).toThrow(RangeError)
    }
    expect(() => key.unwrap({ ...wrapped, sealed: '' }, 'a')).toThrow(RangeError)
  })

  test('derives one key for each purpose, the same each time', () => {
    const key = parseMasterKey(newMasterKey())
    expect(key.derive('preview')).toEqual(key.derive('preview'))
    expect(key.derive('preview')).not.toEqual(key.derive('state'))
    expect(key.derive('preview')).toHaveLength(32)
  })

  test.each([
    '',
    'short',
    `${Buffer.alloc(31).toString('base64')}`,
    Buffer.alloc(33).toString('base64'),
    'x'.repeat(44),
  ])('%j is refused, and the error says how to make one', (text) => {
    expect(() => parseMasterKey(text)).toThrow(/32 random bytes in base64.*openssl rand -base64 32/)
  })
})
