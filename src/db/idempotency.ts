import type { Knex } from 'knex'
import type { RepeatableRequest } from '../domain/caller.ts'
import type { RepeatRepository } from './repositories.ts'

const DAY_MS = 24 * 60 * 60 * 1000

interface RepeatRow {
  readonly body_digest: string
  readonly resource_id: string | null
  readonly status: number | null
  readonly answer: string | null
  readonly etag: string | null
  readonly location: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createRepeatRepository(db: Knex): RepeatRepository {
  const repeats = () => db('idempotency')

  return {
    async find(request, now) {
      const row = await repeats()
        .where(identity(request))
        .where('created_at', '>', dayBefore(now))
        .first<RepeatRow | undefined>()
      if (row === undefined) return null
      const { status, answer, etag, location } = row
      return {
        bodyDigest: row.body_digest,
        resourceId: row.resource_id,
        answer: status === null || answer === null ? null : { status, body: answer, etag, location },
      }
    },

    async claim(request, resourceId, now) {
      await forgetExpired(request, now)
      await repeats().insert({ ...toRow(request, now), resource_id: resourceId })
    },

    async keep(request, { status, body, etag, location }, now) {
      await forgetExpired(request, now)
      await repeats()
        .insert({ ...toRow(request, now), status, answer: body, etag, location })
        .onConflict(['key_id', 'path', 'idempotency_key'])
        .merge(['status', 'answer', 'etag', 'location'])
    },

    async forget(request) {
      await repeats().where(identity(request)).delete()
    },

    async prune(now) {
      await repeats().where('created_at', '<=', dayBefore(now)).delete()
    },
  }

  async function forgetExpired(request: RepeatableRequest, now: string): Promise<void> {
    await repeats().where(identity(request)).where('created_at', '<=', dayBefore(now)).delete()
  }
}

function identity({ keyId, path, idempotencyKey }: RepeatableRequest) {
  return { key_id: keyId, path, idempotency_key: idempotencyKey }
}

function toRow(request: RepeatableRequest, now: string) {
  return { ...identity(request), body_digest: request.bodyDigest, created_at: now }
}

function dayBefore(now: string): string {
  return new Date(Date.parse(now) - DAY_MS).toISOString()
}
