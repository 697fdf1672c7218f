import { createHash } from 'node:crypto'
import type { Repositories } from '../../db/repositories.ts'
import { type RefusalReason, SERVICE } from '../../domain/audit.ts'
import { type AuditId, ID_ALPHABET, ID_LENGTH, type UserId } from '../../domain/ids.ts'
import type { ServiceContext } from '../context.ts'

/** Rejections within this time are one row of the audit log, for each account, address and reason. */
const PERIOD_MS = 10 * 60 * 1000
/** Rows of an account in a period. Further addresses share rows without an address. */
const MAX_ROWS = 20
/** Rows that wait to be stored. Sign-ins write to the database themselves, so more do not wait unless it is away. */
const MAX_WAITING = 1_000

/** A rejected sign-in of an existing user. */
export interface SignInRefusal {
  readonly userId: UserId
  /** The address that rate limits count. */
  readonly address: string
  readonly reason: RefusalReason
}

export interface SignInRefusals {
  /** Never waits, so that the answer takes as long for an account as for an unknown address. */
  record(refusal: SignInRefusal): void
  /** Resolves when all rejections are stored. */
  idle(): Promise<void>
}

export interface SignInRefusalPorts extends Pick<ServiceContext, 'db' | 'now'> {
  /** Called when rejections could not be stored. They are in no row then. */
  readonly onFailure: (error: unknown) => void
}

interface Waiting extends SignInRefusal {
  readonly at: string
  count: number
}

/** Records rejected sign-ins in the audit log. New ones are counted together while others are stored. */
export function createSignInRefusals({ db, now, onFailure }: SignInRefusalPorts): SignInRefusals {
  let waiting = new Map<AuditId, Waiting>()
  let running: Promise<void> | null = null

  return {
    record(refusal) {
      const at = now()
      const id = rowId(refusal, at)
      const known = waiting.get(id)
      if (known !== undefined) known.count += 1
      else if (waiting.size < MAX_WAITING) waiting.set(id, { ...refusal, at, count: 1 })
      else onFailure(new Error('Too many refused sign-ins wait to be recorded.'))
      running ??= work()
    },

    async idle() {
      await running
    },
  }

  async function work(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()]
      waiting = new Map()
      for (const one of batch) await db.write((repositories) => store(repositories, one)).catch(onFailure)
    }
    // Right after the last look: a rejection that comes in between would wait for the next one.
    running = null
  }
}

async function store(
  { audit, users }: Pick<Repositories, 'audit' | 'users'>,
  refusal: Waiting,
): Promise<void> {
  const { userId, at, reason, count } = refusal
  // Nothing names the address of a person after the deletion of the account.
  if ((await users.find(userId)) === null) return
  const id = rowId(refusal, at)
  if (await audit.addRefusals(id, count)) return
  const isFull = (await audit.countRefusals(userId, periodStart(at))) >= MAX_ROWS
  const address = isFull ? null : refusal.address
  await audit.insertRefusals({
    id: isFull ? rowId({ ...refusal, address: '' }, at) : id,
    createdAt: at,
    of: { userId },
    act: 'session.refuse',
    target: userId,
    actor: address === null ? SERVICE : { ...SERVICE, clientAddress: address },
    reason,
    count,
  })
}

/** Derives the same id in all processes, so that they count in one row. */
function rowId({ userId, address, reason }: SignInRefusal, at: string): AuditId {
  const text = JSON.stringify([userId, address, reason, periodStart(at)])
  const digest = createHash('sha256').update(text).digest().subarray(0, ID_LENGTH)
  return [...digest].map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('') as AuditId
}

function periodStart(at: string): string {
  return new Date(Math.floor(Date.parse(at) / PERIOD_MS) * PERIOD_MS).toISOString()
}
