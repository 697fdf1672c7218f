import type { Database } from '../db/repositories.ts'
import { rewrapped } from '../secrets/content-key.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { openWebhookSecret, sealWebhookSecret } from '../secrets/webhook-secret.ts'

/** Keys that one transaction wraps anew. */
const STEP = 100

/**
 * Wrap every project's keys and every webhook's secrets with the newest master key that a former one wraps. What is published stays
 * as it is. May be ended and begun again at any moment, also while servers run.
 *
 * @returns how many there were.
 * @throws {RangeError} when a key is wrapped with a master key that is not among the former ones.
 */
export async function rewrapKeys(db: Database, masterKey: MasterKey): Promise<number> {
  for (let done = 0; ; ) {
    const moved = await db.write(async ({ contentKeys, webhooks }) => {
      const keys = await contentKeys.notUnder(masterKey.id, STEP)
      for (const { projectId, ...kept } of keys)
        await contentKeys.rewrap(projectId, kept, rewrapped(masterKey, projectId, kept))
      const secrets = await webhooks.secretsNotUnder(masterKey.id, STEP)
      for (const kept of secrets) {
        const secret = openWebhookSecret(masterKey, kept.webhookId, kept)
        await webhooks.resealSecret(kept, sealWebhookSecret(masterKey, kept.webhookId, secret))
      }
      return keys.length + secrets.length
    })
    if (moved === 0) return done
    done += moved
  }
}
