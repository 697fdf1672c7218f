import type { Knex } from 'knex'
import type { MailId, UserId } from '../domain/ids.ts'
import type { MailProblem } from '../domain/mail-problem.ts'
import type {
  EmailChange,
  EmailChangeRepository,
  Mail,
  MailContent,
  MailRepository,
  MailSender,
} from './repositories/mails.ts'

interface MailRow {
  readonly id: MailId
  readonly kind: string
  readonly recipient: string
  readonly language: string
  readonly about: string
  readonly address: string | null
  readonly user_id: UserId | null
  readonly created_at: string
  readonly due_at: string | null
  readonly attempts: number
  readonly ended_at: string | null
  readonly problem: MailProblem | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createMailRepository(db: Knex): MailRepository {
  const mails = () => db<MailRow>('mails')

  return {
    async insert({ id, recipient, language, content: { kind, ...about }, address, userId, createdAt }) {
      await mails().insert({
        id,
        kind,
        recipient,
        language,
        about: JSON.stringify(about),
        address,
        user_id: userId,
        created_at: createdAt,
        due_at: createdAt,
        attempts: 0,
        ended_at: null,
        problem: null,
      })
    },

    countSince: (of, since) => total(mails().where(columnsOf(of)).where('created_at', '>', since)),
    countWaiting: () => total(mails().whereNotNull('due_at')),

    async claim(limit, now, until) {
      const due = await mails().where('due_at', '<=', now).orderBy('due_at').orderBy('id').limit(limit)
      const claimed: Mail[] = []
      for (const row of due) {
        const attempts = row.attempts + 1
        const taken = await mails()
          .where({ id: row.id, due_at: row.due_at })
          .update({ due_at: until, attempts })
        if (taken > 0) claimed.push(toMail({ ...row, attempts }))
      }
      return claimed
    },

    async retry(id, dueAt) {
      await mails().where({ id }).update({ due_at: dueAt })
    },

    async end(id, endedAt, problem) {
      await mails().where({ id }).update({ due_at: null, ended_at: endedAt, problem })
    },

    async prune(endedBefore) {
      const ended = mails().whereNull('due_at').where('created_at', '<', endedBefore)
      // Mails that early snapshots sent have no such time.
      await ended.where((old) => old.whereNull('ended_at').orWhere('ended_at', '<', endedBefore)).delete()
    },
  }
}

async function total(query: Knex.QueryBuilder): Promise<number> {
  const row = await query.count({ total: '*' }).first<{ readonly total: number | string }>()
  return Number(row.total)
}

function columnsOf(of: MailSender): Partial<MailRow> {
  return 'userId' in of ? { user_id: of.userId } : of
}

function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    recipient: row.recipient,
    language: row.language,
    content: { kind: row.kind, ...(JSON.parse(row.about) as object) } as MailContent,
    address: row.address,
    userId: row.user_id,
    createdAt: row.created_at,
    attempts: row.attempts,
  }
}

interface ChangeRow {
  readonly user_id: UserId
  readonly email: string
  readonly token_hash: string | null
  readonly expires_at: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createEmailChangeRepository(db: Knex): EmailChangeRepository {
  const changes = () => db<ChangeRow>('email_changes')
  const first = async (query: PromiseLike<ChangeRow | undefined>): Promise<EmailChange | null> => {
    const row = await query
    return row === undefined ? null : { userId: row.user_id, email: row.email, expiresAt: row.expires_at }
  }

  return {
    async put({ userId, email, expiresAt }) {
      await changes()
        .insert({ user_id: userId, email, token_hash: null, expires_at: expiresAt })
        .onConflict('user_id')
        .merge()
    },

    find: (userId) => first(changes().where({ user_id: userId }).first()),
    findByHash: (tokenHash, now) =>
      first(changes().where({ token_hash: tokenHash }).where('expires_at', '>', now).first()),

    async setToken(userId, tokenHash) {
      await changes().where({ user_id: userId }).update({ token_hash: tokenHash })
    },

    async delete(userId) {
      await changes().where({ user_id: userId }).delete()
    },

    async prune(now) {
      await changes().where('expires_at', '<=', now).delete()
    },
  }
}
