import type { Knex } from 'knex'
import { type Lease, LeaseLost, type Leases } from '../../publish/ledger/leases.ts'
import type { Connections } from '../connections.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { scheduleLateWritesCheck, scheduleTakeOverCheck } from './late-writes.ts'

export interface LedgerPorts {
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly newId: EventPorts['newId']
  /** Called after webhook deliveries were enqueued. */
  readonly onDeliveries?: () => void
  /** Called after purges of the CDN were recorded; null without a CDN. */
  readonly onCachePurge?: (() => void) | null
}

/** Runs work in one transaction under the lease. @throws {LeaseLost} when another holder has it. */
export type LeaseTransaction = <T>(lease: Lease, work: (trx: Knex.Transaction) => Promise<T>) => Promise<T>

export function leaseTransactions({ transact }: Pick<Connections, 'transact'>): LeaseTransaction {
  return (lease, work) =>
    transact(async (trx) => {
      if ((await leaseRow(trx, lease).first()) === undefined) throw new LeaseLost()
      return work(trx)
    })
}

export function createLeases(
  { transact, reader }: Pick<Connections, 'transact' | 'reader'>,
  { now, newId }: LedgerPorts,
): Leases {
  return {
    async find(projectId) {
      const row = await reader('project_leases').where({ project_id: projectId }).first()
      if (row === undefined) throw new Error(`The lease row of project ${projectId} is missing.`)
      return { holder: row.owner, fence: row.fence, beat: row.beat }
    },

    async take(projectId, holder, { holder: previous, fence, beat }) {
      const lease = { projectId, holder, fence: fence + 1 }
      const takeRow = async (db: Knex) => {
        const row = db('project_leases').where({ project_id: projectId, fence, beat })
        return (await row.update({ owner: holder, fence: lease.fence, beat: 0 })) > 0
      }
      const isTakeOver = previous !== null && previous !== holder
      return transact(async (trx) => {
        if (!(await takeRow(trx))) return null
        if (isTakeOver) await scheduleTakeOverCheck(trx, projectId, { newId, now: now() })
        return lease
      })
    },

    async renew(lease) {
      const changed = await transact((trx) => leaseRow(trx, lease).increment('beat', 1))
      if (Number(changed) === 0) throw new LeaseLost()
    },

    async giveBack(lease, { written, givenUp }) {
      await transact(async (trx) => {
        const isHeld = (await leaseRow(trx, lease).update({ owner: null })) > 0
        const keys = isHeld ? [...givenUp] : [...written, ...givenUp]
        await scheduleLateWritesCheck(trx, lease.projectId, keys, { newId, now: now() })
      })
    },
  }
}

function leaseRow(db: Knex, { projectId, holder, fence }: Lease) {
  return db('project_leases').where({ project_id: projectId, owner: holder, fence })
}
