import type { Database } from '../db/repositories.ts'
import { type DeliveryId, prefixed } from '../domain/ids.ts'
import { DELIVERY, type Job, SLOW_DELIVERY } from '../domain/job.ts'
import { afterTry, cancelledDelivery, type Sending, type TryOutcome } from '../domain/webhook.ts'
import type { JobKind, Postponement } from '../jobs/job-kind.ts'
import type { JobLease } from '../jobs/job-queue.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { openWebhookSecret } from '../secrets/webhook-secret.ts'
import type { Message, Received } from '../webhooks/send.ts'
import { signedHeaders } from '../webhooks/sign.ts'
import { type BatchedWrite, createWriteBatcher } from './write-batcher.ts'

/** Requests under way at once; a webhook that fails is tried in a lane of its own, where the others are too. */
const LANES: readonly (readonly [name: string, concurrency: number])[] = [
  [DELIVERY, 96],
  [SLOW_DELIVERY, 32],
]
/** Requests to one webhook under way at once. */
const PER_WEBHOOK = 8
/** Characters of an answer's body that are kept. */
const MAX_ANSWER_LENGTH = 2_000
/** Until the database can be written again. */
const RETRY_DELAY_MS = 5_000

export interface DeliveryPorts {
  readonly db: Database
  readonly masterKey: MasterKey
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** From 0 to 1. */
  readonly chance: () => number
  readonly send: (message: Message, stopping: AbortSignal) => Promise<Received>
  readonly log: {
    warn(fields: Readonly<Record<string, unknown>>, message: string): void
    info(fields: Readonly<Record<string, unknown>>, message: string): void
    debug(fields: Readonly<Record<string, unknown>>, message: string): void
  }
  /** Called with what became of each try. */
  readonly onTry: (outcome: 'delivered' | 'failed') => void
}

/**
 * Send what webhooks are to be told: a job is one delivery, its payload the id, its subject the webhook.
 * How often and when it is tried is written in the delivery; the job comes back until that has ended.
 */
export function createDeliveryJobs(ports: DeliveryPorts): readonly JobKind[] {
  const write = createWriteBatcher(ports.db)
  return LANES.map(([name, concurrency]) => ({
    name,
    concurrency,
    perSubject: PER_WEBHOOK,
    isForgotten: true,
    // However often the process dies over it: it was promised.
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
  const sending = await db.read.webhooks.sending(payload as DeliveryId)
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
  const outcome = await tryOnce(sending, ports, stopping)
  if (outcome === null) return null
  await note(sending, outcome, lease, ports)
  return 'ended'
}

/** Null when it was broken off, because the service stops. */
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

function outcomeOf({ status, answer, retryAfter, trouble }: Received, at: string, ms: number): TryOutcome {
  const arrived = status !== null && status >= 200 && status < 300
  return {
    at,
    ms,
    status,
    answer: answer.slice(0, MAX_ANSWER_LENGTH),
    error: arrived ? null : status === null ? trouble : `It answered ${status}.`,
    retryAfter: readRetryAfter(retryAfter, at),
  }
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null, now: string): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.parse(now)) / 1000))
}

/** What became of the try, and of the job with it: one transaction, so that it is noted once and tried once. */
async function note(
  { delivery }: Sending,
  outcome: TryOutcome,
  lease: JobLease,
  { write, chance, log, onTry }: RecordingPorts,
): Promise<void> {
  onTry(outcome.error === null ? 'delivered' : 'failed')
  const told = await write(async ({ webhooks, jobs }) => {
    // Others of the webhook may have arrived since the request began, or its owner have changed it.
    const present = await webhooks.sending(delivery.id)
    if (present === null) {
      await jobs.delete(lease)
      return null
    }
    const before = { ...present, delivery }
    const after = afterTry(before, outcome, chance())
    const isNoted = await webhooks.recordTry(before, after)
    // Its owner has it sent anew meanwhile: that is another job's.
    if (!isNoted || after.delivery.nextAt === null) await jobs.delete(lease)
    else await jobs.postpone(lease, after.delivery.nextAt, SLOW_DELIVERY)
    return isNoted ? { before, after } : null
  })
  if (told !== null) logTry(told.before, told.after, outcome, log)
}

/** An owner sees each try in the deliveries; whoever runs the service, when a webhook begins or ceases to be one that fails. */
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
  else if (delivery.state === 'failed') log.info(about, 'A delivery is given up.')
  else if (before.webhook.failingSince === null && webhook.failingSince !== null)
    log.info(about, 'A webhook begins to fail.')
  else log.debug(about, 'A delivery was tried.')
}
