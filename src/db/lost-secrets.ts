import type { Knex } from 'knex'
import type { WebhookId } from '../domain/ids.ts'
import type { KeyRow } from './ledger/content-keys.ts'
import type { LostSecretRepository } from './repositories/secrets.ts'
import { NO_PREVIOUS_SECRET } from './webhooks.ts'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createLostSecretRepository(db: Knex): LostSecretRepository {
  return {
    async find(masterKeyIds) {
      const ids = [...masterKeyIds]
      const contentKeys = db('content_keys')
        .whereNotNull('wrapped')
        .whereNotIn('master_key_id', ids)
        .distinct('project_id as projectId', db.raw("'content key' AS kind"))
      const current = db('webhooks')
        .whereNotIn('master_key_id', ids)
        .select('project_id as projectId', db.raw("'webhook secret' AS kind"))
      const previous = db('webhooks')
        .whereNotNull('former_secret')
        .whereNotIn('former_master_key_id', ids)
        .select('project_id as projectId', db.raw("'webhook secret' AS kind"))
      const earlier = db('earlier_webhook_secrets')
        .join('webhooks', 'webhooks.id', 'earlier_webhook_secrets.webhook_id')
        .whereNotIn('earlier_webhook_secrets.master_key_id', ids)
        .select('project_id as projectId', db.raw("'webhook secret' AS kind"))
      return contentKeys.union([current, previous, earlier]).orderBy(['kind', 'projectId'])
    },

    async replace(projectId, masterKeyIds, { contentKey, webhookSecret }) {
      const ids = [...masterKeyIds]
      const keys = () => db<KeyRow>('content_keys').where({ project_id: projectId })
      const lost = await keys().whereNotNull('wrapped').whereNotIn('master_key_id', ids)
      for (const { key_version: version, state } of lost) {
        const row = keys().where({ key_version: version })
        if (state === 'retired') {
          await row.update({ state: 'destroyed', wrapped: null })
          continue
        }
        const { sealed, masterKeyId } = contentKey(version)
        await row.update({
          wrapped: sealed,
          master_key_id: masterKeyId,
          state: state === 'active' ? 'lost' : state,
        })
        if (state === 'storage') await db('artifacts').where({ project_id: projectId, sealed: true }).delete()
      }

      const webhooks = () => db('webhooks').where({ project_id: projectId })
      const unsigned: readonly WebhookId[] = await webhooks().whereNotIn('master_key_id', ids).pluck('id')
      for (const id of unsigned) {
        const { sealed, masterKeyId } = webhookSecret(id)
        await webhooks().where({ id }).update({ secret: sealed, master_key_id: masterKeyId })
      }
      await webhooks().whereNotIn('former_master_key_id', ids).update(NO_PREVIOUS_SECRET)
      await db('earlier_webhook_secrets')
        .whereIn('webhook_id', webhooks().select('id'))
        .whereNotIn('master_key_id', ids)
        .delete()
    },
  }
}
