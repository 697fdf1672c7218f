import type { MailContent } from '../../db/repositories/mails.ts'
import type { Repositories } from '../../db/repositories.ts'
import { addressKey } from '../../domain/email-address.ts'
import { RateLimitError, UnavailableError } from '../../domain/errors.ts'
import type { MailId, UserId } from '../../domain/ids.ts'
import type { ServiceContext } from '../context.ts'

const HOUR_MS = 60 * 60 * 1000
/** Mails of one kind of sender or recipient within an hour. */
const MAX_PER_RECIPIENT = 3
const MAX_PER_ADDRESS = 20
const MAX_PER_USER = 100
/** Mails that wait, of all. A mail server that is down must not fill the database. */
const MAX_WAITING = 10_000

export type MailOutbox = ReturnType<typeof createMailOutbox>

export interface NewMailRequest {
  readonly recipient: string
  readonly language: string
  readonly content: MailContent
  /** A client without a session, or a user. */
  readonly from: { readonly address: string } | { readonly userId: UserId }
}

/** Mails that wait for the sender. Each is written in the transaction of its cause. */
export function createMailOutbox({
  newId,
  now,
  wake,
}: Pick<ServiceContext, 'newId' | 'now'> & { readonly wake: () => void }) {
  return {
    /**
     * Adds a mail. Beyond three an hour to one recipient it is left out silently: an error would reveal how often
     * others asked.
     *
     * @returns its id; null when it was left out.
     * @throws {RateLimitError} when the sender has asked for too many.
     * @throws {UnavailableError} when too many mails wait.
     */
    async put(
      { mails }: Pick<Repositories, 'mails'>,
      { recipient: typed, language, content, from }: NewMailRequest,
    ): Promise<MailId | null> {
      // Limits are those of a mailbox, however its address is written.
      const recipient = addressKey(typed)
      const since = new Date(Date.parse(now()) - HOUR_MS).toISOString()
      const limit = 'address' in from ? MAX_PER_ADDRESS : MAX_PER_USER
      if ((await mails.countSince(from, since)) >= limit) throw tooMany(limit)
      if ((await mails.countWaiting()) >= MAX_WAITING)
        throw new UnavailableError('Too many mails wait to be sent. Try again later.', 600)
      if ((await mails.countSince({ recipient }, since)) >= MAX_PER_RECIPIENT) return null
      const id = newId<'mail'>()
      await mails.insert({
        id,
        recipient,
        language,
        content,
        address: 'address' in from ? from.address : null,
        userId: 'userId' in from ? from.userId : null,
        createdAt: now(),
      })
      return id
    },

    /** Call it after the transaction. */
    wake,
  }
}

function tooMany(limit: number): RateLimitError {
  return new RateLimitError('You have asked for many mails. Try again in an hour.', {
    window: 'hour',
    limit,
    retryAfter: HOUR_MS / 1000,
  })
}
