import type { Knex } from 'knex'
import type { OfferId, ProjectId } from '../domain/ids.ts'
import type { TransferOffer } from '../domain/transfer-offer.ts'
import type { TransferOfferRepository } from './repositories/transfer-offers.ts'

interface OfferRow {
  readonly id: OfferId
  readonly project_id: ProjectId
  readonly email: string
  readonly created_at: string
  readonly expires_at: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createTransferOfferRepository(db: Knex): TransferOfferRepository {
  const offers = () => db<OfferRow>('transfer_offers')
  const first = async (query: PromiseLike<OfferRow | undefined>): Promise<TransferOffer | null> => {
    const row = await query
    return row === undefined ? null : toOffer(row)
  }

  return {
    async put(offer) {
      await offers().insert(toRow(offer)).onConflict('project_id').merge()
    },

    find: (id) => first(offers().where({ id }).first()),
    ofProject: (id) => first(offers().where({ project_id: id }).first()),

    async offersTo(email, now, limit) {
      const rows = await offers()
        .where({ email })
        .where('expires_at', '>', now)
        .orderBy('expires_at')
        .orderBy('id')
        .limit(limit)
      return rows.map(toOffer)
    },

    delete: async (id) => (await offers().where({ id }).delete()) > 0,

    async prune(now) {
      await offers().where('expires_at', '<=', now).delete()
    },
  }
}

function toRow({ id, projectId, email, createdAt, expiresAt }: TransferOffer): OfferRow {
  return { id, project_id: projectId, email, created_at: createdAt, expires_at: expiresAt }
}

function toOffer(row: OfferRow): TransferOffer {
  return {
    id: row.id,
    projectId: row.project_id,
    email: row.email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
