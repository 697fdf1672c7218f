import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  /** The first address of a page in the text; empty without one. */
  readonly link: string
}

export interface MailServer {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Every recipient that a client has named (`RCPT TO`). */
  readonly recipients: readonly string[]
  /** Resolves with the mail of this number, from 1, when it has arrived. */
  mail(number: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A real SMTP server on a free port, or on this one, that takes mails with a password. */
export async function startMailServer({
  port = 0,
  refuses = () => false,
  refusesContent = () => false,
}: {
  readonly port?: number
  readonly refuses?: (recipient: string) => boolean
  /** Whether the server refuses mails to a recipient only once it has read them. */
  readonly refusesContent?: (recipient: string) => boolean
} = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const recipients: string[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === 'quoin' && password === 'p@ss') done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
    onRcptTo({ address }, _, done) {
      recipients.push(address)
      const refusal = Object.assign(new Error(`No mailbox ${address}`), { responseCode: 550 })
      done(refuses(address) ? refusal : null)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? ''
        if (refusesContent(to)) return done(Object.assign(new Error('Spam'), { responseCode: 554 }))
        mails.push(readMail(Buffer.concat(chunks).toString(), to))
        done()
        for (const wake of waiting) wake()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    recipients,
    async mail(number) {
      for (;;) {
        const found = mails[number - 1]
        if (found !== undefined) return found
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function readMail(raw: string, to: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const header = (name: string) =>
    new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ') ?? ''
  const body = rest.join('\r\n\r\n')
  const encoding = header('Content-Transfer-Encoding')
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? decodeURIComponent(
            body
              .replaceAll('=\r\n', '')
              .replaceAll('%', '%25')
              .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
          )
        : body
  return {
    to,
    from: header('From'),
    subject: header('Subject'),
    text,
    link: /http:\/\/\S+/.exec(text)?.[0] ?? '',
  }
}
