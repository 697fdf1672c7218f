import type { Database } from '../../db/repositories.ts'
import { SERVICE } from '../../domain/audit.ts'
import { type DeliveryId, prefixed } from '../../domain/ids.ts'
import { DELIVERY, type Job, SLOW_DELIVERY } from '../../domain/job.ts'
import { withoutNul } from '../../domain/nul-characters.ts'
import {
  afterTry,
  BATCH_TYPE,
  cancelledDelivery,
  type Sending,
  type TryOutcome,
} from '../../domain/webhook.ts'
import type { JobKind, Postponement } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openWebhookSecret } from '../../secrets/webhook-secret.ts'
import type { Message, Reply } from '../../webhooks/send.ts'
import { signedHeaders } from '../../webhooks/sign.ts'
import { recordWebhook } from '../audit/record-webhook.ts'
import type { NewId } from '../new-id.ts'
import { type BatchedWrite, createWriteBatcher } from './write-batcher.ts'

/** Concurrent requests per lane. Failing webhooks share a lane of their own, so that they delay no other. */
const LANES: readonly (readonly [name: string, concurrency: number])[] = [
  [DELIVERY, 96],
  [SLOW_DELIVERY, 32],
]
/** Concurrent requests to one webhook. */
const PER_WEBHOOK = 8
/** Stored length of a receiver's answer, in characters. */
const MAX_ANSWER_LENGTH = 2_000
/** Delay after a run that could not write to the database. */
const RETRY_DELAY_MS = 5_000

export interface DeliveryPorts {
  readonly db: Database
  readonly masterKey: MasterKey
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Random number from 0 to 1, for jitter. */
  readonly chance: () => number
  readonly send: (message: Message, stopping: AbortSignal) => Promise<Reply>
  readonly log: {
    warn(fields: Readonly<Record<string, unknown>>, message: string): void
    info(fields: Readonly<Record<string, unknown>>, message: string): void
    debug(fields: Readonly<Record<string, unknown>>, message: string): void
  }
  /** Called with the result of each attempt. */
  readonly onTry: (outcome: 'delivered' | 'failed') => void
}

/**
 * Jobs that send webhook deliveries. A job is one delivery: its payload is the id and its subject the webhook.
 * The delivery holds the retry schedule; the job is postponed until the delivery ends.
 */
export function createDeliveryJobs(ports: DeliveryPorts): readonly JobKind[] {
  const write = createWriteBatcher(ports.db)
  return LANES.map(([name, concurrency]) => ({
    name,
    concurrency,
    perAccount: concurrency / 2,
    perSubject: PER_WEBHOOK,
    deleteWhenDone: true,
    // A delivery is never dropped because of crashes.
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: () => RETRY_DELAY_MS,
    run: (job, lease, stopping) => deliver(job, lease, { ...ports, write }, stopping),
    faultsOf: () => [],
  }))
}

interface RecordingPorts extends DeliveryPorts {
  readonly write: BatchedWrite
}

async function deliver(
  { kind, payload }: Job,
  lease: JobLease,
  ports: RecordingPorts,
  stopping: AbortSignal,
): Promise<readonly [] | Postponement | 'ended' | null> {
  const { db, now, write } = ports
  const sending = await db.read.webhooks.findSending(payload as DeliveryId)
  if (sending === null) return []
  const { webhook, delivery } = sending
  if (delivery.nextAt === null) return []
  if (!webhook.active) {
    await write(async ({ webhooks, jobs }) => {
      await webhooks.recordTry(sending, { webhook, delivery: cancelledDelivery(delivery, now()) })
      await jobs.delete(lease)
    })
    return 'ended'
  }
  if (delivery.nextAt > now()) return { dueAt: delivery.nextAt }
  const lane = webhook.failingSince === null ? DELIVERY : SLOW_DELIVERY
  if (lane === SLOW_DELIVERY && kind !== lane) return { dueAt: now(), kind: lane }
  // A process with a slow clock could add events to a batch in progress.
  const final =
    delivery.type === BATCH_TYPE ? await write((db) => db.webhooks.closeBatch(delivery.id)) : sending
  if (final === null) return []
  const outcome = await tryOnce(final, ports, stopping)
  if (outcome === null) return null
  await note(final, outcome, lease, ports)
  return 'ended'
}

/** One attempt. Null when it was aborted because the service stops. */
async function tryOnce(
  { webhook, delivery }: Sending,
  { db, masterKey, now, monotonic, send }: DeliveryPorts,
  stopping: AbortSignal,
): Promise<TryOutcome | null> {
  const at = now()
  const began = monotonic()
  const sealed = await db.read.webhooks.secrets(webhook.id, at)
  const secrets = sealed.map((one) => openWebhookSecret(masterKey, webhook.id, one))
  const headers = {
    ...signedHeaders(prefixed('evt', delivery.messageId), new Date(at), delivery.body, secrets),
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Quoin-Webhooks',
  }
  try {
    const received = await send({ url: new URL(webhook.url), headers, body: delivery.body }, stopping)
    return outcomeOf(received, at, Math.round(monotonic() - began))
  } catch (error) {
    if (stopping.aborted) return null
    throw error
  }
}

function outcomeOf(
  { status, answer, retryAfter, failure: trouble }: Reply,
  at: string,
  ms: number,
): TryOutcome {
  const arrived = status !== null && status >= 200 && status < 300
  return {
    at,
    ms,
    status,
    answer: withoutNul(answer.slice(0, MAX_ANSWER_LENGTH)),
    error: arrived ? null : status === null ? trouble : `The receiver answered ${status}.`,
    retryAfter: readRetryAfter(retryAfter, at),
  }
}

/** Reads `Retry-After`, which holds seconds or a date, as seconds. */
function readRetryAfter(text: string | null, now: string): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.parse(now)) / 1000))
}

/** Records the attempt and postpones or deletes its job in one transaction, so that each attempt counts once. */
async function note(
  { delivery }: Sending,
  outcome: TryOutcome,
  lease: JobLease,
  { write, newId, now, chance, log, onTry }: RecordingPorts,
): Promise<void> {
  onTry(outcome.error === null ? 'delivered' : 'failed')
  const recorded = await write(async (repositories) => {
    const { webhooks, jobs } = repositories
    // Other deliveries, or the owner, may have changed the webhook since the request began.
    const present = await webhooks.findSending(delivery.id)
    if (present === null) {
      await jobs.delete(lease)
      return null
    }
    const before = { ...present, delivery }
    const after = afterTry(before, outcome, chance())
    const isNoted = await webhooks.recordTry(before, after)
    // When the owner redelivered it meanwhile, a new job is responsible.
    if (!isNoted || after.delivery.nextAt === null) await jobs.delete(lease)
    else await jobs.postpone(lease, after.delivery.nextAt, SLOW_DELIVERY)
    if (isNoted && before.webhook.active && !after.webhook.active)
      await recordWebhook(repositories, { newId, now }, SERVICE, {
        act: 'webhook.disable',
        before: before.webhook,
        after: after.webhook,
      })
    return isNoted ? { before, after } : null
  })
  if (recorded !== null) logTry(recorded.before, recorded.after, outcome, log)
}

/** Logs when a webhook starts to fail or is switched off; owners see every attempt in the deliveries. */
function logTry(
  before: Sending,
  { webhook, delivery }: Sending,
  outcome: TryOutcome,
  log: DeliveryPorts['log'],
) {
  const about = {
    webhook: prefixed('whk', webhook.id),
    project: prefixed('proj', webhook.projectId),
    delivery: prefixed('dlv', delivery.id),
    status: outcome.status,
    error: outcome.error,
    ms: outcome.ms,
  }
  if (before.webhook.active && !webhook.active)
    log.warn({ ...about, reason: webhook.offReason }, 'A webhook was switched off.')
  else if (delivery.state === 'failed') log.info(about, 'A delivery failed permanently.')
  else if (before.webhook.failingSince === null && webhook.failingSince !== null)
    log.info(about, 'A webhook started to fail.')
  else log.debug(about, 'A delivery was attempted.')
}
