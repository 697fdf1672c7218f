import type { Database } from '../../db/repositories.ts'
import { rewrapContentKey } from '../../secrets/content-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openWebhookSecret, sealWebhookSecret } from '../../secrets/webhook-secret.ts'
import { openSecret, sealSecret } from '../accounts/use-code.ts'
import { openPrivateKey, sealPrivateKey } from '../certificates/private-keys.ts'

/** Keys that one transaction rewraps. */
const STEP = 100

/**
 * Rewraps every content key, webhook secret, secret of a second factor and private key that is wrapped with a previous
 * master key. Published objects do not change. Safe to interrupt and to run again, also while servers run.
 *
 * @returns the number of keys and secrets that were rewrapped.
 * @throws {RangeError} when a key is wrapped with an unknown master key.
 */
export async function rewrapKeys(db: Database, masterKey: MasterKey): Promise<number> {
  for (let done = 0; ; ) {
    const moved = await db.write(async ({ contentKeys, webhooks, secondFactors, certificates }) => {
      const keys = await contentKeys.findWrappedByOther(masterKey.id, STEP)
      for (const { projectId, ...wrapped } of keys)
        await contentKeys.rewrap(projectId, wrapped, rewrapContentKey(masterKey, projectId, wrapped))
      const secrets = await webhooks.findSecretsSealedByOther(masterKey.id, STEP)
      for (const sealed of secrets) {
        const secret = openWebhookSecret(masterKey, sealed.webhookId, sealed)
        await webhooks.resealSecret(sealed, sealWebhookSecret(masterKey, sealed.webhookId, secret))
      }
      const factors = await secondFactors.findSealedByOther(masterKey.id, STEP)
      for (const factor of factors) {
        const secret = openSecret(masterKey, factor)
        await secondFactors.reseal(factor, sealSecret(masterKey, factor.userId, secret))
      }
      const privateKeys = await certificates.findSealedByOther(masterKey.id, STEP)
      for (const key of privateKeys)
        await certificates.reseal(key, sealPrivateKey(masterKey, key, openPrivateKey(masterKey, key)))
      return keys.length + secrets.length + factors.length + privateKeys.length
    })
    if (moved === 0) return done
    done += moved
  }
}
