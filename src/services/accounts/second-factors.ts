import type { SecondFactor } from '../../db/repositories/second-factors.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { hashRecoveryCode, newRecoveryCode } from '../../secrets/recovery-code.ts'
import { base32, newTotpSecret, totpUri } from '../../secrets/totp.ts'
import { recordAct } from '../audit/record-act.ts'
import { createConfirmPassword } from './confirm-password.ts'
import { ownSession } from './session-caller.ts'
import { type SignInPorts, wrongCode } from './sign-in.ts'
import { openSecret, sealSecret, useCode } from './use-code.ts'

const RECOVERY_CODES = 10

/** Time to add a secret to an app. Who has it later may have got it by a stolen session. */
const PENDING_MS = 15 * 60 * 1000

/** Data from which an app makes codes. */
export interface AppSecret {
  /** The secret in base32, for users to type. */
  readonly secret: string
  /** `otpauth:` address of a link or of a QR code. */
  readonly uri: string
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>

/** The app that makes codes for a person's sign-ins (TOTP), and the recovery codes for when it is lost. */
export function createSecondFactorService(ports: SignInPorts) {
  const { db, now, masterKey } = ports
  const { withPassword } = createConfirmPassword(ports)

  return {
    async status(caller: Caller): Promise<{ readonly isEnabled: boolean; readonly recoveryCodes: number }> {
      ownSession(caller)
      const { secondFactors } = db.read
      const isEnabled = isOn(await secondFactors.find(caller.userId))
      return {
        isEnabled,
        recoveryCodes: isEnabled ? await secondFactors.countRecoveryCodes(caller.userId) : 0,
      }
    },

    /**
     * Creates the secret of an app. Sign-ins need no code until `enable`; each call before that creates another secret.
     *
     * @throws {ServiceError} `already_enabled`; as `withPassword`.
     */
    async begin(caller: Caller, password: string): Promise<AppSecret> {
      return withPassword(caller, password, async ({ secondFactors }) => {
        if (isOn(await secondFactors.find(caller.userId))) throw alreadyOn()
        const secret = newTotpSecret()
        await secondFactors.put({
          ...sealSecret(masterKey, caller.userId, secret),
          userId: caller.userId,
          createdAt: now(),
          enabledAt: null,
          lastStep: 0,
        })
        return { secret: base32(secret), uri: totpUri(secret, caller.email) }
      })
    },

    /** The secret that `begin` created, until `enable` and for 15 minutes at most; null when there is none. */
    async pending(caller: Caller): Promise<AppSecret | null> {
      ownSession(caller)
      const factor = await db.read.secondFactors.find(caller.userId)
      if (factor === null || !isPending(factor)) return null
      const secret = openSecret(masterKey, factor)
      return { secret: base32(secret), uri: totpUri(secret, caller.email) }
    },

    /**
     * Requires a code for sign-ins from now on. Ends the other sessions, which were started without one.
     *
     * @returns recovery codes, which are stored as hashes only. Each replaces a code of the app once.
     * @throws {ServiceError} `validation_error` for `code`; `not_enabled` without a recent `begin`; `already_enabled`.
     */
    async enable(caller: Caller, code: string): Promise<readonly string[]> {
      const own = ownSession(caller)
      return db.write(async (repositories) => {
        const { secondFactors, sessions } = repositories
        const factor = await secondFactors.find(caller.userId)
        if (isOn(factor)) throw alreadyOn()
        if (factor === null || !isPending(factor)) throw notOn()
        if (!/^[\d\s-]+$/.test(code) || !(await useCode(repositories, masterKey, caller.userId, code, now())))
          throw wrongCode()
        const used = (await secondFactors.find(caller.userId)) ?? factor
        await secondFactors.put({ ...used, enabledAt: now() })
        await sessions.deleteOthers(caller.userId, own)
        await record(repositories, caller, 'user.enable_second_factor')
        return newCodes(repositories, caller)
      })
    },

    /** Sign-ins need no code any more. @throws {ServiceError} `not_enabled`; as `withPassword`. */
    async disable(caller: Caller, password: string): Promise<void> {
      await withPassword(caller, password, async (repositories) => {
        if (!isOn(await repositories.secondFactors.find(caller.userId))) throw notOn()
        await repositories.secondFactors.delete(caller.userId)
        await record(repositories, caller, 'user.disable_second_factor')
      })
    },

    /** Replaces the recovery codes. @throws {ServiceError} `not_enabled`; as `withPassword`. */
    async renewRecoveryCodes(caller: Caller, password: string): Promise<readonly string[]> {
      return withPassword(caller, password, async (repositories) => {
        if (!isOn(await repositories.secondFactors.find(caller.userId))) throw notOn()
        await record(repositories, caller, 'user.renew_recovery_codes')
        return newCodes(repositories, caller)
      })
    },
  }

  function isPending({ enabledAt, createdAt }: SecondFactor): boolean {
    return enabledAt === null && Date.parse(now()) < Date.parse(createdAt) + PENDING_MS
  }

  async function newCodes({ secondFactors }: Repositories, { userId }: Caller): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    await secondFactors.setRecoveryCodes(userId, codes.map(hashRecoveryCode))
    return codes
  }

  function record(repositories: Repositories, caller: Caller, act: Act): Promise<void> {
    return recordAct(repositories, ports, caller, {
      act,
      of: { userId: caller.userId },
      target: caller.userId,
    })
  }
}

function isOn(factor: SecondFactor | null): boolean {
  return factor !== null && factor.enabledAt !== null
}

function alreadyOn(): ServiceError {
  return new ServiceError(
    'already_enabled',
    'Sign-ins need a code already. Disable that first to use another app.',
  )
}

function notOn(): ServiceError {
  return new ServiceError('not_enabled', 'Sign-ins need no code.')
}
