/**
 * Memory that requests may hold at once: bodies being read, content in work, and answers that clients have not taken
 * yet. A request that does not fit is rejected: otherwise the process would run out of memory.
 */
export interface ByteBudget {
  /** @param subject whom the bytes count for: an account or an address. One subject cannot take the whole budget. */
  open(subject: string): Reservation
}

/** The bytes of one request. Opened with none. */
export interface Reservation {
  /** Reserved bytes. */
  bytes(): number
  /** Reserves this many bytes instead. False, with nothing changed, when they do not fit. Fewer bytes always fit. */
  resize(bytes: number): boolean
}

export interface ByteBudgetOptions {
  readonly total: number
  /** Largest part of the total that one subject may take. */
  readonly share: number
  /**
   * Uncounted bytes of a reservation, so that small requests are answered while the budget is exhausted. The number of
   * connections bounds them.
   */
  readonly free: number
}

export function createByteBudget({ total, share, free }: ByteBudgetOptions): ByteBudget {
  const bySubject = new Map<string, number>()
  const largest = total * share
  let taken = 0

  return {
    open(subject) {
      let reserved = 0
      return {
        bytes: () => reserved,
        resize(bytes) {
          const more = counted(bytes) - counted(reserved)
          const ofSubject = (bySubject.get(subject) ?? 0) + more
          if (more > 0 && (taken + more > total || ofSubject > largest)) return false
          taken += more
          reserved = bytes
          if (ofSubject === 0) bySubject.delete(subject)
          else bySubject.set(subject, ofSubject)
          return true
        },
      }
    },
  }

  function counted(bytes: number): number {
    return Math.max(0, bytes - free)
  }
}
