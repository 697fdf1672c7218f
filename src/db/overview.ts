import type { Knex } from 'knex'
import type { OverviewRepository } from './repositories/overview.ts'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createOverviewRepository(db: Knex): OverviewRepository {
  return {
    async read(since) {
      const statuses = await db('projects')
        .whereNull('deleted_at')
        .groupBy('status')
        .select('status', { count: db.raw('count(*)') })
      const projects = (status: string): number =>
        Number(statuses.find((row) => row.status === status)?.count ?? 0)
      const problems = await db('mails')
        .whereNotNull('problem')
        .where('ended_at', '>', since)
        .groupBy('problem')
        .select('problem', { count: db.raw('count(*)') })
      const mailsByProblem: Readonly<Record<string, number>> = Object.fromEntries(
        problems.map((row) => [String(row.problem), Number(row.count)]),
      )
      return {
        projects: {
          active: projects('active'),
          archived: projects('archived'),
          suspended: projects('suspended'),
        },
        pages: {
          total: await count(db('pages')),
          live: await count(db('live_pages')),
        },
        releases: {
          waiting: await count(db('releases').whereIn('state', ['queued', 'claimed'])),
          reverting: await count(db('releases').where({ state: 'reverting' })),
        },
        webhooks: {
          active: await count(db('webhooks').where({ active: true })),
          off: await count(db('webhooks').whereNotNull('off_reason')),
          failing: await count(db('webhooks').where({ active: true }).whereNotNull('failing_since')),
        },
        failures: {
          jobs: await count(db('jobs').where({ state: 'failed' }).where('finished_at', '>', since)),
          deliveries: await count(
            db('deliveries').where({ state: 'failed' }).where('finished_at', '>', since),
          ),
          mails: Object.values(mailsByProblem).reduce((sum, each) => sum + each, 0),
        },
        mails: { waiting: await count(db('mails').whereNotNull('due_at')), problems: mailsByProblem },
      }
    },
  }
}

async function count(rows: Knex.QueryBuilder): Promise<number> {
  const counted = await rows.count({ total: '*' }).first()
  return Number(counted?.['total'])
}
