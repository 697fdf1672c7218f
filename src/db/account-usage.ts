import type { Knex } from 'knex'
import type { AccountLimits } from '../domain/account-limits.ts'
import type { Plan } from '../domain/caller.ts'
import type { ProjectId, UserId } from '../domain/ids.ts'
import { rowsOf } from './dialect.ts'
import type { Account, AccountRepository } from './repositories/accounts.ts'

/** One statement, because every write of content reads it. */
const ACCOUNT = `SELECT users.id AS user_id, users.limits,
  (SELECT count(*) FROM projects WHERE user_id = users.id AND deleted_at IS NULL) AS projects,
  coalesce(max(project_usage.pages), 0) AS pages,
  coalesce(sum(project_usage.draft_bytes), 0) AS draft_bytes,
  coalesce(sum(project_usage.release_bytes), 0) AS release_bytes,
  coalesce(sum(project_usage.media_bytes), 0) AS media_bytes,
  coalesce(sum(project_usage.webhooks), 0) AS webhooks,
  coalesce(sum(project_usage.members), 0) AS members,
  coalesce(sum(project_usage.unfinished_jobs), 0) AS unfinished_jobs
  FROM users LEFT JOIN project_usage ON project_usage.user_id = users.id`

interface AccountRow {
  readonly user_id: UserId
  readonly limits: string | null
  readonly projects: number
  readonly pages: number
  readonly draft_bytes: number
  readonly release_bytes: number
  readonly media_bytes: number
  readonly webhooks: number
  readonly members: number
  readonly unfinished_jobs: number
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createAccountRepository(db: Knex): AccountRepository {
  const first = async (condition: string, value: string) => {
    const [row] = rowsOf<AccountRow>(
      await db.raw(`${ACCOUNT} WHERE users.id = ${condition} GROUP BY users.id`, [value]),
    )
    return row === undefined ? null : toAccount(row)
  }

  return {
    ofUser: (id) => first('?', id),

    async ofProject(id) {
      const account = await first('(SELECT user_id FROM project_usage WHERE project_id = ?)', id)
      return account && { ...account, usage: { ...account.usage, pages_per_project: await pagesOf(id) } }
    },

    async plansOf(id, now) {
      const rows = await db('api_keys')
        .where({ user_id: id })
        .whereNull('revoked_at')
        .where((usable) => usable.whereNull('expires_at').orWhere('expires_at', '>', now))
        .distinct<{ plan: Plan }[]>('plan')
      return rows.map(({ plan }) => plan)
    },

    async largestProject(id) {
      const row = await db('project_usage')
        .where({ user_id: id })
        .orderBy([{ column: 'pages', order: 'desc' }, 'project_id'])
        .first<{ project_id: ProjectId } | undefined>('project_id')
      return row?.project_id ?? null
    },

    async setLimits(id, limits) {
      await db('users')
        .where({ id })
        .update({ limits: limits === null ? null : JSON.stringify(limits) })
    },

    async ids() {
      return db('users').orderBy('id').pluck('id')
    },
  }

  async function pagesOf(id: ProjectId): Promise<number> {
    const row = await db('project_usage')
      .where({ project_id: id })
      .first<{ pages: number } | undefined>('pages')
    return row?.pages ?? 0
  }
}

function toAccount(row: AccountRow): Account {
  const { projects, draft_bytes, release_bytes, media_bytes, webhooks, members, unfinished_jobs } = row
  return {
    userId: row.user_id,
    ownLimits: row.limits === null ? null : toLimits(row.limits),
    usage: {
      projects: Number(projects),
      pages_per_project: Number(row.pages),
      draft_bytes: Number(draft_bytes),
      release_bytes: Number(release_bytes),
      media_bytes: Number(media_bytes),
      webhooks: Number(webhooks),
      members: Number(members),
      unfinished_jobs: Number(unfinished_jobs),
    },
  }
}

/** JSON has no `Infinity`: `JSON.stringify` writes null. */
function toLimits(text: string): Partial<AccountLimits> {
  const stored: Readonly<Record<string, number | null>> = JSON.parse(text)
  return Object.fromEntries(Object.entries(stored).map(([name, limit]) => [name, limit ?? Infinity]))
}
