import type { Logger } from 'pino'
import type { User } from '../../db/repositories/accounts.ts'
import type { Mail } from '../../db/repositories/mails.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import { SERVICE } from '../../domain/audit.ts'
import { prefixed } from '../../domain/ids.ts'
import { type MailMessage, MailRefused, type MailTransport } from '../../mail/mail-transport.ts'
import { every, type Repetition } from '../../platform/every.ts'
import { hashBearerToken, newBearerToken } from '../../secrets/bearer-token.ts'
import { hasPlaceholder } from '../accounts/sessions.ts'
import { type SetUpLinkIssuer, setUpPath } from '../accounts/set-up-links.ts'
import { recordAct } from '../audit/record-act.ts'
import type { NewId } from '../new-id.ts'
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
  /** Where links lead, without a slash at its end. */
  readonly baseUrl: string
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/** The page that confirms an address. */
function newAddressPath(token: string): string {
  return `/dashboard/email?token=${token}`
}

/**
 * Sends the mails of the outbox, at least once each. Tokens of links are created when a mail is sent, so that none is
 * ever stored. No line of the log has a recipient or a link.
 */
export function createMailSender({ db, transport, setUpLinks, baseUrl, newId, now, log }: MailSenderPorts) {
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
      await db.write(({ mails }) => mails.settle(mail.id, null))
    } catch (error) {
      const wait = WAITS_MS[mail.attempts - 1]
      const isOver = wait === undefined || (error instanceof MailRefused && error.isFinal)
      log.warn(
        { err: error, mail: mail.id, kind: mail.content.kind },
        isOver ? 'A mail was given up.' : 'A mail could not be sent. It is tried again.',
      )
      await db.write(({ mails }) => mails.settle(mail.id, isOver ? null : later(wait)))
    }
  }

  /** Null for a mail whose recipient or subject is gone. */
  async function compose(mail: Mail): Promise<MailMessage | null> {
    const { content, recipient, language } = mail
    const texts = mailTexts(language)
    if (content.kind === 'old-address') {
      const user = mail.userId === null ? null : await db.read.users.find(mail.userId)
      return user === null ? null : message(recipient, texts['old-address'](user.email))
    }
    if (content.kind === 'new-address') {
      const change = await db.read.emailChanges.find(content.userId)
      if (change === null || change.email !== recipient) return null
      const token = newBearerToken()
      await db.write(({ emailChanges }) => emailChanges.setToken(content.userId, hashBearerToken(token)))
      return message(recipient, texts['new-address'](baseUrl + newAddressPath(token)))
    }
    if (content.kind === 'set-up') {
      const user = await db.read.users.findByAddress(recipient)
      if (user === null || hasPlaceholder(user.email)) return null
      // To the address of the account, not to what was typed.
      return message(user.email, texts['set-up'](await setUpLink(user)))
    }
    return composeInvitation(mail, content)
  }

  async function composeInvitation(
    { recipient, language, userId }: Mail,
    { projectId, memberId }: Extract<Mail['content'], { kind: 'invitation' }>,
  ): Promise<MailMessage | null> {
    const found = await db.read.projects.find(projectId)
    const member = await db.read.members.find(projectId, memberId)
    if (found === null || member === null) return null
    const inviter = userId === null ? null : await db.read.users.find(userId)
    const user = (await db.read.users.findByAddress(recipient)) ?? (await db.write(newUser(recipient)))
    const isNew = (await db.read.users.passwordHash(user.id)) === null
    const link = isNew
      ? await setUpLink(user)
      : `${baseUrl}/dashboard/projects/${prefixed('proj', projectId)}`
    const about = {
      inviter: asName(inviter?.email ?? 'Quoin'),
      project: asName(found.project.name),
      role: member.role,
      isNew,
    }
    return message(user.email, mailTexts(language).invitation(about, link))
  }

  /** The mailbox proves the address, when the link is used. */
  function newUser(email: string) {
    return async (repositories: Repositories): Promise<User> => {
      const known = await repositories.users.findByAddress(email)
      if (known !== null) return known
      const user: User = { id: newId<'usr'>(), email, canCreateProjects: false, createdAt: now() }
      await repositories.users.insert(user)
      const act = { act: 'user.create', of: { userId: user.id }, target: user.id } as const
      await recordAct(repositories, { newId, now }, SERVICE, act)
      return user
    }
  }

  async function setUpLink({ id }: User): Promise<string> {
    return baseUrl + setUpPath(await setUpLinks.issue(id, SERVICE))
  }

  function message(to: string, { subject, lines }: MailText): MailMessage {
    return { to, subject, text: `${lines.join('\n\n')}\n\n-- \n${baseUrl}/dashboard\n` }
  }
}
