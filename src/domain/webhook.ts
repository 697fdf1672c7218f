import type { DeliveryId, EventId, ProjectId, WebhookId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** Types of events that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'page.published',
  'page.unpublished',
  'page.created',
  'page.updated',
  'page.deleted',
  'release.rolled_back',
  'project.pushed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The default subscription. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['page.published', 'page.unpublished']

/** The event of a test delivery, sent on request only. */
export const TEST_TYPE = 'webhook.test'
/** The type of a message with the events of a coalescing window. */
export const BATCH_TYPE = 'batch'

/** Events per batch; further events go into another one. */
export const MAX_BATCH = 100

/** An event with its wire data. */
export interface NewEvent {
  readonly type: EventType | typeof TEST_TYPE
  /** ISO 8601 UTC. */
  readonly timestamp: string
  readonly data: JsonObject
}

/** A URL that receives the events of a project. Its secret is stored separately. */
export interface Webhook {
  readonly id: WebhookId
  readonly projectId: ProjectId
  readonly url: string
  readonly events: readonly EventType[]
  readonly description: string
  /** False: nothing is sent. */
  readonly active: boolean
  /** Length of the coalescing window in seconds; 0 sends each event in a message of its own. */
  readonly coalesceSeconds: number
  /** Time of the first failed attempt after the last success; null when the last attempt succeeded. */
  readonly failingSince: string | null
  /** Why Quoin switched the webhook off; null when it did not. */
  readonly offReason: OffReason | null
  readonly createdAt: string
  /** Counts changes by the owner, from 1. */
  readonly version: number
}

/**
 * Reason why a webhook was switched off: a 410, failures of all attempts for five days, or too many pending deliveries.
 */
export type OffReason = 'gone' | 'failing' | 'overloaded'

/** Fields of a webhook that its owner sets. */
export type WebhookDraft = Pick<Webhook, 'url' | 'events' | 'description' | 'active' | 'coalesceSeconds'>

export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** One message to one webhook, with its attempts. */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  /** The same on every attempt, and for every webhook that receives the event. */
  readonly messageId: EventId
  readonly type: NewEvent['type'] | typeof BATCH_TYPE
  /** The exact request body: JSON. */
  readonly body: string
  readonly state: DeliveryState
  /** Attempts of the current round; a redelivery starts another. */
  readonly attempts: number
  /** Time of the next attempt; null when the delivery has ended. */
  readonly nextAt: string | null
  /** The last attempts, oldest first. */
  readonly tries: readonly Try[]
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** One request and its answer. */
export interface Try {
  /** ISO 8601 UTC. */
  readonly at: string
  /** Duration until the answer was read or the attempt was aborted. */
  readonly ms: number
  /** Status of the response; null when there was none. */
  readonly status: number | null
  /** The start of the response body. */
  readonly answer: string
  /** Why the attempt failed; null when it succeeded. */
  readonly error: string | null
}

/** Result of one attempt, with the receiver's `Retry-After`. */
export interface TryOutcome extends Try {
  /** Seconds from `Retry-After`; null when absent. */
  readonly retryAfter: number | null
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Delays between attempts, in milliseconds. */
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
/** A delay grows by up to this fraction, so that deliveries of one failure are not retried together. */
const JITTER = 0.1
/** Longest delay that a receiver can ask for. */
const MAX_PAUSE = DAY
/** A webhook is switched off after this long without a success. */
const FAILING_MS = 5 * DAY
const GONE = 410
const MAX_STORED_TRIES = 20

/** A delivery and its webhook. */
export interface Sending {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

/**
 * The delivery and its webhook after an attempt.
 *
 * @param chance random number from 0 to 1, for jitter.
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

/** The delay before the next attempt in milliseconds; null after the last attempt. */
function pauseAfter(attempts: number, retryAfter: number | null, chance: number): number | null {
  const pause = RETRY_PAUSES[attempts - 1]
  if (pause === undefined) return null
  const requested = Math.min((retryAfter ?? 0) * SECOND, MAX_PAUSE)
  return Math.round(Math.max(pause * (1 + JITTER * chance), requested))
}

/** The delivery after its webhook was switched off: it fails without a further attempt. */
export function cancelledDelivery(delivery: Delivery, now: string): Delivery {
  return { ...delivery, state: 'failed', nextAt: null, finishedAt: now }
}

/** The delivery at the start of a new round of attempts. */
export function redelivered(delivery: Delivery, now: string): Delivery {
  return { ...delivery, state: 'pending', attempts: 0, nextAt: now, finishedAt: null }
}
