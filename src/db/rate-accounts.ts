import type { Knex } from 'knex'
import type { SharedAccount, SharedAccounts, SharedSubject } from '../limits/shared-accounts.ts'
import { rowsOf } from './dialect.ts'

/** Rows of subjects that were used this long ago are deleted: no window is as long. */
const UNUSED_MS = 24 * 60 * 60 * 1000

/**
 * Locks the rows in the order of the subjects, so that two processes never wait for each other, and reads the clock after
 * each lock. A crash of the server may lose the last counts: nothing waits for its disk.
 */
const LOCK = `INSERT INTO rate_accounts AS account (subject, used_at)
  SELECT wanted.subject, 0
  FROM (SELECT set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '2s', true),
    set_config('statement_timeout', '5s', true), set_config('synchronous_commit', 'off', true)) AS settings,
    unnest(?::text[]) WITH ORDINALITY AS wanted(subject, place)
  ORDER BY place
  ON CONFLICT (subject) DO UPDATE SET used_at = account.used_at
  RETURNING subject, counted, extract(epoch FROM clock_timestamp()) * 1000 AS unix,
    to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
    (SELECT requests FROM usage_months WHERE key_id = account.subject
      AND month = to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM')) AS requests`

const WRITE = `UPDATE rate_accounts SET counted = changed.counted, used_at = ?
  FROM unnest(?::text[], ?::text[]) AS changed(subject, counted) WHERE rate_accounts.subject = changed.subject`

const WRITE_MONTHS = `INSERT INTO usage_months (key_id, month, requests)
  SELECT * FROM unnest(?::text[], ?::text[], ?::int[])
  ON CONFLICT (key_id, month) DO UPDATE SET requests = excluded.requests`

interface AccountRow {
  readonly subject: SharedSubject
  /** A `SharedAccount` as JSON. */
  readonly counted: string | null
  readonly unix: number
  readonly month: string
  /** Requests of the month, as stored with the key. */
  readonly requests: number | null
}

export interface RateAccounts extends SharedAccounts {
  /** Deletes the accounts of subjects that are no longer used. */
  prune(now: string): Promise<void>
}

/** Accounts in PostgreSQL, whose row locks and clock decide about the requests of all processes. */
export function createRateAccounts(db: Knex): RateAccounts {
  return {
    async prune(now) {
      await db('rate_accounts')
        .where('used_at', '<', Date.parse(now) - UNUSED_MS)
        .delete()
    },

    async change(subjects, change) {
      const ordered = [...subjects].sort()
      await db.transaction(async (trx) => {
        const rows = rowsOf<AccountRow>(await trx.raw(LOCK, [ordered]))
        const found = new Map(rows.map((row) => [row.subject, accountOf(row)]))
        const unix = Math.floor(Math.max(...rows.map((row) => row.unix)))
        const before = subjects.map((subject) => found.get(subject) ?? NO_REQUESTS)
        const after = change(before, unix)
        await trx.raw(WRITE, [unix, [...subjects], after.map((account) => JSON.stringify(account))])
        const months = after.flatMap((account, index) => {
          const key = subjects[index]
          const isNew = account.monthRequests !== before[index]?.monthRequests
          return key !== undefined && isNew ? [{ key, account }] : []
        })
        if (months.length === 0) return
        await trx.raw(WRITE_MONTHS, [
          months.map(({ key }) => key),
          months.map(({ account }) => account.month),
          months.map(({ account }) => account.monthRequests),
        ])
      })
    },
  }
}

const NO_REQUESTS: SharedAccount = { all: [], endpoints: {}, month: '', monthRequests: 0 }

/**
 * Reads the account of a row. A row counted in this month is newer than the stored month: the statement read that
 * before it waited.
 */
function accountOf({ counted, month, requests }: AccountRow): SharedAccount {
  const account: SharedAccount = counted === null ? NO_REQUESTS : JSON.parse(counted)
  return account.month === month ? account : { ...account, month, monthRequests: requests ?? 0 }
}
