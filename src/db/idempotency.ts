import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { IdempotentRequest } from '../domain/caller.ts'
import { rowAddress } from './dialect.ts'
import type { IdempotencyRecord, IdempotencyRepository } from './repositories/idempotency.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per call of `prune`. */
const PRUNED = 500
const PARTS_PER_STATEMENT = 100

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
      return row === undefined ? null : toRecord(row)
    },

    async findParts(request, paths, now) {
      const named = new Map(paths.map((path) => [keyOf({ ...request, path }).path, path]))
      const rows = await records()
        .where({ key_id: request.keyId, idempotency_key: request.idempotencyKey })
        .whereIn('path', [...named.keys()])
        .where('created_at', '>', dayBefore(now))
        .select<(IdempotencyRow & { readonly path: string })[]>()
      return new Map(rows.map((row) => [named.get(row.path) ?? row.path, toRecord(row)]))
    },

    async insertParts(parts, now) {
      const rows = parts.map(([request, answer]) => ({ ...toRow(request, now), status: 200, answer }))
      for (let start = 0; start < rows.length; start += PARTS_PER_STATEMENT)
        await records()
          .insert(rows.slice(start, start + PARTS_PER_STATEMENT))
          // Replaces the parts of an expired request with this key.
          .onConflict(['key_id', 'path', 'idempotency_key'])
          .merge()
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

function toRecord({
  body_digest,
  resource_id,
  status,
  answer,
  etag,
  location,
}: IdempotencyRow): IdempotencyRecord {
  return {
    bodyDigest: body_digest,
    resourceId: resource_id,
    answer: status === null || answer === null ? null : { status, body: answer, etag, location },
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
