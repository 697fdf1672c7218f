import type { Knex } from 'knex'
import type { DeliveryId, ProjectId, WebhookId } from '../domain/ids.ts'
import type { OffReason, Sending, Webhook } from '../domain/webhook.ts'
import {
  type DeliveryRow,
  enqueueDelivery,
  enqueueEvents,
  singleDelivery,
  toDelivery,
  toDeliveryRow,
} from './deliveries.ts'
import { reserveFitting, type SizeRow } from './fitting-rows.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import type { WebhookRepository, WebhookSecret } from './repositories/webhooks.ts'

interface WebhookRow {
  readonly id: WebhookId
  readonly project_id: ProjectId
  readonly url: string
  readonly events: string
  readonly description: string
  readonly active: number | boolean
  readonly coalesce_seconds: number
  readonly failing_since: string | null
  readonly off_reason: OffReason | null
  readonly created_at: string
  readonly version: number
}

/** The columns of a webhook without its secrets. */
const COLUMNS = [
  'id',
  'project_id',
  'url',
  'events',
  'description',
  'active',
  'coalesce_seconds',
  'failing_since',
  'off_reason',
  'created_at',
  'version',
] as const

const DAY_MS = 24 * 60 * 60 * 1000
const RETENTION_DAYS = 30
/** Ended deliveries retained per webhook. */
const MAX_RETAINED = 10_000
/** A webhook with more pending deliveries is disabled. */
const MAX_PENDING = 50_000
const NEWEST_FIRST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const
/** Rows deleted per step of pruning. */
const STEP = 1_000

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createWebhookRepository(db: Knex): WebhookRepository {
  const webhooks = () => db<WebhookRow>('webhooks')
  const deliveries = () => db<DeliveryRow>('deliveries')

  return {
    async insert(webhook, { sealed, masterKeyId }) {
      await db('webhooks').insert({ ...toRow(webhook), secret: sealed, master_key_id: masterKeyId })
    },

    async find(projectId, id) {
      const row = await webhooks()
        .where({ id, project_id: projectId })
        .first(...COLUMNS)
      return row === undefined ? null : toWebhook(row)
    },

    async list(projectId) {
      const rows = await webhooks()
        .where({ project_id: projectId })
        .orderBy(['created_at', 'id'])
        .select(...COLUMNS)
      return rows.map(toWebhook)
    },

    async update(webhook) {
      await db('webhooks').where({ id: webhook.id }).update(toRow(webhook))
    },

    async delete(id) {
      await deliveries().where({ webhook_id: id }).delete()
      await webhooks().where({ id }).delete()
    },

    async secrets(id, now) {
      const row = await db('webhooks').where({ id }).first()
      if (row === undefined) return []
      const current = { sealed: row.secret, masterKeyId: row.master_key_id }
      const previous = { sealed: row.former_secret, masterKeyId: row.former_master_key_id }
      const earlier = await db<EarlierRow>('earlier_webhook_secrets')
        .where({ webhook_id: id })
        .where('until', '>', now)
        .orderBy('until', 'desc')
      return [
        current,
        ...(previous.sealed !== null && row.former_until > now ? [previous] : []),
        ...earlier.map(({ secret, master_key_id }) => ({ sealed: secret, masterKeyId: master_key_id })),
      ]
    },

    async replaceSecret(id, { sealed, masterKeyId }, previousUntil, now) {
      await db(db.raw('earlier_webhook_secrets (webhook_id, secret, master_key_id, until)')).insert(
        db('webhooks')
          .where({ id })
          .where('former_until', '>', now)
          .select('id', 'former_secret', 'former_master_key_id', 'former_until'),
      )
      await db('webhooks')
        .where({ id })
        .update({
          former_secret: db.ref('secret'),
          former_master_key_id: db.ref('master_key_id'),
          former_until: previousUntil,
          secret: sealed,
          master_key_id: masterKeyId,
          version: db.raw('version + 1'),
        })
    },

    async enqueueEvents(projectId, events, ports) {
      await enqueueEvents(db, projectId, events, ports)
    },

    async enqueueTo(webhook, event, ports) {
      const delivery = singleDelivery(webhook.id, event, ports.newId(), ports)
      await deliveries().insert(toDeliveryRow(delivery, webhook.projectId, 1))
      await enqueueDelivery(db, webhook, delivery, ports)
      return delivery
    },

    async enqueueAgain(webhook, delivery, ports) {
      const { id, state, attempts, nextAt, finishedAt } = delivery
      await deliveries().where({ id }).update({ state, attempts, next_at: nextAt, finished_at: finishedAt })
      await enqueueDelivery(db, webhook, delivery, ports)
    },

    findSending,

    async closeBatch(id) {
      await deliveries().where({ id }).update({ closed: true })
      return findSending(id)
    },

    async makeDue(id, now) {
      await deliveries().where({ id, state: 'pending' }).update({ next_at: now })
    },

    async recordTry(before, { delivery, webhook }) {
      const { id, attempts, tries } = before.delivery
      const seen = { id, attempts, state: before.delivery.state, tries: JSON.stringify(tries) }
      const changed = await deliveries()
        .where(seen)
        .update({
          state: delivery.state,
          attempts: delivery.attempts,
          next_at: delivery.nextAt,
          tries: JSON.stringify(delivery.tries),
          finished_at: delivery.finishedAt,
        })
      if (changed === 0) return false
      const { failingSince, active, offReason } = webhook
      if (failingSince !== before.webhook.failingSince || active !== before.webhook.active)
        await webhooks()
          .where({ id: webhook.id })
          .update({ failing_since: failingSince, ...(!active && { active, off_reason: offReason }) })
      return true
    },

    async findDelivery(webhookId, id) {
      const row = await deliveries().where({ id, webhook_id: webhookId }).first()
      return row === undefined ? null : toDelivery(row)
    },

    async deliveries(webhookId, { state, ...slice }, reserve) {
      const matching = () => deliveries().where({ webhook_id: webhookId, ...(state !== null && { state }) })
      const sizes: readonly (SizeRow<DeliveryId> & Pick<DeliveryRow, 'created_at'>)[] = await sliced(
        matching(),
        ['created_at', 'id'],
        'desc',
        slice,
      ).select('id', 'created_at', db.raw('octet_length(body) + octet_length(tries) AS bytes'))
      const rows = await deliveries()
        .whereIn('id', reserveFitting(sizes, reserve))
        .orderBy([...NEWEST_FIRST])
      const positions = sizes.map(({ created_at: key, id }) => ({ key, id }))
      return listed(rows.map(toDelivery), positions, slice, await totalOf(matching(), slice))
    },

    async findSecretsSealedByOther(masterKeyId, limit) {
      const current = db('webhooks')
        .whereNot({ master_key_id: masterKeyId })
        .select({ webhookId: 'id', sealed: 'secret', masterKeyId: 'master_key_id' })
      const previous = db('webhooks')
        .whereNotNull('former_secret')
        .whereNot({ former_master_key_id: masterKeyId })
        .select({ webhookId: 'id', sealed: 'former_secret', masterKeyId: 'former_master_key_id' })
      const earlier = db('earlier_webhook_secrets')
        .whereNot({ master_key_id: masterKeyId })
        .select({ webhookId: 'webhook_id', sealed: 'secret', masterKeyId: 'master_key_id' })
      return (await current.unionAll([previous, earlier]).limit(limit)) as readonly WebhookSecret[]
    },

    async resealSecret({ webhookId: id, sealed: before }, { sealed, masterKeyId }) {
      const rows = () => db('webhooks').where({ id })
      await rows().where({ secret: before }).update({ secret: sealed, master_key_id: masterKeyId })
      await rows()
        .where({ former_secret: before })
        .update({ former_secret: sealed, former_master_key_id: masterKeyId })
      await db('earlier_webhook_secrets')
        .where({ webhook_id: id, secret: before })
        .update({ secret: sealed, master_key_id: masterKeyId })
    },

    async prune(now) {
      await db('webhooks').where('former_until', '<=', now).update(NO_PREVIOUS_SECRET)
      await db('earlier_webhook_secrets').where('until', '<=', now).delete()
      await disableOverloaded()
      const last = new Date(Date.parse(now) - RETENTION_DAYS * DAY_MS).toISOString()
      const old = deliveries().where('finished_at', '<', last).limit(STEP).select('id')
      const deleted = await deliveries().whereIn('id', old).delete()
      return deleted === STEP || (await pruneLongest())
    },
  }

  async function findSending(id: DeliveryId): Promise<Sending | null> {
    const row = await deliveries().where({ id }).first()
    if (row === undefined) return null
    const webhook = await webhooks()
      .join('projects', 'projects.id', 'webhooks.project_id')
      .where({ 'webhooks.id': row.webhook_id })
      .whereNull('projects.deleted_at')
      .first(...COLUMNS.map((column) => `webhooks.${column}` as const))
    return webhook === undefined ? null : { delivery: toDelivery(row), webhook: toWebhook(webhook) }
  }

  async function disableOverloaded(): Promise<void> {
    const overloaded = await deliveries()
      .where({ state: 'pending' })
      .groupBy('webhook_id')
      .havingRaw('count(*) > ?', [MAX_PENDING])
      .pluck('webhook_id')
    await webhooks()
      .whereIn('id', overloaded)
      .where({ active: true })
      .update({ active: false, off_reason: 'overloaded' })
  }

  /** Deletes surplus deliveries of one webhook. False when no webhook has any. */
  async function pruneLongest(): Promise<boolean> {
    const longest = await deliveries()
      .whereNotNull('finished_at')
      .groupBy('webhook_id')
      .havingRaw('count(*) > ?', [MAX_RETAINED])
      .first('webhook_id')
    if (longest === undefined) return false
    const ended = deliveries().where(longest).whereNotNull('finished_at')
    const surplus = ended
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .offset(MAX_RETAINED)
      .limit(STEP)
      .select('id')
    return (await deliveries().whereIn('id', surplus).delete()) > 0
  }
}

interface EarlierRow {
  readonly webhook_id: WebhookId
  readonly secret: Uint8Array
  readonly master_key_id: string
  readonly until: string
}

/** Columns of a webhook with one secret only. */
export const NO_PREVIOUS_SECRET = { former_secret: null, former_master_key_id: null, former_until: null }

function toRow(webhook: Webhook): WebhookRow {
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    description: webhook.description,
    active: webhook.active,
    coalesce_seconds: webhook.coalesceSeconds,
    failing_since: webhook.failingSince,
    off_reason: webhook.offReason,
    created_at: webhook.createdAt,
    version: webhook.version,
  }
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    projectId: row.project_id,
    url: row.url,
    events: JSON.parse(row.events),
    description: row.description,
    active: Boolean(row.active),
    coalesceSeconds: row.coalesce_seconds,
    failingSince: row.failing_since,
    offReason: row.off_reason,
    createdAt: row.created_at,
    version: row.version,
  }
}
