import type { DeliveryId, EventId, ProjectId, WebhookId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** What a webhook may be told of. */
export const EVENT_TYPES = [
  'page.published',
  'page.unpublished',
  'page.created',
  'page.updated',
  'page.deleted',
  'release.rolled_back',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** What it is told of unless it asks for others. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['page.published', 'page.unpublished']

/** Sent on request only, to see whether it arrives. */
export const TEST_TYPE = 'webhook.test'
/** Holds the events of a coalescing window. */
export const BATCH_TYPE = 'batch'

/** Events that one message of a coalescing window holds; what comes then goes into another. */
export const MAX_BATCH = 100

/** What happened, in the words that receivers read. */
export interface NewEvent {
  readonly type: EventType | typeof TEST_TYPE
  /** ISO 8601 UTC. */
  readonly timestamp: string
  readonly data: JsonObject
}

/** An address that is told of what happens in a project. Its secret is kept apart. */
export interface Webhook {
  readonly id: WebhookId
  readonly projectId: ProjectId
  readonly url: string
  readonly events: readonly EventType[]
  readonly description: string
  /** Nothing is sent to one that is not. */
  readonly active: boolean
  /** Events of so many seconds are sent together; 0 sends each alone. */
  readonly coalesceSeconds: number
  /** When the first of the tries failed that have all failed since; null when the last one arrived. */
  readonly failingSince: string | null
  /** Why Quoin switched it off; null when it did not. */
  readonly offReason: OffReason | null
  readonly createdAt: string
  /** Counts the changes by its owner, from 1. */
  readonly version: number
}

/** It answered 410, or with nothing but failures for five days, or more was waiting for it than is kept. */
export type OffReason = 'gone' | 'failing' | 'swamped'

/** What is decided about a webhook by its owner. */
export type WebhookDraft = Pick<Webhook, 'url' | 'events' | 'description' | 'active' | 'coalesceSeconds'>

export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** One message to one webhook, and what came of it. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  /** The same on every try, and for every webhook that is told of the same event. */
  readonly messageId: EventId
  readonly type: NewEvent['type'] | typeof BATCH_TYPE
  /** Exactly what is sent: JSON. */
  readonly body: string
  readonly state: DeliveryState
  /** Tries of its present round; a redelivery begins another. */
  readonly attempts: number
  /** When it is tried next; null once it has ended. */
  readonly nextAt: string | null
  /** Oldest first; of many the last ones. */
  readonly tries: readonly Try[]
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** One request and its answer. */
export interface Try {
  /** ISO 8601 UTC. */
  readonly at: string
  /** Until the answer was read, or the try was given up. */
  readonly ms: number
  /** Null when there was no answer. */
  readonly status: number | null
  /** The beginning of the answer's body. */
  readonly answer: string
  /** Why it did not arrive; null when it did. */
  readonly error: string | null
}

/** What became of one try, with what the receiver asked for. */
export interface TryOutcome extends Try {
  /** Seconds it wants to be left alone for; null when it did not say. */
  readonly retryAfter: number | null
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pauses between tries, in milliseconds. */
export const RETRY_PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** A pause is longer by up to this part of it, so that what failed together does not come again together. */
const JITTER = 0.1
/** No receiver may put a try off for longer. */
const MAX_PAUSE = DAY
/** Nothing but failures for so long switches a webhook off. */
const FAILING_MS = 5 * DAY
const GONE = 410
const MAX_STORED_TRIES = 20

/** A delivery and its webhook. */
export interface Sending {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

/**
 * Both as they are after a try.
 *
 * @param chance from 0 to 1: how much longer than it must be the pause is.
 */
export function afterTry({ delivery, webhook }: Sending, outcome: TryOutcome, chance: number): Sending {
  const { retryAfter, ...one } = outcome
  const now = new Date(Date.parse(one.at) + one.ms).toISOString()
  const attempts = delivery.attempts + 1
  const tried = { ...delivery, attempts, tries: [...delivery.tries, one].slice(-MAX_STORED_TRIES) }
  if (one.error === null) {
    return {
      delivery: { ...tried, state: 'delivered', nextAt: null, finishedAt: now },
      webhook: { ...webhook, failingSince: null },
    }
  }
  const failingSince = webhook.failingSince ?? one.at
  const offReason = reasonToStop(one, failingSince)
  const pause = offReason === null ? pauseAfter(attempts, retryAfter, chance) : null
  return {
    delivery:
      pause === null
        ? { ...tried, state: 'failed', nextAt: null, finishedAt: now }
        : { ...tried, nextAt: new Date(Date.parse(now) + pause).toISOString() },
    webhook: { ...webhook, failingSince, ...(offReason !== null && { active: false, offReason }) },
  }
}

function reasonToStop({ status, at }: Try, failingSince: string): OffReason | null {
  if (status === GONE) return 'gone'
  return Date.parse(at) - Date.parse(failingSince) >= FAILING_MS ? 'failing' : null
}

/** Null when it was tried often enough. */
function pauseAfter(attempts: number, retryAfter: number | null, chance: number): number | null {
  const pause = RETRY_PAUSES[attempts - 1]
  if (pause === undefined) return null
  const asked = Math.min((retryAfter ?? 0) * SECOND, MAX_PAUSE)
  return Math.round(Math.max(pause * (1 + JITTER * chance), asked))
}

/** The delivery once its webhook is off: it is not sent any more. */
export function cancelledDelivery(delivery: Delivery, now: string): Delivery {
  return { ...delivery, state: 'failed', nextAt: null, finishedAt: now }
}

/** The delivery about to be sent again, from the beginning of the schedule. */
export function redelivered(delivery: Delivery, now: string): Delivery {
  return { ...delivery, state: 'pending', attempts: 0, nextAt: now, finishedAt: null }
}
