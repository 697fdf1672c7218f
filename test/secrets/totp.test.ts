import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCode } from '../../src/secrets/recovery-code.ts'
import { base32, newTotpSecret, totpCode, totpStep, totpUri } from '../../src/secrets/totp.ts'

const SECRET = Buffer.from('12345678901234567890')

// Appendix B of RFC 6238.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code of second %i is that of the RFC', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30), 8)).toBe(code)
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code.slice(2))
})

// Section 10 of RFC 4648.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('a code is that of its own step and the ones next to it, and of no other', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / 30_000)
  const found = [-2, -1, 0, 1, 2].map((away) => totpStep(SECRET, totpCode(SECRET, step + away), now))
  expect(found).toEqual([null, step - 1, step, step + 1, null])
})

test.each(['', '12345', '1234567', '12345a', '１２３４５６', ' 123456', '-12345', '1e5'])(
  'the text %j is no code',
  (text) => {
    expect(totpStep(SECRET, text, 0)).toBeNull()
  },
)

test('an app gets the secret, the account and the name of the service', () => {
  const uri = new URL(totpUri(SECRET, 'ada+1@example.com'))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain('Quoin:ada+1@example.com')
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(newTotpSecret()).toHaveLength(20)
})

test('a recovery code is the same in any case, with and without hyphens', () => {
  const code = newRecoveryCode()
  expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  const hash = hashRecoveryCode(code)
  expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(hash)
  expect(hashRecoveryCode(newRecoveryCode())).not.toBe(hash)
})
