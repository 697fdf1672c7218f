import { fromBase64 } from './base64.ts'

/** Accepted difference between a webhook's timestamp and the current time, in both directions. */
const TOLERANCE_SECONDS = 5 * 60

/** The payload of a webhook. */
export interface WebhookEvent {
  /** E.g. `page.published`. */
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Request headers in the form of `fetch` or of `node:http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies and parses a webhook signed per Standard Webhooks v1; for Node and workers.
 *
 * @param secret the secret of the webhook, `whsec_…`.
 * @param body the raw request body, not parsed and serialised again.
 * @param now current time in milliseconds.
 * @throws when the signature is not of this secret, or the timestamp is more than five minutes off, which protects
 *   against replays.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now: number = Date.now(),
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  assertRecent(timestamp, now)

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const key = await importSecret(secret)
  for (const signature of v1Signatures(signatures)) {
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text)
  }
  throw new Error('The webhook was not signed with this secret.')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new Error(`The webhook has no ${name} header.`)
  return value
}

function assertRecent(timestamp: string, now: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  // Negated, so that NaN is refused.
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE_SECONDS)) {
    throw new Error('The timestamp of the webhook is more than five minutes off.')
  }
}

function importSecret(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Signatures of scheme v1; there are several while a secret is being rotated. Other schemes are ignored. */
function v1Signatures(header: string): readonly Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((signature) => /^v1,[A-Za-z0-9+/]+={0,2}$/.test(signature))
    .map((signature) => fromBase64(signature.slice('v1,'.length)))
}
