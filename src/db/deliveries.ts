import type { Knex } from 'knex'
import type { DeliveryId, EventId, ProjectId, WebhookId } from '../domain/ids.ts'
import { prefixed } from '../domain/ids.ts'
import { DELIVERY, type NewJob } from '../domain/job.ts'
import {
  BATCH_TYPE,
  type Delivery,
  type DeliveryState,
  type EventType,
  MAX_BATCH,
  type NewEvent,
  type Webhook,
} from '../domain/webhook.ts'
import { createJobQueue } from './jobs.ts'
import { inChunks } from './ledger/objects.ts'
import type { EventPorts } from './repositories/webhooks.ts'

/* Webhook deliveries, each with the job that sends it. Call these functions inside the transaction of the event. */

export interface DeliveryRow {
  readonly id: DeliveryId
  readonly webhook_id: WebhookId
  readonly project_id: ProjectId
  readonly message_id: EventId
  readonly type: Delivery['type']
  readonly body: string
  readonly events: number
  readonly closed: boolean | number
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_at: string | null
  readonly tries: string
  readonly created_at: string
  readonly finished_at: string | null
}

type Subscriber = Pick<Webhook, 'id' | 'projectId' | 'coalesceSeconds'> & {
  readonly events: readonly EventType[]
}

/** An event with the id that all webhooks receive. */
interface IdentifiedEvent {
  readonly id: EventId
  readonly event: NewEvent
}

/** Implements `WebhookRepository.enqueueEvents`. True when deliveries were enqueued. */
export async function enqueueEvents(
  trx: Knex,
  projectId: ProjectId,
  events: readonly NewEvent[],
  ports: EventPorts,
): Promise<boolean> {
  if (events.length === 0) return false
  const subscribers = await subscribersOf(trx, projectId)
  if (subscribers.length === 0) return false
  const identified = events.map((event): IdentifiedEvent => ({ id: ports.newId<'evt'>(), event }))
  const deliveries: Delivery[] = []
  for (const subscriber of subscribers) {
    const subscribed = identified.filter(({ event }) => subscriber.events.some((type) => type === event.type))
    deliveries.push(
      ...(subscriber.coalesceSeconds === 0
        ? subscribed.map(({ id, event }) => singleDelivery(subscriber.id, event, id, ports))
        : await coalesced(trx, subscriber, subscribed, ports)),
    )
  }
  const rows = deliveries.map((delivery) => toDeliveryRow(delivery, projectId, eventsIn(delivery)))
  await inChunks(rows, (chunk) => trx('deliveries').insert(chunk))
  await createJobQueue(trx).enqueueAll(deliveries.map((delivery) => jobOf(delivery, projectId, ports)))
  return deliveries.length > 0
}

async function subscribersOf(trx: Knex, projectId: ProjectId): Promise<readonly Subscriber[]> {
  const rows = await trx('webhooks')
    .where({ project_id: projectId, active: true })
    .orderBy(['created_at', 'id'])
    .select('id', 'events', 'coalesce_seconds')
  return rows.map(({ id, events, coalesce_seconds }) => ({
    id,
    projectId,
    events: JSON.parse(events),
    coalesceSeconds: coalesce_seconds,
  }))
}

/** Adds the events to the pending batch whose window is open; events that do not fit go into new batches. */
async function coalesced(
  trx: Knex,
  subscriber: Subscriber,
  events: readonly IdentifiedEvent[],
  ports: EventPorts,
): Promise<readonly Delivery[]> {
  const open = await trx<DeliveryRow>('deliveries')
    .where({ webhook_id: subscriber.id, state: 'pending', type: BATCH_TYPE, attempts: 0, closed: false })
    .where('next_at', '>', ports.now)
    .where('events', '<', MAX_BATCH)
    .orderBy('created_at', 'desc')
    .first()
  const room = open === undefined ? 0 : MAX_BATCH - open.events
  const added = events.slice(0, room)
  if (open !== undefined && added.length > 0) {
    const body: Batch = JSON.parse(open.body)
    const all = [...body.data.events, ...added.map(inBatch)]
    await trx('deliveries')
      .where({ id: open.id })
      .update({
        body: JSON.stringify({ ...body, data: { ...body.data, events: all } }),
        events: all.length,
      })
  }
  const fresh: Delivery[] = []
  for (let start = room; start < events.length; start += MAX_BATCH)
    fresh.push(batchDelivery(subscriber, events.slice(start, start + MAX_BATCH), ports))
  return fresh
}

interface Batch {
  readonly type: typeof BATCH_TYPE
  readonly timestamp: string
  readonly data: { readonly project_id: string; readonly events: readonly object[] }
}

function batchDelivery(
  subscriber: Subscriber,
  events: readonly IdentifiedEvent[],
  ports: EventPorts,
): Delivery {
  const project_id = prefixed('proj', subscriber.projectId)
  const batch: Batch = {
    type: BATCH_TYPE,
    timestamp: ports.now,
    data: { project_id, events: events.map(inBatch) },
  }
  const closes = new Date(Date.parse(ports.now) + subscriber.coalesceSeconds * 1000).toISOString()
  return newDelivery(subscriber.id, BATCH_TYPE, JSON.stringify(batch), ports.newId(), closes, ports)
}

function inBatch({ id, event: { type, timestamp, data } }: IdentifiedEvent) {
  return { id: prefixed('evt', id), type, timestamp, data }
}

function eventsIn({ type, body }: Delivery): number {
  return type === BATCH_TYPE ? (JSON.parse(body) as Batch).data.events.length : 1
}

/** A delivery of one event. */
export function singleDelivery(
  webhookId: WebhookId,
  { type, timestamp, data }: NewEvent,
  messageId: EventId,
  ports: EventPorts,
): Delivery {
  return newDelivery(webhookId, type, JSON.stringify({ type, timestamp, data }), messageId, ports.now, ports)
}

function newDelivery(
  webhookId: WebhookId,
  type: Delivery['type'],
  body: string,
  messageId: EventId,
  nextAt: string,
  { newId, now }: EventPorts,
): Delivery {
  return {
    id: newId<'dlv'>(),
    webhookId,
    messageId,
    type,
    body,
    state: 'pending',
    attempts: 0,
    nextAt,
    tries: [],
    createdAt: now,
    finishedAt: null,
  }
}

/** Enqueues the job that sends the delivery when it is due. */
export async function enqueueDelivery(
  trx: Knex,
  { projectId }: Pick<Webhook, 'projectId'>,
  delivery: Delivery,
  ports: EventPorts,
): Promise<void> {
  await createJobQueue(trx).enqueue(jobOf(delivery, projectId, ports))
}

function jobOf({ id, webhookId, nextAt }: Delivery, projectId: ProjectId, ports: EventPorts): NewJob {
  return {
    id: ports.newId<'job'>(),
    projectId,
    kind: DELIVERY,
    subject: webhookId,
    payload: id,
    total: 1,
    dueAt: nextAt ?? ports.now,
    createdAt: ports.now,
  }
}

export function toDeliveryRow(delivery: Delivery, projectId: ProjectId, events: number): DeliveryRow {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    project_id: projectId,
    message_id: delivery.messageId,
    type: delivery.type,
    body: delivery.body,
    events,
    closed: false,
    state: delivery.state,
    attempts: delivery.attempts,
    next_at: delivery.nextAt,
    tries: JSON.stringify(delivery.tries),
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
  }
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    messageId: row.message_id,
    type: row.type,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    tries: JSON.parse(row.tries),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
