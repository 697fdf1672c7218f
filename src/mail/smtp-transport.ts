import { parseAddress } from '../domain/email-address.ts'
import type { MailProblem } from '../domain/mail-problem.ts'
import { MailRefused, type MailTransport } from './mail-transport.ts'
import { isLocal, type SmtpTarget } from './smtp-target.ts'

const CONNECT_MS = 10_000
/** Longest time without a byte from the server. */
const SILENCE_MS = 30_000

/** A connection for each mail: few are sent, and long after each other. */
export function createSmtpTransport(target: SmtpTarget): MailTransport {
  return {
    async send(message) {
      const address = parseAddress(message.to)
      if (address === null)
        throw new MailRefused('The recipient of a mail has no address that can be used.', {
          problem: 'address_refused',
          isAnswered: true,
        })
      const transport = await openTransport(target)
      try {
        await transport.sendMail({
          ...message,
          // An object, because a header as text may name several recipients.
          to: { name: '', address: address.mailbox },
          from: target.from,
          // Mailboxes that are away must not answer.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw refusal(error)
      } finally {
        transport.close()
      }
    },
  }
}

/** Connects and signs in, without a mail. @throws {MailRefused} */
export async function checkMailServer(target: SmtpTarget): Promise<void> {
  const transport = await openTransport(target)
  try {
    await transport.verify()
  } catch (error) {
    throw refusal(error)
  } finally {
    transport.close()
  }
}

async function openTransport(target: SmtpTarget) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: target.host,
    port: target.port,
    secure: target.isTls,
    // A server on this machine has a certificate of its own, which proves nothing.
    ...(isLocal(target) ? { ignoreTLS: true } : { requireTLS: true }),
    ...(target.auth !== null && { auth: target.auth }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Creates the error without the text of the server, which may repeat the recipient. */
function refusal(error: unknown): MailRefused {
  const { code, command, responseCode } = error as {
    readonly code?: string
    readonly command?: string
    readonly responseCode?: number
  }
  const parts = [code, command, responseCode].filter((part) => part !== undefined)
  const isPermanent = responseCode !== undefined && responseCode >= 500
  return new MailRefused(`The mail server did not accept a mail (${parts.join(', ')}).`, {
    problem: isPermanent ? (PERMANENT[command ?? ''] ?? null) : null,
    isAnswered: responseCode !== undefined,
  })
}

/** Problems of permanent rejections, by SMTP command. A rejected sign-in can be fixed, so mails wait for that. */
const PERMANENT: Readonly<Record<string, MailProblem>> = {
  'RCPT TO': 'address_refused',
  'MAIL FROM': 'content_refused',
  DATA: 'content_refused',
}
