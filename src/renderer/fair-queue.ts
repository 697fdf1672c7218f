/** Waiting work of many owners, who take turns: a long queue of one delays no other by more than one piece. */
export interface FairQueue<Owner, Work> {
  push(owner: Owner, work: Work): void
  /** The oldest work of the owner whose turn it is among those that may go; null when there is none. */
  take(mayGo: (owner: Owner) => boolean): { readonly owner: Owner; readonly work: Work } | null
  /** The oldest work of an owner; null when there is none, or when another waits. */
  takeOfOnly(owner: Owner): Work | null
}

export function createFairQueue<Owner, Work>(): FairQueue<Owner, Work> {
  // In the order of turns: who was served goes to the end.
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
