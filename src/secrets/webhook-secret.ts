import type { WebhookId } from '../domain/ids.ts'
import type { MasterKey, Wrapped } from './master-key.ts'

/** Version of the wrapping format. */
const FORM = 1

export function sealWebhookSecret(masterKey: MasterKey, id: WebhookId, secret: Uint8Array): Wrapped {
  return masterKey.wrap(secret, contextOf(id))
}

/** @throws {RangeError} if no known master key sealed it for this webhook. */
export function openWebhookSecret(masterKey: MasterKey, id: WebhookId, sealed: Wrapped): Uint8Array {
  return masterKey.unwrap(sealed, contextOf(id))
}

function contextOf(id: WebhookId): string {
  return JSON.stringify(['webhook secret', FORM, id])
}
