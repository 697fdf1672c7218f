/** Record of the certificate of a host. */
export interface CertificateRecord {
  readonly host: string
  /** The issued certificate; null before the first one. */
  readonly issued: IssuedCertificate | null
  /** When the next order may be placed. */
  readonly dueAt: string
  /** Orders in a row that failed. */
  readonly failures: number
  /** Why the last order failed; null after a success. */
  readonly problem: string | null
}

export interface IssuedCertificate extends SealedKey {
  /** PEM, the certificate of the host first. */
  readonly chain: string
  readonly expiresAt: string
}

/** A private key that the master key seals. */
export interface SealedKey {
  readonly sealed: string
  readonly masterKeyId: string
}

/** Which process orders, and how many orders all of them may make. */
export interface OrderClaim {
  readonly holder: string
  readonly now: string
  /** No other process orders for the host before this time. */
  readonly heldUntil: string
  /** Most orders since the given time, of all hosts. */
  readonly limit: { readonly orders: number; readonly since: string }
}

/** `held` while another process orders; `refused` when the order is not due or the limit is reached. */
export type ClaimOutcome = 'claimed' | 'held' | 'refused'

export interface CertificateRepository {
  find(host: string): Promise<CertificateRecord | null>
  /** By host. */
  list(limit: number): Promise<readonly CertificateRecord[]>
  /** Hosts whose next order is due, longest due first. */
  findDue(now: string, limit: number): Promise<readonly string[]>
  /** `claimed` for the one process that may order now: the order is due, no other process makes it, and the limit allows it. */
  claim(host: string, claim: OrderClaim): Promise<ClaimOutcome>
  /**
   * Stores an issued certificate. @returns false where another process has claimed the order, or the host is deleted.
   */
  complete(host: string, holder: string, issued: IssuedCertificate, dueAt: string): Promise<boolean>
  /** Records a failed order. @returns as `complete`. */
  fail(host: string, holder: string, problem: string, dueAt: string): Promise<boolean>
  /** Lets others order what this process has claimed. */
  release(holder: string): Promise<void>
  delete(host: string): Promise<void>

  /** The key of the account at an authority: the stored one, or else this one, which is stored. */
  accountKey(directory: string, created: SealedKey): Promise<SealedKey>

  putChallenge(token: string, answer: string, expiresAt: string): Promise<void>
  findChallenge(token: string, now: string): Promise<string | null>
  deleteChallenge(token: string): Promise<void>
  /** Deletes challenges that have expired. */
  pruneChallenges(now: string): Promise<void>

  /** Keys that another master key sealed. */
  findSealedByOther(masterKeyId: string, limit: number): Promise<readonly OwnedKey[]>
  /** Replaces a sealed key, unless it changed meanwhile. */
  reseal(key: OwnedKey, resealed: SealedKey): Promise<void>
}

/** A sealed key with what it belongs to: a certificate, or the account at an authority. */
export interface OwnedKey extends SealedKey {
  readonly kind: 'certificate' | 'account'
  /** The host, or the directory of the authority. */
  readonly owner: string
}
