import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyId, PageId } from '../domain/ids.ts'

/** The right to see the current version of one page until a time, as long as an API key is live. */
export interface PreviewGrant {
  readonly pageId: PageId
  /** The API key that created the link. */
  readonly keyId: KeyId
  /** ISO 8601 UTC. */
  readonly expiresAt: string
}

/** Returns a token for URLs: `{page}.{API key}.{expiry}.{signature}`. */
export function signPreview({ pageId, keyId, expiresAt }: PreviewGrant, key: Uint8Array): string {
  const claim = `${pageId}.${keyId}.${Date.parse(expiresAt).toString(36)}`
  return `${claim}.${signature(claim, key)}`
}

/** Verifies a token. Null if it was not signed with the key or has expired. */
export function openPreview(token: string, key: Uint8Array, now: string): PreviewGrant | null {
  const [, claim = '', pageId = '', keyId = '', expiry = '', given = ''] =
    /^(([a-z0-9]{16})\.([a-z0-9]{16})\.([a-z0-9]{1,10}))\.([\w-]{43})$/.exec(token) ?? []
  const expected = signature(claim, key)
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
    return null
  const expiresAt = new Date(Number.parseInt(expiry, 36)).toISOString()
  return now < expiresAt ? { pageId: pageId as PageId, keyId: keyId as KeyId, expiresAt } : null
}

function signature(claim: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(claim).digest('base64url')
}
