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
import type { EventPorts } from './repositories.ts'

/* Messages to webhooks, each with the job that sends it, in the transaction of what they tell of. */

export interface DeliveryRow {
  readonly id: DeliveryId
  readonly webhook_id: WebhookId
  readonly project_id: ProjectId
  readonly message_id: EventId
  readonly type: Delivery['type']
  readonly body: string
  readonly events: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_at: string | null
  readonly tries: string
  readonly created_at: string
  readonly finished_at: string | null
}

type Listener = Pick<Webhook, 'id' | 'projectId' | 'coalesceSeconds'> & {
  readonly events: readonly EventType[]
}

/** An event with the id that every webhook sees. */
interface ToldEvent {
  readonly id: EventId
  readonly event: NewEvent
}

/** As `WebhookRepository.announce`. True when there is somebody to be told. */
export async function enqueueEvents(
  trx: Knex,
  projectId: ProjectId,
  events: readonly NewEvent[],
  made: EventPorts,
): Promise<boolean> {
  if (events.length === 0) return false
  const listeners = await listenersOf(trx, projectId)
  if (listeners.length === 0) return false
  const told = events.map((event): ToldEvent => ({ id: made.newId<'evt'>(), event }))
  const deliveries: Delivery[] = []
  for (const listener of listeners) {
    const heard = told.filter(({ event }) => listener.events.some((type) => type === event.type))
    deliveries.push(
      ...(listener.coalesceSeconds === 0
        ? heard.map(({ id, event }) => singleDelivery(listener.id, event, id, made))
        : await coalesced(trx, listener, heard, made)),
    )
  }
  const rows = deliveries.map((delivery) => toDeliveryRow(delivery, projectId, eventsIn(delivery)))
  await inChunks(rows, (chunk) => trx('deliveries').insert(chunk))
  await createJobQueue(trx).enqueueAll(deliveries.map((delivery) => jobOf(delivery, projectId, made)))
  return deliveries.length > 0
}

async function listenersOf(trx: Knex, projectId: ProjectId): Promise<readonly Listener[]> {
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

/** Adds the events to the message whose window is open; what does not fit goes into new ones. */
async function coalesced(
  trx: Knex,
  listener: Listener,
  told: readonly ToldEvent[],
  made: EventPorts,
): Promise<readonly Delivery[]> {
  const open = await trx<DeliveryRow>('deliveries')
    .where({ webhook_id: listener.id, state: 'pending', type: BATCH_TYPE, attempts: 0 })
    .where('next_at', '>', made.now)
    .where('events', '<', MAX_BATCH)
    .orderBy('created_at', 'desc')
    .first()
  const room = open === undefined ? 0 : MAX_BATCH - open.events
  const added = told.slice(0, room)
  if (open !== undefined && added.length > 0) {
    const body: Batch = JSON.parse(open.body)
    const events = [...body.data.events, ...added.map(inBatch)]
    await trx('deliveries')
      .where({ id: open.id })
      .update({
        body: JSON.stringify({ ...body, data: { ...body.data, events } }),
        events: events.length,
      })
  }
  const fresh: Delivery[] = []
  for (let start = room; start < told.length; start += MAX_BATCH)
    fresh.push(batchDelivery(listener, told.slice(start, start + MAX_BATCH), made))
  return fresh
}

interface Batch {
  readonly type: typeof BATCH_TYPE
  readonly timestamp: string
  readonly data: { readonly project_id: string; readonly events: readonly object[] }
}

function batchDelivery(listener: Listener, told: readonly ToldEvent[], made: EventPorts): Delivery {
  const project_id = prefixed('proj', listener.projectId)
  const batch: Batch = {
    type: BATCH_TYPE,
    timestamp: made.now,
    data: { project_id, events: told.map(inBatch) },
  }
  const closes = new Date(Date.parse(made.now) + listener.coalesceSeconds * 1000).toISOString()
  return newDelivery(listener.id, BATCH_TYPE, JSON.stringify(batch), made.newId(), closes, made)
}

function inBatch({ id, event: { type, timestamp, data } }: ToldEvent) {
  return { id: prefixed('evt', id), type, timestamp, data }
}

function eventsIn({ type, body }: Delivery): number {
  return type === BATCH_TYPE ? (JSON.parse(body) as Batch).data.events.length : 1
}

/** A message about one event. */
export function singleDelivery(
  webhookId: WebhookId,
  { type, timestamp, data }: NewEvent,
  messageId: EventId,
  made: EventPorts,
): Delivery {
  return newDelivery(webhookId, type, JSON.stringify({ type, timestamp, data }), messageId, made.now, made)
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

/** Have it sent when it is due. */
export async function enqueueDelivery(
  trx: Knex,
  { projectId }: Pick<Webhook, 'projectId'>,
  delivery: Delivery,
  made: EventPorts,
): Promise<void> {
  await createJobQueue(trx).enqueue(jobOf(delivery, projectId, made))
}

function jobOf({ id, webhookId, nextAt }: Delivery, projectId: ProjectId, made: EventPorts): NewJob {
  return {
    id: made.newId<'job'>(),
    projectId,
    kind: DELIVERY,
    subject: webhookId,
    payload: id,
    total: 1,
    dueAt: nextAt ?? made.now,
    createdAt: made.now,
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
