import type { Logger } from 'pino'
import type { User } from '../../db/repositories/accounts.ts'
import type { Mail } from '../../db/repositories/mails.ts'
import type { Database } from '../../db/repositories.ts'
import { SERVICE } from '../../domain/audit.ts'
import { addressKey, isPlaceholder } from '../../domain/email-address.ts'
import type { MailProblem } from '../../domain/mail-problem.ts'
import { isOpenAt } from '../../domain/member.ts'
import { type MailMessage, MailRefused, type MailTransport } from '../../mail/mail-transport.ts'
import { every, type Repetition } from '../../platform/every.ts'
import { hashBearerToken, newBearerToken } from '../../secrets/bearer-token.ts'
import { type SetUpLinkIssuer, setUpPath } from '../accounts/set-up-links.ts'
import { invitationPath } from '../members/invitation-path.ts'
import { asName, type MailText, mailTexts } from './mail-texts.ts'

/** Mails that a process sends at a time. */
const BATCH = 10
/** A process that was killed while it sent a mail leaves it to others after this time. */
const CLAIM_MS = 5 * 60 * 1000
/** Waiting mails are looked for this often, should the hint be lost. */
const SWEEP_MS = 5_000
/** Waits after failed attempts; after the last one it is given up. */
const WAITS_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * 60_000)

export interface MailSenderPorts {
  readonly db: Database
  readonly transport: MailTransport
  readonly setUpLinks: SetUpLinkIssuer
  /** Base URL of links, without a trailing slash. */
  readonly baseUrl: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: Pick<Logger, 'warn' | 'error'>
  /** Called with each mail that was sent or given up. */
  readonly onEnded: (outcome: 'sent' | MailProblem) => void
}

/** The page that confirms an address. */
function newAddressPath(token: string): string {
  return `/dashboard/email?token=${token}`
}

/**
 * Sends the mails of the outbox, at least once each. Tokens of links are created when a mail is sent, so that none is
 * ever stored. No line of the log has a recipient or a link.
 */
export function createMailSender({ db, transport, setUpLinks, baseUrl, now, log, onEnded }: MailSenderPorts) {
  const later = (ms: number) => new Date(Date.parse(now()) + ms).toISOString()
  let sweeps: Repetition | null = null
  let running: Promise<void> | null = null
  let again = false

  return {
    start(): void {
      sweeps ??= every(SWEEP_MS, sendDue)
      wake()
    },
    wake,
    async stop(): Promise<void> {
      await sweeps?.stop()
      await running
    },
  }

  function wake(): void {
    if (sweeps !== null) void sendDue()
  }

  /** One at a time; mails that come meanwhile are sent after it. */
  async function sendDue(): Promise<void> {
    again = running !== null
    running ??= sendAll()
      .catch((error) => log.error({ err: error }, 'Mails could not be read. It is tried again.'))
      .finally(() => {
        running = null
        if (again) void sendDue()
      })
    await running
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const mails = await db.write((repositories) => repositories.mails.claim(BATCH, now(), later(CLAIM_MS)))
      if (mails.length === 0) return
      await Promise.all(mails.map(sendOne))
    }
  }

  async function sendOne(mail: Mail): Promise<void> {
    try {
      const message = await compose(mail)
      if (message !== null) await transport.send(message)
      await end(mail, null)
      if (message !== null) onEnded('sent')
    } catch (error) {
      const wait = WAITS_MS[mail.attempts - 1]
      const problem = problemOf(error, wait === undefined)
      log.warn(
        { err: error, mail: mail.id, kind: mail.content.kind, problem },
        problem === null ? 'A mail could not be sent. It is tried again.' : 'A mail was given up.',
      )
      if (problem === null) await db.write(({ mails }) => mails.retry(mail.id, later(wait ?? 0)))
      else {
        await end(mail, problem)
        onEnded(problem)
      }
    }
  }

  /** Ends a mail. The member who sent an invitation sees its outcome. */
  async function end({ id, content }: Mail, problem: MailProblem | null): Promise<void> {
    await db.write(async ({ mails, members }) => {
      const at = now()
      await mails.end(id, at, problem)
      if (content.kind !== 'invitation') return
      const status = problem === null ? 'sent' : 'failed'
      await members.recordMail(content.memberId, { id, status, at, problem })
    })
  }

  /** Writes a mail; null when its recipient or subject does not exist any more. */
  async function compose(mail: Mail): Promise<MailMessage | null> {
    const { content, recipient, language } = mail
    const texts = mailTexts(language)
    if (content.kind === 'old-address') {
      const user = mail.userId === null ? null : await db.read.users.find(mail.userId)
      return user === null ? null : message(recipient, texts['old-address'](asName(user.email)))
    }
    if (content.kind === 'new-address') return composeNewAddress(mail, content)
    if (content.kind === 'transfer') return composeTransfer(mail, content)
    if (content.kind === 'set-up') {
      const user = await db.read.users.findByAddress(recipient)
      if (user === null || user.lockedAt !== null || isPlaceholder(user.email)) return null
      // To the address of the account, not to what was typed.
      return message(user.email, texts['set-up'](await setUpLink(user)))
    }
    return composeInvitation(mail, content)
  }

  /** Returns null for an address that another user has, whom it would only confuse. */
  async function composeNewAddress(
    { recipient, language }: Mail,
    { userId }: Extract<Mail['content'], { kind: 'new-address' }>,
  ): Promise<MailMessage | null> {
    const change = await db.read.emailChanges.find(userId)
    const user = await db.read.users.find(userId)
    if (change === null || user === null || addressKey(change.email) !== recipient) return null
    const other = await db.read.users.findByAddress(recipient)
    if (other !== null && other.id !== userId) return null
    const token = newBearerToken()
    await db.write(({ emailChanges }) => emailChanges.setToken(userId, hashBearerToken(token)))
    const text = mailTexts(language)['new-address'](asName(user.email), baseUrl + newAddressPath(token))
    return message(change.email, text)
  }

  /** Returns null for an invitation that was answered, taken back or sent again meanwhile. */
  async function composeInvitation(
    { id, recipient, language }: Mail,
    { projectId, memberId }: Extract<Mail['content'], { kind: 'invitation' }>,
  ): Promise<MailMessage | null> {
    const found = await db.read.projects.find(projectId)
    const member = await db.read.members.find(projectId, memberId)
    if (found === null || member === null || !isOpenAt(member, now())) return null
    const token = newBearerToken()
    const isLast = await db.write(({ members }) =>
      members.setMailedLink(memberId, id, hashBearerToken(token)),
    )
    if (!isLast) return null
    const inviter = member.invitedBy === null ? null : await db.read.users.find(member.invitedBy)
    const about = {
      inviter: asName(inviter?.email ?? 'Quoin'),
      project: asName(found.project.name),
      role: member.role,
    }
    return message(recipient, mailTexts(language).invitation(about, baseUrl + invitationPath(token)))
  }

  /** Returns null for an offer that was answered or taken back. */
  async function composeTransfer(
    { recipient, language }: Mail,
    { projectId, offerId }: Extract<Mail['content'], { kind: 'transfer' }>,
  ): Promise<MailMessage | null> {
    const offer = await db.read.transferOffers.ofProject(projectId)
    const found = await db.read.projects.find(projectId)
    if (offer === null || found === null || offer.id !== offerId || offer.expiresAt <= now()) return null
    const owner = await db.read.users.find(found.project.userId)
    const about = { owner: asName(owner?.email ?? 'Quoin'), project: asName(found.project.name) }
    return message(recipient, mailTexts(language).transfer(about, `${baseUrl}/dashboard/account`))
  }

  async function setUpLink({ id }: User): Promise<string> {
    return baseUrl + setUpPath(await setUpLinks.issue(id, SERVICE))
  }

  function message(to: string, { subject, lines }: MailText): MailMessage {
    return { to, subject, text: `${lines.join('\n\n')}\n\n-- \n${baseUrl}/dashboard\n` }
  }
}

/** Returns why a mail is given up; null when it is tried again. */
function problemOf(error: unknown, isLastAttempt: boolean): MailProblem | null {
  if (!(error instanceof MailRefused)) return isLastAttempt ? 'gave_up' : null
  if (error.problem !== null || !isLastAttempt) return error.problem
  return error.isAnswered ? 'gave_up' : 'server_unreachable'
}
