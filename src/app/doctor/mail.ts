import { messageOf } from '../../domain/errors.ts'
import { checkMailServer } from '../../mail/smtp-transport.ts'
import type { Config } from '../config.ts'
import { type Finding, failure, ok } from './finding.ts'

/** Checks that the mail server of the settings takes a connection and the sign-in. No mail is sent. */
export async function examineMail({ smtp }: Pick<Config, 'smtp'>): Promise<readonly Finding[]> {
  if (smtp === null) return []
  const server = `${smtp.host}:${smtp.port}`
  try {
    await checkMailServer(smtp)
    return [ok('mail', `The mail server ${server} takes the sign-in of this installation.`)]
  } catch (error) {
    return [
      failure(
        'mail',
        `No mail can be sent by ${server} (QUOIN_SMTP_URL): ${messageOf(error)}`,
        'Correct host, port, user and password in QUOIN_SMTP_URL, and check that this machine may reach the server.',
      ),
    ]
  }
}
