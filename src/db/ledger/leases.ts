import type { Knex } from 'knex'
import { type Lease, LeaseLost, type Ledger } from '../../publish/ledger.ts'
import type { EventPorts } from '../repositories.ts'
import type { SqliteConnections } from '../sqlite.ts'
import { scheduleRecheck } from './rechecks.ts'

/** One transaction of the project's leader. @throws {LeaseLost} when somebody else leads it now. */
export type Led = <T>(lease: Lease, work: (trx: Knex.Transaction) => Promise<T>) => Promise<T>

export interface LeasePorts {
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly newId: EventPorts['newId']
  /** Called when there is something to tell webhooks. */
  readonly onTold?: () => void
}

/** Who leads a project. */
export function createLeases(
  { writer, transact, reader }: SqliteConnections,
  { now, newId }: LeasePorts,
): Pick<Ledger, 'leaseOf' | 'takeLease' | 'beat' | 'giveBack'> & { readonly led: Led } {
  return {
    async leaseOf(projectId) {
      const row = await reader('project_leases').where({ project_id: projectId }).first()
      if (row === undefined) throw new Error(`The lease row of project ${projectId} is missing.`)
      return { holder: row.owner, fence: row.fence, beat: row.beat }
    },

    async takeLease(projectId, holder, seen) {
      const lease = { projectId, holder, fence: seen.fence + 1 }
      const take = async (db: Knex) => {
        const row = db('project_leases').where({ project_id: projectId, fence: seen.fence, beat: seen.beat })
        return (await row.update({ owner: holder, fence: lease.fence, beat: 0 })) > 0
      }
      if (seen.holder === null || seen.holder === holder) return (await take(writer)) ? lease : null
      return transact(async (trx) => {
        if (!(await take(trx))) return null
        await scheduleRecheck(trx, projectId, newId(), now())
        return lease
      })
    },

    async beat(lease) {
      const changed = await leaseRow(writer, lease).increment('beat', 1)
      if (Number(changed) === 0) throw new LeaseLost()
    },

    async giveBack(lease) {
      await leaseRow(writer, lease).update({ owner: null })
    },

    led: (lease, work) =>
      transact(async (trx) => {
        if ((await leaseRow(trx, lease).first()) === undefined) throw new LeaseLost()
        return work(trx)
      }),
  }
}

function leaseRow(db: Knex, { projectId, holder: owner, fence }: Lease) {
  return db('project_leases').where({ project_id: projectId, owner, fence })
}
