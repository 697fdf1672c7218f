import type { EmailChange } from '../../db/repositories/mails.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { addressKey, isPlaceholder } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { hashBearerToken, isBearerTokenForm } from '../../secrets/bearer-token.ts'
import { recordAct } from '../audit/record-act.ts'
import type { MailOutbox } from '../mail/mail-outbox.ts'
import { createConfirmPassword } from './confirm-password.ts'
import { ownSession } from './session-caller.ts'
import type { SignInPorts } from './sign-in.ts'

/** A link that confirms an address works this long. */
const LINK_MS = 60 * 60 * 1000

export type RecoveryService = ReturnType<typeof createRecoveryService>

/** Actions by mailed links: choosing a password in place of a forgotten one, and proving another address. */
export function createRecoveryService(ports: SignInPorts & { readonly outbox: MailOutbox }) {
  const { db, now, outbox } = ports
  const { withPassword } = createConfirmPassword(ports)

  return {
    /**
     * Sends a link that sets the password, if a user has the address. Whether one has is looked up when the mail is
     * sent, so that the answer and its time are the same.
     *
     * @throws {RateLimitError} after many mails to others from the client's address.
     */
    async sendSetUpLink(email: string, address: string, language: string): Promise<void> {
      const recipient = addressKey(email)
      await db.write((repositories) =>
        outbox.put(repositories, { recipient, language, content: { kind: 'set-up' }, from: { address } }),
      )
      outbox.wake()
    },

    /**
     * Sends a link to another address of the caller's user, who has it once the link was used. An address that another
     * user has is answered alike, and gets no mail.
     *
     * @param readEmail reads the address; called once the password is known to be right.
     * @throws {ServiceError} `validation_error` for `current_password` or `email`; as a sign-in.
     */
    async requestEmail(
      caller: Caller,
      given: { readonly password: string; readonly readEmail: () => string; readonly language: string },
    ): Promise<void> {
      const { userId } = caller
      await withPassword(caller, given.password, async (repositories) => {
        const email = given.readEmail()
        if (isPlaceholder(email)) throw unreachable()
        const expiresAt = new Date(Date.parse(now()) + LINK_MS).toISOString()
        await repositories.emailChanges.put({ userId, email, expiresAt })
        const content = { kind: 'new-address', userId } as const
        const { language } = given
        await outbox.put(repositories, { recipient: email, language, content, from: { userId } })
      })
      outbox.wake()
    },

    /**
     * The address that a link confirms; null when it was used, replaced or has expired.
     *
     * @throws {ServiceError} `forbidden` when another account asked for it.
     */
    async newEmail(caller: Caller, token: string): Promise<string | null> {
      return (await changeBy(db.read, caller, token))?.email ?? null
    },

    /**
     * Gives the caller's user the address that a link proves, and informs the previous address. Invitations that wait
     * for the address stay unanswered. Only the account that asked can use its link: otherwise a stranger could send
     * one to the owner of a mailbox, whose click would give the address away.
     *
     * @throws {ServiceError} `forbidden` when another account asked for it; `conflict` when the link does not work any
     *   more, or the address is another user's.
     */
    async confirmEmail(caller: Caller, token: string, language: string): Promise<void> {
      await db.write(async (repositories) => {
        const { emailChanges, users } = repositories
        const found = await changeBy(repositories, caller, token)
        const user = await users.find(caller.userId)
        if (found === null || user === null || user.lockedAt !== null) throw usedUp()
        const other = await users.findByAddress(found.email)
        if (other !== null && other.id !== user.id) throw usedUp()
        await emailChanges.delete(user.id)
        await users.setEmail(user.id, found.email, now())
        const act = { act: 'user.set_email', of: { userId: user.id }, target: user.id } as const
        await recordAct(repositories, ports, caller, act)
        if (isPlaceholder(user.email) || addressKey(user.email) === addressKey(found.email)) return
        await outbox.put(repositories, {
          recipient: user.email,
          language,
          content: { kind: 'old-address' },
          from: { userId: user.id },
        })
      })
      outbox.wake()
    },
  }

  /** @throws {ServiceError} `forbidden`. */
  async function changeBy(
    { emailChanges }: Pick<Repositories, 'emailChanges'>,
    caller: Caller,
    token: string,
  ): Promise<EmailChange | null> {
    ownSession(caller)
    const found = isBearerTokenForm(token)
      ? await emailChanges.findByHash(hashBearerToken(token), now())
      : null
    if (found !== null && found.userId !== caller.userId)
      throw new ServiceError(
        'forbidden',
        'Another account asked for this link. Sign in to that account, then open the link again.',
      )
    return found
  }
}

function unreachable(): ServiceError {
  return fieldFailure('validation_error', [
    { path: 'email', message: 'cannot receive mail.', code: 'invalid' },
  ])
}

function usedUp(): ServiceError {
  return new ServiceError(
    'conflict',
    'This link was used already, was replaced by a newer one, or has expired.',
  )
}
