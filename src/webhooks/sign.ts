import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

/** A random secret. */
export function newSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES)
}

/** The form in which an owner sees a secret: `whsec_` and base64. */
export function formatSecret(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

/**
 * The headers of Standard Webhooks v1. A receiver that knows one of the secrets can verify them.
 *
 * @param at time of this attempt.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, at, body))
      .join(' '),
  }
}
