import type { MailId, MemberId, OfferId, ProjectId, UserId } from '../../domain/ids.ts'
import type { MailProblem } from '../../domain/mail-problem.ts'

/** Subject of a mail, by ids. Its text is read when it is sent. */
export type MailContent =
  | { readonly kind: 'set-up' }
  | { readonly kind: 'invitation'; readonly projectId: ProjectId; readonly memberId: MemberId }
  | { readonly kind: 'new-address'; readonly userId: UserId }
  | { readonly kind: 'old-address' }
  | { readonly kind: 'transfer'; readonly projectId: ProjectId; readonly offerId: OfferId }

export interface NewMail {
  readonly id: MailId
  /** Address as it was typed: it may be no user's. */
  readonly recipient: string
  readonly language: string
  readonly content: MailContent
  /** Address of the client that asked for it; null where a person is known. */
  readonly address: string | null
  /** Who asked for it; null without a session. */
  readonly userId: UserId | null
  readonly createdAt: string
}

export interface Mail extends NewMail {
  /** Attempts including the one in progress. */
  readonly attempts: number
}

export type MailSender =
  | { readonly recipient: string }
  | { readonly address: string }
  | { readonly userId: UserId }

export interface MailRepository {
  /** It is due at once. */
  insert(mail: NewMail): Promise<void>
  /** Mails since a time, to a recipient, or asked for from an address or by a user. */
  countSince(of: MailSender, since: string): Promise<number>
  /** Mails that have not ended. */
  countWaiting(): Promise<number>
  /** Takes due mails, which no other process takes before `until`. */
  claim(limit: number, now: string, until: string): Promise<readonly Mail[]>
  /** Lets a mail be tried again at a time. */
  retry(id: MailId, dueAt: string): Promise<void>
  /** Records that a mail was sent, or why it was given up. */
  end(id: MailId, endedAt: string, problem: MailProblem | null): Promise<void>
  /** Deletes mails that ended before a time. */
  prune(endedBefore: string): Promise<void>
}

/** The request of a user for another address, until its mailbox has proved it. */
export interface EmailChange {
  readonly userId: UserId
  readonly email: string
  readonly expiresAt: string
}

export interface EmailChangeRepository {
  /** Replaces the one of before. Its link is set when the mail is sent. */
  put(change: EmailChange): Promise<void>
  find(userId: UserId): Promise<EmailChange | null>
  findByHash(tokenHash: string, now: string): Promise<EmailChange | null>
  setToken(userId: UserId, tokenHash: string): Promise<void>
  delete(userId: UserId): Promise<void>
  prune(now: string): Promise<void>
}
