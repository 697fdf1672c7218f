import { fromBase64 } from './base64.ts'

/** How far a webhook's timestamp may lie from now, either way. */
const TOLERANCE_SECONDS = 5 * 60

/** What a webhook tells. */
export interface WebhookEvent {
  /** E.g. `page.published`. */
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Headers of the request, as `fetch` or as `node:http` have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Read a webhook that was signed as Standard Webhooks v1 says, in Node and in workers.
 *
 * @param secret of the webhook, `whsec_…`.
 * @param body exactly as it came, not parsed and written anew.
 * @param now current time, milliseconds.
 * @throws when it was not signed with this secret, or not within five minutes of now: a copy of an
 *   earlier one may have been sent by anybody.
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
  // A timestamp that is no number is not recent either.
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE_SECONDS)) {
    throw new Error('The webhook is too old or too new.')
  }
}

function importSecret(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** While a secret is being changed there are several; those of other schemes are left alone. */
function v1Signatures(header: string): readonly Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((signature) => /^v1,[A-Za-z0-9+/]+={0,2}$/.test(signature))
    .map((signature) => fromBase64(signature.slice('v1,'.length)))
}
