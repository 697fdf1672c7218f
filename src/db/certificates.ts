import type { Knex } from 'knex'
import type {
  CertificateRecord,
  CertificateRepository,
  OwnedKey,
  SealedKey,
} from './repositories/certificates.ts'

interface CertificateRow {
  readonly host: string
  readonly chain: string | null
  readonly secret: string | null
  readonly master_key_id: string | null
  readonly expires_at: string | null
  readonly due_at: string
  readonly failures: number
  readonly problem: string | null
  readonly ordered_at: string | null
  readonly holder: string | null
  readonly held_until: string | null
}

interface AccountRow {
  readonly directory: string
  readonly secret: string
  readonly master_key_id: string
}

const UNHELD = { holder: null, held_until: null }

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createCertificateRepository(db: Knex): CertificateRepository {
  const certificates = () => db<CertificateRow>('certificates')
  const accounts = () => db<AccountRow>('acme_accounts')
  const challenges = () => db('acme_challenges')

  return {
    async find(host) {
      const row = await certificates().where({ host }).first()
      return row === undefined ? null : toRecord(row)
    },

    async list(limit) {
      return (await certificates().orderBy('host').limit(limit)).map(toRecord)
    },

    findDue(now, limit) {
      return certificates().where('due_at', '<=', now).orderBy('due_at').limit(limit).pluck('host')
    },

    async claim(host, { holder, now, heldUntil, limit }) {
      const recent = await certificates()
        .where('ordered_at', '>', limit.since)
        .count({ total: '*' })
        .first<{ readonly total: number | string }>()
      if (Number(recent.total) >= limit.orders) return false
      await certificates().insert({ host, due_at: now, failures: 0 }).onConflict('host').ignore()
      const claimed = await certificates()
        .where({ host })
        .where('due_at', '<=', now)
        .where((free) => free.whereNull('held_until').orWhere('held_until', '<=', now))
        .update({ holder, held_until: heldUntil, ordered_at: now })
      return claimed > 0
    },

    async complete(host, holder, { chain, sealed, masterKeyId, expiresAt }, dueAt) {
      await certificates()
        .where({ host, holder })
        .update({
          ...UNHELD,
          chain,
          secret: sealed,
          master_key_id: masterKeyId,
          expires_at: expiresAt,
          due_at: dueAt,
          failures: 0,
          problem: null,
        })
    },

    async fail(host, holder, problem, dueAt) {
      await certificates()
        .where({ host, holder })
        .update({ ...UNHELD, problem, due_at: dueAt })
        .increment('failures', 1)
    },

    async release(holder) {
      await certificates().where({ holder }).update(UNHELD)
    },

    async delete(host) {
      await certificates().where({ host }).delete()
    },

    async accountKey(directory, { sealed, masterKeyId }) {
      await accounts()
        .insert({ directory, secret: sealed, master_key_id: masterKeyId })
        .onConflict('directory')
        .ignore()
      const row = await accounts().where({ directory }).first()
      return row === undefined ? { sealed, masterKeyId } : toSealed(row)
    },

    async putChallenge(token, answer, expiresAt) {
      await challenges().insert({ token, answer, expires_at: expiresAt }).onConflict('token').merge()
    },

    async findChallenge(token, now) {
      const row = await challenges().where({ token }).where('expires_at', '>', now).first()
      return row?.answer ?? null
    },

    async deleteChallenge(token) {
      await challenges().where({ token }).delete()
    },

    async pruneChallenges(now) {
      await challenges().where('expires_at', '<=', now).delete()
    },

    async findSealedByOther(masterKeyId, limit) {
      const sealedByOther = await certificates()
        .whereNotNull('secret')
        .whereNot({ master_key_id: masterKeyId })
        .orderBy('host')
        .limit(limit)
      const others = await accounts()
        .whereNot({ master_key_id: masterKeyId })
        .orderBy('directory')
        .limit(limit)
      return [
        ...sealedByOther.map(
          (row): OwnedKey => ({ kind: 'certificate', owner: row.host, ...toSealed(row as SealedRow) }),
        ),
        ...others.map((row): OwnedKey => ({ kind: 'account', owner: row.directory, ...toSealed(row) })),
      ]
    },

    async reseal({ kind, owner, sealed }, resealed) {
      const changes = { secret: resealed.sealed, master_key_id: resealed.masterKeyId }
      await (kind === 'account'
        ? accounts().where({ directory: owner, secret: sealed }).update(changes)
        : certificates().where({ host: owner, secret: sealed }).update(changes))
    },
  }
}

/** A row with a key: all of accounts, and those of certificates that were issued. */
type SealedRow = Pick<AccountRow, 'secret' | 'master_key_id'>

function toSealed({ secret, master_key_id }: SealedRow): SealedKey {
  return { sealed: secret, masterKeyId: master_key_id }
}

function toRecord(row: CertificateRow): CertificateRecord {
  const { host, chain, expires_at, failures, problem } = row
  return {
    host,
    issued:
      chain === null || expires_at === null
        ? null
        : { chain, expiresAt: expires_at, ...toSealed(row as SealedRow) },
    dueAt: row.due_at,
    failures: Number(failures),
    problem,
  }
}
