import type { Database } from '../db/repositories.ts'
import { rewrapContentKey } from '../secrets/content-key.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { openWebhookSecret, sealWebhookSecret } from '../secrets/webhook-secret.ts'

/** Keys that one transaction rewraps. */
const STEP = 100

/**
 * Rewraps every content key and webhook secret that is wrapped with a previous master key. Published objects do
 * not change. Safe to interrupt and to run again, also while servers run.
 *
 * @returns the number of keys and secrets that were rewrapped.
 * @throws {RangeError} when a key is wrapped with an unknown master key.
 */
export async function rewrapKeys(db: Database, masterKey: MasterKey): Promise<number> {
  for (let done = 0; ; ) {
    const moved = await db.write(async ({ contentKeys, webhooks }) => {
      const keys = await contentKeys.findWrappedByOther(masterKey.id, STEP)
      for (const { projectId, ...kept } of keys)
        await contentKeys.rewrap(projectId, kept, rewrapContentKey(masterKey, projectId, kept))
      const secrets = await webhooks.findSecretsSealedByOther(masterKey.id, STEP)
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
