import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KeyId, PageId, SessionId } from '../../src/domain/ids.ts'
import { openPreview, type PreviewGrant, signPreview } from '../../src/secrets/preview-token.ts'

const key = new Uint8Array(32).fill(7)
const grant: PreviewGrant = {
  pageId: 'k3v9q2m7x4tz8wpa' as PageId,
  issuer: { kind: 'key', id: 'h7n3xq5wkd2vt8mc' as KeyId },
  expiresAt: '2026-03-03T10:00:00.000Z',
}

test('a token names its page and when it expires', () => {
  expect(openPreview(signPreview(grant, key), key)).toEqual(grant)
})

test('a token fits into a URL as it is', () => {
  const token = signPreview(grant, key)
  expect(encodeURIComponent(token)).toBe(token)
})

test('a token names the session that created it, and is none of a key with the same id', () => {
  const ofSession: PreviewGrant = { ...grant, issuer: { kind: 'session', id: grant.issuer.id as SessionId } }
  const token = signPreview(ofSession, key)
  expect(openPreview(token, key)).toEqual(ofSession)
  expect(openPreview(token.replace('ses_', ''), key)).toBeNull()
})

test('a token signed with another key grants nothing', () => {
  expect(openPreview(signPreview(grant, new Uint8Array(32)), key)).toBeNull()
})

test('a token for another page, API key or a longer time cannot be made of a valid one', () => {
  const [page, maker, expiry, signature] = signPreview(grant, key).split('.')
  expect(openPreview(`aaaaaaaaaaaaaaaa.${maker}.${expiry}.${signature}`, key)).toBeNull()
  expect(openPreview(`${page}.aaaaaaaaaaaaaaaa.${expiry}.${signature}`, key)).toBeNull()
  expect(openPreview(`${page}.${maker}.zzzzzzzzz.${signature}`, key)).toBeNull()
  expect(openPreview(`${page}.${maker}.${expiry}.`, key)).toBeNull()
  expect(openPreview(`${page}.${maker}.${expiry}`, key)).toBeNull()
})

test('a changed character anywhere makes a token worthless, and no text makes it throw', () => {
  const token = signPreview(grant, key)
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), fc.stringMatching(/^[a-z0-9._-]$/), (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1)
      // The last character of base64url has bits that decode to nothing, but the signature is compared as text.
      if (changed !== token) expect(openPreview(changed, key)).toBeNull()
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => openPreview(text, key) === null))
})
