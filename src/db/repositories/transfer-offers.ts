import type { OfferId, ProjectId } from '../../domain/ids.ts'
import type { TransferOffer } from '../../domain/transfer-offer.ts'

/** Offers of projects. Those of deleted and transferred projects are deleted with them. */
export interface TransferOfferRepository {
  /** Replaces the previous offer of the project. */
  put(offer: TransferOffer): Promise<void>
  find(id: OfferId): Promise<TransferOffer | null>
  ofProject(id: ProjectId): Promise<TransferOffer | null>
  /** Offers to an address that have not expired, oldest first. */
  offersTo(email: string, now: string, limit: number): Promise<readonly TransferOffer[]>
  /** @returns false when there is none any more. */
  delete(id: OfferId): Promise<boolean>
  prune(now: string): Promise<void>
}
