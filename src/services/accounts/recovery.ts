import { SERVICE } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { addressKey } from '../../domain/member.ts'
import { hashBearerToken, isBearerTokenForm } from '../../secrets/bearer-token.ts'
import { recordAct } from '../audit/record-act.ts'
import type { MailOutbox } from '../mail/mail-outbox.ts'
import { createConfirmPassword } from './confirm-password.ts'
import { hasPlaceholder } from './sessions.ts'
import type { SignInPorts } from './sign-in.ts'

const LINK_MS = 24 * 60 * 60 * 1000

export type RecoveryService = ReturnType<typeof createRecoveryService>

/** What people do by links in mails: choose a password in place of a forgotten one, and prove another address. */
export function createRecoveryService(ports: SignInPorts & { readonly outbox: MailOutbox }) {
  const { db, now, outbox } = ports
  const { withPassword } = createConfirmPassword(ports)

  return {
    /**
     * Sends a link that sets the password, if a user has the address. Whether one has is looked up when the mail is sent,
     * so that the answer and its time are the same.
     *
     * @throws {RateLimitError} after many mails to other people from the client's address.
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
     * user has is answered alike: the mail tells its owner.
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
        if (hasPlaceholder(email)) throw unreachable()
        const expiresAt = new Date(Date.parse(now()) + LINK_MS).toISOString()
        await repositories.emailChanges.put({ userId, email, expiresAt })
        const content = { kind: 'new-address', userId } as const
        const { language } = given
        await outbox.put(repositories, { recipient: email, language, content, from: { userId } })
      })
      outbox.wake()
    },

    /** The address that a link confirms; null when it was used, replaced or has expired. */
    async newEmail(token: string): Promise<string | null> {
      if (!isBearerTokenForm(token)) return null
      return (await db.read.emailChanges.findByHash(hashBearerToken(token), now()))?.email ?? null
    },

    /**
     * Gives a user the address that a link proves, with the invitations that wait for it, and informs the address of before.
     *
     * @throws {ServiceError} `conflict` when the link does not work any more, or the address is another user's.
     */
    async confirmEmail(token: string, language: string): Promise<void> {
      await db.write(async (repositories) => {
        const { emailChanges, users, members } = repositories
        const found = isBearerTokenForm(token)
          ? await emailChanges.findByHash(hashBearerToken(token), now())
          : null
        const user = found === null ? null : await users.find(found.userId)
        if (found === null || user === null) throw usedUp()
        const other = await users.findByAddress(found.email)
        // An account that an invitation created for the address, and that no one has used, is no other person's.
        if (other !== null && other.id !== user.id && !(await users.deleteUnused(other.id))) throw usedUp()
        await emailChanges.delete(user.id)
        await users.setEmail(user.id, found.email)
        await members.acceptInvitations(user.id, found.email)
        const act = { act: 'user.set_email', of: { userId: user.id }, target: user.id } as const
        await recordAct(repositories, ports, { ...SERVICE, userId: user.id }, act)
        if (hasPlaceholder(user.email)) return
        const content = { kind: 'old-address' } as const
        await outbox.put(repositories, {
          recipient: user.email,
          language,
          content,
          from: { userId: user.id },
        })
      })
      outbox.wake()
    },
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
