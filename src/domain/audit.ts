import type { Credential } from './caller.ts'
import type { AuditId, IdPrefix, JobId, ProjectId, ReleaseId, UserId } from './ids.ts'

/** Retention of rows of the audit log, in days. */
export const AUDIT_RETENTION_DAYS = 365

/** The kinds of records that acts change, with the prefix of their ids. */
export const AUDIT_TARGETS = {
  page: 'page',
  project: 'proj',
  asset: 'ast',
  webhook: 'whk',
  job: 'job',
  member: 'mem',
  key: 'key',
  user: 'usr',
  session: 'ses',
  redirect: 'rdr',
} as const satisfies Readonly<Record<string, IdPrefix>>
export type AuditTarget = keyof typeof AUDIT_TARGETS

interface ActMeaning {
  readonly target: AuditTarget
  readonly meaning: string
}

/**
 * Everything that the audit log records. The name of an act is stored, so it never changes. A request that changes
 * nothing writes no row.
 */
export const ACTS = {
  'page.create': { target: 'page', meaning: 'A page was created.' },
  'page.update': { target: 'page', meaning: 'Fields of a page were changed.' },
  'page.undo': {
    target: 'page',
    meaning: 'A change of a page was undone. The publish in the same request was refused.',
  },
  'page.publish': { target: 'page', meaning: 'A page went live, or a newer version of it.' },
  'page.unpublish': { target: 'page', meaning: 'A page was taken off the live site.' },
  'page.roll_back': { target: 'page', meaning: 'An earlier release of a page went live again.' },
  'page.refresh': {
    target: 'page',
    meaning: 'A live page got smaller pictures that came after its publish.',
  },
  'page.delete': { target: 'page', meaning: 'A page was deleted.' },
  'page.schedule': { target: 'page', meaning: 'A publish of a page was scheduled.' },
  'page.unschedule': { target: 'page', meaning: 'A scheduled publish was cancelled.' },
  'page.propose': { target: 'page', meaning: 'A page was proposed for publishing.' },
  'page.withdraw': { target: 'page', meaning: 'A proposal of a page was taken back.' },
  'preview.create': {
    target: 'page',
    meaning: 'A link was created that shows a preview of a page without a key.',
  },
  'preview.end': {
    target: 'page',
    meaning: 'A preview link was opened after its end for the first time, and never opens again.',
  },
  'page.return': { target: 'page', meaning: 'A proposed page was returned to its author.' },
  'project.create': { target: 'project', meaning: 'A project was created.' },
  'project.update': { target: 'project', meaning: 'Fields of a project were changed.' },
  'project.delete': { target: 'project', meaning: 'A project was deleted.' },
  'project.offer': {
    target: 'project',
    meaning: 'A project was offered to another account, or the offer was declined or taken back.',
  },
  'project.transfer': { target: 'project', meaning: 'A project was given to the account of another user.' },
  'project.replace_secrets': {
    target: 'project',
    meaning: 'Secrets of a project that no master key opens were replaced.',
  },
  'push.start': { target: 'project', meaning: 'A push of a content folder to the project began.' },
  'push.end': { target: 'project', meaning: 'A push of a content folder ended.' },
  'settings.update': { target: 'project', meaning: 'Settings of a project were changed.' },
  'domain.check': { target: 'project', meaning: 'A check of the custom domain was requested.' },
  'domain.activate': { target: 'project', meaning: 'The custom domain became active.' },
  'domain.fail': {
    target: 'project',
    meaning: 'The custom domain could not be proved, or another project has it.',
  },
  'domain.release': { target: 'project', meaning: 'The custom domain was taken from a project.' },
  'data_mode.enable': { target: 'project', meaning: 'Data Mode was switched on.' },
  'data_mode.disable': { target: 'project', meaning: 'Data Mode was switched off.' },
  'data_mode.regenerate_key': { target: 'project', meaning: 'The content key was replaced.' },
  'asset.create': { target: 'asset', meaning: 'A picture or file was uploaded.' },
  'asset.update': { target: 'asset', meaning: 'The texts, the focus or the name of an asset were changed.' },
  'asset.replace': { target: 'asset', meaning: 'The bytes of an asset were replaced.' },
  'asset.restore': {
    target: 'asset',
    meaning: 'Lost bytes of an asset, or its smaller pictures, were restored.',
  },
  'asset.delete': { target: 'asset', meaning: 'An asset was deleted.' },
  'webhook.create': { target: 'webhook', meaning: 'A webhook was created.' },
  'webhook.update': { target: 'webhook', meaning: 'Fields of a webhook were changed.' },
  'webhook.rotate_secret': { target: 'webhook', meaning: 'A webhook got a new secret.' },
  'webhook.test': { target: 'webhook', meaning: 'A test event was sent.' },
  'webhook.redeliver': { target: 'webhook', meaning: 'A delivery was sent again.' },
  'webhook.disable': { target: 'webhook', meaning: 'Quoin switched a failing webhook off.' },
  'webhook.delete': { target: 'webhook', meaning: 'A webhook was deleted.' },
  // That an account was created for the address is not recorded: it would tell owners who has one.
  'member.invite': { target: 'member', meaning: 'A person was invited to a project.' },
  'member.resend': { target: 'member', meaning: 'An invitation got a new link.' },
  'member.accept': { target: 'member', meaning: 'A person accepted an invitation.' },
  'member.decline': { target: 'member', meaning: 'A person declined an invitation.' },
  'member.update': { target: 'member', meaning: 'A member got another role.' },
  'member.remove': { target: 'member', meaning: 'A member was removed, or left.' },
  'redirect.create': { target: 'redirect', meaning: 'A redirect of a project was created.' },
  'redirect.update': { target: 'redirect', meaning: 'A redirect of a project was changed.' },
  'redirect.delete': { target: 'redirect', meaning: 'A redirect of a project was deleted.' },
  'job.start': {
    target: 'job',
    meaning: 'A bulk publish was started. Each page that goes live has a row of its own.',
  },
  'job.cancel': { target: 'job', meaning: 'A job was cancelled.' },
  'job.retry': { target: 'job', meaning: 'A job was run again.' },
  'key.create': { target: 'key', meaning: 'An API key was created.' },
  'key.update': { target: 'key', meaning: 'Fields of an API key were changed.' },
  'key.rotate': { target: 'key', meaning: 'An API key got a new secret.' },
  'key.reissue': {
    target: 'key',
    meaning: 'A repeated request gave an API key another secret, because the first answer was not received.',
  },
  'key.revoke': { target: 'key', meaning: 'An API key was revoked.' },
  'user.create': { target: 'user', meaning: 'A user was created.' },
  'user.lock': {
    target: 'user',
    meaning: 'An account was locked: its sessions ended, and its keys and sign-ins are refused.',
  },
  'user.unlock': { target: 'user', meaning: 'A locked account can be used again.' },
  'user.delete': {
    target: 'user',
    meaning: 'A user was deleted. Only the id stays, without anything of the person.',
  },
  'user.merge': { target: 'user', meaning: 'A user was merged into another one, and erased.' },
  'user.set_limits': { target: 'user', meaning: 'Limits of an account were changed.' },
  'user.issue_set_up_link': {
    target: 'user',
    meaning: 'A link was issued with which a user sets a password.',
  },
  'user.set_password': {
    target: 'user',
    meaning: 'The password of a user was set or changed, which ended the other sessions of that user.',
  },
  'user.set_email': { target: 'user', meaning: 'A user got an e-mail address.' },
  'user.enable_second_factor': {
    target: 'user',
    meaning: 'Sign-ins of a user need a code since then, which ended the other sessions of that user.',
  },
  'user.disable_second_factor': { target: 'user', meaning: 'Sign-ins of a user need no code since then.' },
  'user.renew_recovery_codes': { target: 'user', meaning: 'A user got new recovery codes.' },
  'user.add_passkey': { target: 'user', meaning: 'A user can sign in with another passkey since then.' },
  'user.remove_passkey': { target: 'user', meaning: 'A passkey of a user was removed.' },
  'session.start': { target: 'session', meaning: 'A person signed in.' },
  'session.end': { target: 'session', meaning: 'A person signed out, or ended a session.' },
  'session.refuse': {
    target: 'user',
    meaning: 'Sign-ins of a user were refused, from one address and for one reason within ten minutes.',
  },
} as const satisfies Readonly<Record<string, ActMeaning>>
export type Act = keyof typeof ACTS
export const ACT_NAMES = Object.keys(ACTS) as [Act, ...Act[]]

/**
 * Why sign-ins were refused: a wrong password, code or passkey, a locked account, or too many failures before. Sign-ins
 * with an unknown address are recorded nowhere.
 */
export const REFUSAL_REASONS = ['password', 'code', 'passkey', 'locked', 'limit'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/**
 * Who did something: a caller, the operator at the command line, or the service itself. A `Caller` is one. Releases and
 * jobs carry the actor who asked for them.
 */
export interface Actor {
  readonly via: Credential | { readonly kind: 'operator' | 'service' }
  /** Absent for the operator and the service. */
  readonly userId?: UserId
  /** The address that rate limits count; absent outside requests. */
  readonly clientAddress?: string
  /** Id of the request in the log; absent outside requests. */
  readonly requestId?: string
  /** The job that did it on request of the actor. */
  readonly jobId?: JobId
}

export const OPERATOR: Actor = { via: { kind: 'operator' } }
export const SERVICE: Actor = { via: { kind: 'service' } }

/** The actor as JSON. A caller has more fields, which are not stored. */
export function actorText({ via, userId, clientAddress, requestId, jobId }: Actor): string {
  return JSON.stringify({ via, userId, clientAddress, requestId, jobId })
}

/** Identity of a state of a record. Never a value that users wrote. */
export interface AuditState {
  readonly version?: number
  /** The release that is live. */
  readonly releaseId?: ReleaseId
  /** SHA-256 of the bytes, hex. */
  readonly digest?: string
}

/** A row of the audit log. */
export interface AuditEntry {
  readonly id: AuditId
  readonly createdAt: string
  /** The account: the owner of the project at that time, or else the user. */
  readonly userId: UserId
  /** The project; null for records outside projects. */
  readonly projectId: ProjectId | null
  readonly act: Act
  /** Without its prefix. */
  readonly target: string
  readonly actor: Actor
  /** Null if the record did not exist, or was not live. */
  readonly before: AuditState | null
  readonly after: AuditState | null
  /** Names of the fields that changed. */
  readonly fields: readonly string[]
  /** Why sign-ins were refused; null for other acts, as is their number. */
  readonly reason: RefusalReason | null
  readonly count: number | null
}

/** Returns the API's names of the fields of `change` that differ from `stored`. */
export function changedFields<Fields extends object>(
  stored: Fields,
  change: { readonly [K in keyof Fields]?: unknown },
  prefix = '',
): readonly string[] {
  return Object.entries(change)
    .filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(stored[name as keyof Fields]),
    )
    .map(([name]) => prefix + wireName(name))
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
