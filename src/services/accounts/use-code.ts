import type { SecondFactor } from '../../db/repositories/second-factors.ts'
import type { Repositories } from '../../db/repositories.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { MasterKey, Wrapped } from '../../secrets/master-key.ts'
import { hashRecoveryCode } from '../../secrets/recovery-code.ts'
import { totpStep } from '../../secrets/totp.ts'

/** Version of the wrapping format. */
const FORM = 1

/**
 * Uses up a code of the user's app, or a recovery code. False when it is wrong or was used before. Call it inside a
 * transaction.
 *
 * @throws {ServiceError} `forbidden` for a code of an app whose secret no master key opens.
 */
export async function useCode(
  { secondFactors }: Pick<Repositories, 'secondFactors'>,
  masterKey: MasterKey,
  userId: UserId,
  code: string,
  now: string,
): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(typed)) return secondFactors.useRecoveryCode(userId, hashRecoveryCode(typed))
  const factor = await secondFactors.find(userId)
  if (factor === null) return false
  const step = totpStep(openSecret(masterKey, factor), typed, Date.parse(now))
  return step !== null && (await secondFactors.useStep(userId, step))
}

export function sealSecret(masterKey: MasterKey, userId: UserId, secret: Uint8Array): Wrapped {
  return masterKey.wrap(secret, contextOf(userId))
}

export function openSecret(masterKey: MasterKey, factor: SecondFactor): Uint8Array {
  try {
    return masterKey.unwrap(factor, contextOf(factor.userId))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ServiceError(
      'forbidden',
      'The service lost the key with which it checks codes of apps. Use a recovery code, or ask its operator.',
      { cause: error },
    )
  }
}

function contextOf(userId: UserId): string {
  return JSON.stringify(['second factor', FORM, userId])
}
