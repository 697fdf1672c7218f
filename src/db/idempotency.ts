import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { IdempotentRequest } from '../domain/caller.ts'
import { rowAddress } from './dialect.ts'
import type { IdempotencyRepository } from './repositories/idempotency.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per call of `prune`. */
const PRUNED = 500

interface IdempotencyRow {
  readonly body_digest: string
  readonly resource_id: string | null
  readonly status: number | null
  readonly answer: string | null
  readonly etag: string | null
  readonly location: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createIdempotencyRepository(db: Knex): IdempotencyRepository {
  const records = () => db('idempotency')
  const address = rowAddress(db)

  return {
    async find(request, now) {
      const row = await records()
        .where(keyOf(request))
        .where('created_at', '>', dayBefore(now))
        .first<IdempotencyRow | undefined>()
      if (row === undefined) return null
      const { status, answer, etag, location } = row
      return {
        bodyDigest: row.body_digest,
        resourceId: row.resource_id,
        answer: status === null || answer === null ? null : { status, body: answer, etag, location },
      }
    },

    async insert(request, resourceId, now) {
      await deleteExpired(request, now)
      await records().insert({ ...toRow(request, now), resource_id: resourceId })
    },

    async storeAnswer(request, { status, body, etag, location }, now) {
      await deleteExpired(request, now)
      await records()
        .insert({ ...toRow(request, now), status, answer: body, etag, location })
        .onConflict(['key_id', 'path', 'idempotency_key'])
        .merge(['status', 'answer', 'etag', 'location'])
        .where({ 'idempotency.body_digest': request.bodyDigest })
    },

    async delete(request) {
      await records()
        .where({ ...keyOf(request), body_digest: request.bodyDigest })
        .delete()
    },

    async prune(now) {
      const old = records().where('created_at', '<=', dayBefore(now)).limit(PRUNED).select(address)
      return (await records().whereIn(address, old).delete()) === PRUNED
    },
  }

  async function deleteExpired(request: IdempotentRequest, now: string): Promise<void> {
    await records().where(keyOf(request)).where('created_at', '<=', dayBefore(now)).delete()
  }
}

/** The column has 255 characters, and an unknown id in a path may have more. */
function keyOf({ keyId, path, idempotencyKey }: IdempotentRequest) {
  const name = path.length <= 255 ? path : createHash('sha256').update(path).digest('hex')
  return { key_id: keyId, path: name, idempotency_key: idempotencyKey }
}

function toRow(request: IdempotentRequest, now: string) {
  return { ...keyOf(request), body_digest: request.bodyDigest, created_at: now }
}

function dayBefore(now: string): string {
  return new Date(Date.parse(now) - DAY_MS).toISOString()
}
