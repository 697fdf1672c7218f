import type { Knex } from 'knex'
import { nanoid } from 'nanoid'
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

/** An order of any host. Certificates of hosts may be deleted, and their orders still count. */
interface OrderRow {
  readonly id: string
  readonly ordered_at: string
}

const UNHELD = { holder: null, held_until: null }

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createCertificateRepository(db: Knex): CertificateRepository {
  const certificates = () => db<CertificateRow>('certificates')
  const accounts = () => db<AccountRow>('acme_accounts')
  const challenges = () => db('acme_challenges')
  const orders = () => db<OrderRow>('acme_orders')

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
      await orders().where('ordered_at', '<=', limit.since).delete()
      const known = await certificates().where({ host }).first()
      if (known !== undefined && known.held_until !== null && known.held_until > now) return 'held'
      const recent = await orders().count({ total: '*' }).first<{ readonly total: number | string }>()
      if (Number(recent.total) >= limit.orders) return 'refused'
      await certificates().insert({ host, due_at: now, failures: 0 }).onConflict('host').ignore()
      const claimed = await certificates()
        .where({ host })
        .where('due_at', '<=', now)
        .where((free) => free.whereNull('held_until').orWhere('held_until', '<=', now))
        .update({ holder, held_until: heldUntil, ordered_at: now })
      if (claimed === 0) return 'refused'
      await orders().insert({ id: nanoid(), ordered_at: now })
      return 'claimed'
    },

    async complete(host, holder, { chain, sealed, masterKeyId, expiresAt }, dueAt) {
      const updated = await certificates()
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
      return updated > 0
    },

    async fail(host, holder, problem, dueAt) {
      const updated = await certificates()
        .where({ host, holder })
        .increment('failures', 1)
        .update({ ...UNHELD, problem, due_at: dueAt })
      return updated > 0
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

/** A row with a key: of any account, or of an issued certificate. */
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
