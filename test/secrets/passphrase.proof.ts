import { expect, test } from 'vitest'
import { openWithPassphrase, sealWithPassphrase } from '../../src/secrets/passphrase.ts'

test('a text opens with the passphrase and context that sealed it, and with no other', async () => {
  const sealed = await sealWithPassphrase('a secret', 'Käse und Brot', 'here')
  expect(JSON.stringify(sealed)).not.toContain('secret')
  expect(await openWithPassphrase(sealed, 'Käse und Brot', 'here')).toBe('a secret')
  // The same letters from a keyboard that sends the accent on its own.
  expect(await openWithPassphrase(sealed, 'Käse und Brot'.normalize('NFD'), 'here')).toBe('a secret')
  await expect(openWithPassphrase(sealed, 'Käse und brot', 'here')).rejects.toThrow(RangeError)
  await expect(openWithPassphrase(sealed, 'Käse und Brot', 'there')).rejects.toThrow(RangeError)
  await expect(openWithPassphrase({ ...sealed, sealed: '' }, 'Käse und Brot', 'here')).rejects.toThrow(
    RangeError,
  )
})

test('the same text and passphrase never give the same result', async () => {
  const [one, other] = await Promise.all([
    sealWithPassphrase('a', 'b', 'c'),
    sealWithPassphrase('a', 'b', 'c'),
  ])
  expect(one.salt).not.toBe(other.salt)
  expect(one.sealed).not.toBe(other.sealed)
})
