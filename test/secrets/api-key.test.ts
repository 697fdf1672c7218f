import { expect, test } from 'vitest'
import { hashApiKey, isApiKeyForm, newApiKey } from '../../src/secrets/api-key.ts'

test('a new key has the documented form and is one of its kind', () => {
  const keys = Array.from({ length: 500 }, newApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^qn_live_[0-9A-Za-z]{38}$/)
    expect(isApiKeyForm(key)).toBe(true)
  }
  expect(new Set(keys).size).toBe(keys.length)
})

test('a typing slip in any place is noticed without the database', () => {
  const key = newApiKey()
  for (let at = 0; at < key.length; at++) {
    const slip = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`
    expect(isApiKeyForm(slip), slip).toBe(false)
  }
})

test('other secrets and longer texts do not pass for a key', () => {
  const key = newApiKey()
  for (const text of [
    '',
    'qn_live_',
    `${key} `,
    ` ${key}`,
    `${key}0`,
    key.toUpperCase(),
    `sk_live_${key.slice(8)}`,
  ])
    expect(isApiKeyForm(text), text).toBe(false)
})

test('what is stored of a key is 64 hexadecimal digits that do not hold it', () => {
  const key = newApiKey()
  expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashApiKey(key)).toBe(hashApiKey(key))
  expect(hashApiKey(key)).not.toBe(hashApiKey(newApiKey()))
})
