import type { ProjectId, UserId } from '../domain/ids.ts'

/** Whose work it is. */
export interface Owner {
  /** The account that has the project; the project itself when it belongs to no account any more. */
  readonly account: UserId | ProjectId
  /** The account itself for work that is not of one project. */
  readonly project: ProjectId | UserId
}

/** The account of a project, which never changes. */
export type AccountOf = (project: ProjectId) => Promise<Owner['account']>

/**
 * A queue in which accounts take turns, and projects of one account take turns within the turns of the account. So
 * the long queue of one account delays each other account by one item at most, in however many projects it waits.
 */
export interface FairQueue<Work> {
  /** @param urgent puts the work before the other work of its account, which takes no turns of others. */
  push(owner: Owner, work: Work, urgent?: boolean): void
  /** Takes the oldest work of the next owner that may go; null if there is none. */
  take(mayGo: (owner: Owner) => boolean): { readonly owner: Owner; readonly work: Work } | null
  /** Takes the oldest work of this owner; null if there is none, or if another owner waits. */
  takeOfOnly(owner: Owner): Work | null
}

/** Work by project, in the order of turns: a project moves to the end after its turn. */
type Turns<Work> = Map<Owner['project'], Work[]>

interface Waiting<Work> {
  readonly urgent: Turns<Work>
  readonly others: Turns<Work>
}

export function createFairQueue<Work>(): FairQueue<Work> {
  // In the order of turns, as well.
  const accounts = new Map<Owner['account'], Waiting<Work>>()

  return {
    push({ account, project }, work, urgent = false) {
      const waiting = accounts.get(account) ?? { urgent: new Map(), others: new Map() }
      accounts.set(account, waiting)
      const turns = urgent ? waiting.urgent : waiting.others
      const own = turns.get(project)
      if (own === undefined) turns.set(project, [work])
      else own.push(work)
    },

    take(mayGo) {
      for (const [account, { urgent, others }] of accounts) {
        for (const turns of [urgent, others]) {
          for (const project of turns.keys()) {
            const owner = { account, project }
            if (mayGo(owner)) return { owner, work: taken(owner, turns) }
          }
        }
      }
      return null
    },

    takeOfOnly(owner) {
      const waiting = accounts.get(owner.account)
      if (waiting === undefined || accounts.size > 1) return null
      const { urgent, others } = waiting
      if ([...urgent.keys(), ...others.keys()].some((project) => project !== owner.project)) return null
      return taken(owner, urgent.size > 0 ? urgent : others)
    },
  }

  /** Takes the oldest work of a project that has some, and ends the turn of the project and of its account. */
  function taken({ account, project }: Owner, turns: Turns<Work>): Work {
    const own = turns.get(project) as Work[]
    const work = own.shift() as Work
    turns.delete(project)
    if (own.length > 0) turns.set(project, own)
    const waiting = accounts.get(account) as Waiting<Work>
    accounts.delete(account)
    if (waiting.urgent.size + waiting.others.size > 0) accounts.set(account, waiting)
    return work
  }
}
