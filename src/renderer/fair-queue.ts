/** A queue in which owners take turns, so that the long queue of one owner delays the others by one item at most. */
export interface FairQueue<Owner, Work> {
  push(owner: Owner, work: Work): void
  /** Takes the oldest work of the next owner that may go; null if there is none. */
  take(mayGo: (owner: Owner) => boolean): { readonly owner: Owner; readonly work: Work } | null
  /** Takes the oldest work of this owner; null if there is none, or if another owner waits. */
  takeOfOnly(owner: Owner): Work | null
}

export function createFairQueue<Owner, Work>(): FairQueue<Owner, Work> {
  // In the order of turns: an owner moves to the end after its turn.
  const waiting = new Map<Owner, Work[]>()

  return {
    push(owner, work) {
      const own = waiting.get(owner)
      if (own === undefined) waiting.set(owner, [work])
      else own.push(work)
    },

    take(mayGo) {
      for (const [owner, own] of waiting) {
        if (!mayGo(owner)) continue
        const work = own.shift() as Work
        waiting.delete(owner)
        if (own.length > 0) waiting.set(owner, own)
        return { owner, work }
      }
      return null
    },

    takeOfOnly(owner) {
      const own = waiting.get(owner)
      if (own === undefined || waiting.size > 1) return null
      const work = own.shift() as Work
      if (own.length === 0) waiting.delete(owner)
      return work
    },
  }
}
