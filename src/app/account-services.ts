import type { Logger } from 'pino'
import type { Database } from '../db/repositories.ts'
import { createSmtpTransport } from '../mail/smtp-transport.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { Passwords } from '../secrets/password-hash.ts'
import { createAccountDeletionService } from '../services/accounts/delete-account.ts'
import { createPasskeyService } from '../services/accounts/passkeys.ts'
import { createRecoveryService } from '../services/accounts/recovery.ts'
import { createSecondFactorService } from '../services/accounts/second-factors.ts'
import { createSessionService } from '../services/accounts/sessions.ts'
import { createSetUpLinkService } from '../services/accounts/set-up-links.ts'
import { createSignInRefusals } from '../services/accounts/sign-in-refusals.ts'
import { createMailOutbox } from '../services/mail/mail-outbox.ts'
import { createMailSender } from '../services/mail/mail-sender.ts'
import { createInvitationLinkService } from '../services/members/invitation-links.ts'
import type { NewId } from '../services/new-id.ts'
import type { Config } from './config.ts'

export interface AccountPorts {
  readonly config: Pick<Config, 'smtp'>
  readonly db: Database
  readonly masterKey: MasterKey
  readonly passwords: Passwords
  /** URL at which users reach the service, without a trailing slash. */
  readonly baseUrl: string
  readonly metrics: Pick<Metrics, 'mailEnded'>
  /** Called when access that this process remembers ends. */
  readonly forgetKeys: () => void
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: Logger
}

/** Opens sign-in and mail. Without a mail server `mailSender`, `outbox` and `recovery` are null. */
export function openAccountServices({ config, baseUrl, metrics, forgetKeys, log, ...ports }: AccountPorts) {
  const { db, newId, now } = ports
  const refusals = createSignInRefusals({
    db,
    now,
    onFailure: (error) => log.error({ err: error }, 'Refused sign-ins could not be recorded.'),
  })
  const shared = { ...ports, refusals }
  const setUpLinks = createSetUpLinkService({ ...shared, onAccessEnded: forgetKeys })
  const passkeys = createPasskeyService(shared)
  const mailSender =
    config.smtp === null
      ? null
      : createMailSender({
          db,
          transport: createSmtpTransport(config.smtp),
          setUpLinks,
          baseUrl,
          now,
          log,
          onEnded: metrics.mailEnded,
        })
  const outbox = mailSender && createMailOutbox({ newId, now, wake: mailSender.wake })
  return {
    refusals,
    mailSender,
    outbox,
    services: {
      sessions: createSessionService(shared),
      setUpLinks,
      secondFactors: createSecondFactorService(shared),
      passkeys,
      invitationLinks: createInvitationLinkService(shared),
      accountDeletion: createAccountDeletionService({ ...shared, passkeys, onDeleted: forgetKeys }),
      recovery: outbox && createRecoveryService({ ...shared, outbox }),
    },
  }
}
