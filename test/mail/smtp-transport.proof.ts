import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { parseAddress } from '../../src/domain/email-address.ts'
import { MailRefused } from '../../src/mail/mail-transport.ts'
import { isLocal, parseSmtpUrl } from '../../src/mail/smtp-target.ts'
import { createSmtpTransport } from '../../src/mail/smtp-transport.ts'
import { startMailServer } from '../support/smtp.ts'

const FROM = 'Quoin <quoin@example.com>'
const MESSAGE = { to: 'ada@example.com', subject: 'Grüße', text: `Zeile\n\n${'lang '.repeat(50)}\n` }

async function answerOf(promise: Promise<void>): Promise<Error | null> {
  return promise.then(
    () => null,
    (error) => error as Error,
  )
}

test('a mail arrives with its sender, its subject and its text', async () => {
  const server = await startMailServer()
  onTestFinished(() => server.close())
  const url = `smtp://quoin:p%40ss@127.0.0.1:${server.port}`
  await createSmtpTransport(parseSmtpUrl(url, FROM)).send(MESSAGE)
  const { to, from, text } = await server.mail(1)
  expect({ to, from, text: text.replaceAll('\r\n', '\n') }).toEqual({
    to: 'ada@example.com',
    from: FROM,
    text: MESSAGE.text,
  })
})

test('what a server refuses is said without the recipient, the server’s words or the password', async () => {
  const server = await startMailServer({ refuses: (recipient) => recipient.startsWith('ada') })
  onTestFinished(() => server.close())
  const at = (user: string) =>
    createSmtpTransport(parseSmtpUrl(`smtp://${user}@127.0.0.1:${server.port}`, FROM)).send(MESSAGE)
  const gone = (await answerOf(at('quoin:p%40ss'))) as MailRefused
  expect([gone instanceof MailRefused, gone.problem]).toEqual([true, 'address_refused'])
  const wrong = (await answerOf(at('quoin:secret-word'))) as MailRefused
  expect([wrong instanceof MailRefused, wrong.problem, wrong.isAnswered]).toEqual([true, null, true])
  for (const { message } of [gone, wrong]) expect(message).not.toMatch(/ada|mailbox|secret-word|quoin/i)
  expect(gone.message).toContain('550')
})

test('an address that is accepted leads to exactly one recipient, its own mailbox, and any other to none', async () => {
  const server = await startMailServer()
  onTestFinished(() => server.close())
  const transport = createSmtpTransport(parseSmtpUrl(`smtp://quoin:p%40ss@127.0.0.1:${server.port}`, FROM))
  const part = fc.oneof(
    fc.constantFrom('<', '>', ',', ';', ':', '(', ')', '"', ' ', '\\', '[', ']', '\r\n', '@', '.', '+', "'"),
    fc.constantFrom(
      'victim@x.test',
      'a',
      'Ada',
      'bücher',
      '\u202e',
      '\u200b',
      'x.test',
      '{',
      '|',
      '=?utf-8?q?a?=',
    ),
  )
  const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  const written = fc.oneof(
    text,
    fc.tuple(text, text).map((both) => both.join('@')),
    fc.emailAddress(),
  )
  await fc.assert(
    fc.asyncProperty(written, async (to) => {
      const before = server.recipients.length
      const address = parseAddress(to)
      const error = await answerOf(transport.send({ ...MESSAGE, to }))
      const named = server.recipients.slice(before).map(asSent)
      expect(named).toEqual(address === null ? [] : [address.mailbox])
      expect(error === null).toBe(address !== null)
    }),
    {
      numRuns: 150,
      examples: [['x<victim@x.test>'], ['a@x.test, victim@x.test'], ['"a b"@x.test'], ['a@bücher.test']],
    },
  )
}, 120_000)

/** The server of the tests writes domains in Unicode. */
function asSent(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  return `${recipient.slice(0, at)}@${domainToASCII(recipient.slice(at + 1))}`
}

test('only a server on this machine gets mails without encryption', () => {
  const local = (host: string) => isLocal(parseSmtpUrl(`smtp://${host}:25`, FROM))
  expect(['127.0.0.1', 'localhost', '[::1]'].map(local)).toEqual([true, true, true])
  expect(['10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com'].map(local)).toEqual([
    false,
    false,
    false,
  ])
})

test('a URL that is none is refused without its password', () => {
  for (const url of ['http://quoin:secret@host', 'smtp://', 'quoin:secret@host', 'smtp://h/secret'])
    expect(() => parseSmtpUrl(url, FROM)).toThrow(/^must look like smtp:\/\/user:password@mail/)
})
