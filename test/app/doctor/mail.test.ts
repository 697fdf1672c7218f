import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { examineMail } from '../../../src/app/doctor/mail.ts'
import { startMailServer } from '../../support/smtp.ts'
import { linesOf, testEveryFinding } from './findings.ts'

const mail = async (user: string, port: number) =>
  linesOf(
    'mail',
    await examineMail(
      readConfig({
        QUOIN_ALLOW_HTTP: 'true',
        QUOIN_SMTP_URL: `smtp://${user}@127.0.0.1:${port}`,
        QUOIN_MAIL_FROM: 'quoin@example.com',
      }),
    ),
  )

test('a mail server is signed in to without a mail, and its refusal and silence are errors that name the setting', async () => {
  const server = await startMailServer()
  const { port } = server
  onTestFinished(() => server.close())
  expect(await mail('quoin:p%40ss', port)).toEqual([
    `ok The mail server 127.0.0.1:${port} takes the sign-in of this installation.`,
  ])
  const [refused = ''] = await mail('quoin:secret-word', port)
  expect(refused).toMatch(/^error No mail can be sent by 127.*\(QUOIN_SMTP_URL\): .*535.* Correct host, port/)
  expect(refused).not.toContain('secret-word')
  expect(server.mails).toEqual([])
})

test('a port at which no mail server listens is an error, and without a mail server nothing is asked', async () => {
  const server = await startMailServer()
  await server.close()
  expect(await mail('quoin:p%40ss', server.port)).toEqual([
    expect.stringMatching(/^error No mail can be sent by .*(ECONNECTION|ESOCKET|ECONNREFUSED)/),
  ])
  expect(await examineMail({ smtp: null })).toEqual([])
})

testEveryFinding('mail.ts')
