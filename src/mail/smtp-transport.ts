import { MailRefused, type MailTransport } from './mail-transport.ts'
import { isLocal, type SmtpTarget } from './smtp-target.ts'

const CONNECT_MS = 10_000
/** Without a byte of the server. */
const SILENCE_MS = 30_000

/** A connection for each mail: few are sent, and long after each other. */
export function createSmtpTransport(target: SmtpTarget): MailTransport {
  return {
    async send(message) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
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
      try {
        await transport.sendMail({
          ...message,
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

/** Without the text of the server, which may repeat the recipient. */
function refusal(error: unknown): MailRefused {
  const { code, command, responseCode } = error as {
    readonly code?: string
    readonly command?: string
    readonly responseCode?: number
  }
  const parts = [code, command, responseCode].filter((part) => part !== undefined)
  const isFinal = responseCode !== undefined && responseCode >= 550 && command === 'RCPT TO'
  return new MailRefused(`The mail server did not accept a mail (${parts.join(', ')}).`, isFinal)
}
