import type { PasskeyId, UserId } from '../../domain/ids.ts'

/** A passkey of a user, as the service stores it: the secret never leaves the authenticator. */
export interface Passkey {
  readonly id: PasskeyId
  readonly userId: UserId
  /** Id that the authenticator gave it, base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** Signatures that the authenticator has made; 0 where it does not count. */
  readonly counter: number
  /** Name that its user gave it. */
  readonly name: string
  readonly createdAt: string
  /** Time of the last sign-in; null before the first. */
  readonly usedAt: string | null
}

export interface PasskeyRepository {
  /** @throws {ServiceError} `conflict` when a user has this credential. */
  insert(passkey: Passkey): Promise<void>
  findByCredential(credentialId: string): Promise<Passkey | null>
  /** The passkeys of a user, oldest first. */
  list(userId: UserId): Promise<readonly Passkey[]>
  /** False when the user has no such passkey. */
  rename(userId: UserId, id: PasskeyId, name: string): Promise<boolean>
  /** False when the user has no such passkey. */
  delete(userId: UserId, id: PasskeyId): Promise<boolean>
  /** Records a sign-in. */
  recordUse(id: PasskeyId, use: Pick<Passkey, 'counter' | 'usedAt'>): Promise<void>
  /** Uses up a challenge. False when it was used before. */
  useChallenge(challenge: string, expiresAt: string): Promise<boolean>
  /** Deletes challenges that have expired. */
  pruneChallenges(now: string): Promise<void>
}
