import type { UserId } from '../../domain/ids.ts'
import type { SealedSecret } from './secrets.ts'

/** The secret that a user's app makes codes of (TOTP). */
export interface SecondFactor extends SealedSecret {
  readonly userId: UserId
  readonly createdAt: string
  /** When it was enabled; null until a code of the app was right. Sign-ins need no code before. */
  readonly enabledAt: string | null
  /** Number of 30 s since 1970 of the last code that was used. */
  readonly lastStep: number
}

export interface SecondFactorRepository {
  find(userId: UserId): Promise<SecondFactor | null>
  /** Replaces the factor that the user has. */
  put(factor: SecondFactor): Promise<void>
  /** Uses up the codes until this step. False when they are used already. */
  useStep(userId: UserId, step: number): Promise<boolean>
  /** With the recovery codes. False when the user has none. */
  delete(userId: UserId): Promise<boolean>
  /** Replaces the recovery codes of a user. */
  setRecoveryCodes(userId: UserId, hashes: readonly string[]): Promise<void>
  countRecoveryCodes(userId: UserId): Promise<number>
  /** Uses up a code. False when the user has none with this hash. */
  useRecoveryCode(userId: UserId, hash: string): Promise<boolean>
  /** Factors that another master key seals, at most `limit`. */
  findSealedByOther(masterKeyId: string, limit: number): Promise<readonly SecondFactor[]>
  /** Replaces a sealed secret, unless it was replaced since. */
  reseal(current: SecondFactor, resealed: SealedSecret): Promise<void>
}
