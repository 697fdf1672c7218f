import { setMaxListeners } from 'node:events'
import { projectPrefix } from '../../domain/storage-key.ts'
import type { CallOptions, Storage } from '../../storage/storage.ts'
import type { LateWrites } from '../ledger/late-writes.ts'
import { type Lease, LeaseLost, type Leases, type WrittenKeys } from '../ledger/leases.ts'

/** A lease is known to be held for this long after it was confirmed. Well below the time after which it is taken over. */
const CONFIRMED_FOR_MS = 2_500

/** Lease held by this process, to its knowledge. */
export interface HeldLease {
  readonly lease: Lease
  /** Aborted with `LeaseLost` once another holder was found to have taken the lease. */
  readonly signal: AbortSignal
  /** Keys written or deleted through `guard`. */
  readonly keys: WrittenKeys
  /** Schedules the checks of what was given up too. @throws {LeaseLost} when another holder has taken the lease. */
  renew(): Promise<void>
  /**
   * A storage that writes and deletes only while the lease is held, since a fence cannot stop a call to the store.
   * The lease is confirmed before a call when no other call is pending, which includes the first one and the first
   * one of each stage, and when the last confirmation is too old, as after a pause of this process. Calls wait for
   * their turn before that.
   *
   * A call that succeeded after an attempt was given up resolves once a check of its keys is scheduled, so that no crash
   * forgets it. Those of a call that failed are scheduled with the next renewal, or when the lease is given back.
   */
  guard(storage: Storage): Storage
}

export interface HeldLeasePorts {
  readonly leases: Leases
  readonly lateWrites: Pick<LateWrites, 'note'>
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Adds turns, in which the projects of all accounts write to the store. Absent: writes do not wait. */
  readonly inTurn?: (storage: Storage) => Storage
}

/** @param givenUp keys of writes given up under an earlier lease of this holder and not noted yet. */
export function createHeldLease(
  lease: Lease,
  givenUp: Set<string>,
  { leases, lateWrites, monotonic, inTurn }: HeldLeasePorts,
): HeldLease {
  const lost = new AbortController()
  // Each pending call may listen to it: Node warns of a leak above ten.
  setMaxListeners(0, lost.signal)
  const written = new Set<string>()
  const prefix = projectPrefix(lease.projectId)
  let confirmedAt = monotonic()
  let confirming: Promise<void> | null = null
  let noting: Promise<void> | null = null
  let pending = 0

  return {
    lease,
    signal: lost.signal,
    keys: { written, givenUp },

    async renew() {
      await confirmBy(() => leases.renew(lease))
      // Of calls that failed.
      if (givenUp.size > 0) await note()
    },

    guard(storage) {
      const guarded: Storage = {
        ...storage,
        put: (object, options) => whileHeld([object.key], options, (given) => storage.put(object, given)),
        delete: (keys, options) => whileHeld(keys, options, (given) => storage.delete(keys, given)),
      }
      return inTurn?.(guarded) ?? guarded
    },
  }

  async function whileHeld(
    keys: readonly string[],
    options: CallOptions = { signal: lost.signal },
    call: (options: CallOptions) => Promise<void>,
  ): Promise<void> {
    for (let isConfirmed = pending > 0; !isConfirmed || isStale(); isConfirmed = true) await confirm()
    lost.signal.throwIfAborted()
    const own = keys.map((key) => key.slice(prefix.length))
    for (const key of own) written.add(key)
    let isGivenUp = false
    const onGivenUp = () => {
      isGivenUp = true
      for (const key of own) givenUp.add(key)
    }
    pending += 1
    try {
      await call({ ...options, onGivenUp })
    } finally {
      pending -= 1
    }
    if (!isGivenUp) return
    await noting
    while (own.some((key) => givenUp.has(key))) await note()
  }

  /** Concurrent calls share one transaction. */
  function note(): Promise<void> {
    noting ??= noteAll().finally(() => (noting = null))
    return noting
  }

  async function noteAll(): Promise<void> {
    const keys = [...givenUp]
    givenUp.clear()
    try {
      await lateWrites.note(lease.projectId, keys)
    } catch (error) {
      for (const key of keys) givenUp.add(key)
      throw error
    }
  }

  function isStale(): boolean {
    return monotonic() - confirmedAt > CONFIRMED_FOR_MS
  }

  /** Concurrent calls share one query. */
  function confirm(): Promise<void> {
    confirming ??= confirmBy(assertHeld).finally(() => (confirming = null))
    return confirming
  }

  async function assertHeld(): Promise<void> {
    const { holder, fence } = await leases.find(lease.projectId)
    if (holder !== lease.holder || fence !== lease.fence) throw new LeaseLost()
  }

  async function confirmBy(check: () => Promise<void>): Promise<void> {
    const startedAt = monotonic()
    try {
      await check()
      confirmedAt = Math.max(confirmedAt, startedAt)
    } catch (error) {
      if (error instanceof LeaseLost) lost.abort(error)
      throw error
    }
  }
}
