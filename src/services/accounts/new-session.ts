import type { User } from '../../db/repositories/accounts.ts'
import type { Session } from '../../db/repositories/sessions.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { hashBearerToken, newBearerToken } from '../../secrets/bearer-token.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { isRememberedFor, readBrowser, signBrowser, withSignIn } from '../../secrets/signed-browser.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { SESSION_MS } from './session-caller.ts'

/** Sessions of a user. A further one ends the one that was not used for longest. */
const MAX_SESSIONS = 50
/** Browsers send about 150 characters. */
const MAX_USER_AGENT = 255

/** The browser of a person, as the request describes it. */
export interface Client {
  /** The address that limits count: see `clientAddress`. */
  readonly address: string
  /** The header `User-Agent`; empty without one. */
  readonly userAgent: string
  /** The cookie that names the browser; absent or empty without one. */
  readonly browser?: string
}

/** A session and its token of 43 characters, which is stored as a hash only. */
export interface SessionWithToken {
  readonly token: string
  readonly session: Session
  /** The cookie that names the browser, remembered for the user from now on. */
  readonly browser: string
}

/** A person who acts. */
export type PersonActor = Actor & { readonly userId: UserId }

/** The person of a session, outside requests with it. */
export function actorOf({ id, userId, address }: Session): PersonActor {
  return { via: { kind: 'session', id }, userId, clientAddress: address }
}

/** Starts a session, always with a new token: one that was planted before the sign-in is worth nothing. */
export async function startSession(
  repositories: Pick<Repositories, 'sessions' | 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'> & BrowserPorts,
  { id, user, client }: { readonly id: SessionId; readonly user: User; readonly client: Client },
): Promise<SessionWithToken> {
  const token = newBearerToken()
  const now = ports.now()
  const session: Session = {
    id,
    userId: user.id,
    createdAt: now,
    usedAt: now,
    expiresAt: new Date(Date.parse(now) + SESSION_MS).toISOString(),
    address: client.address,
    userAgent: client.userAgent.slice(0, MAX_USER_AGENT),
  }
  await repositories.sessions.insert(session, hashBearerToken(token))
  await repositories.sessions.deleteBeyond(user.id, MAX_SESSIONS)
  const act = { act: 'session.start', of: { userId: user.id }, target: id } as const
  await recordAct(repositories, ports, actorOf(session), act)
  return { token, session, browser: browserAfter(ports, user.id, client.browser ?? '') }
}

export interface BrowserPorts {
  readonly masterKey: MasterKey
  readonly now: () => string
}

/** The cookie of a browser in which a user signs in, or stays signed in while the user's others become unknown. */
export function browserAfter({ masterKey, now }: BrowserPorts, user: UserId, cookie: string): string {
  const key = browserKey(masterKey)
  return signBrowser(withSignIn(readBrowser(cookie, key, now()), user, now()), key)
}

/** Returns the id of a browser that is remembered for the user; null for any other. */
export function rememberedBrowser(
  { masterKey, now }: BrowserPorts,
  { id, browsersKnownAfter }: Pick<User, 'id' | 'browsersKnownAfter'>,
  cookie: string,
): string | null {
  const browser = readBrowser(cookie, browserKey(masterKey), now())
  return browser !== null && isRememberedFor(browser, id, browsersKnownAfter) ? browser.id : null
}

function browserKey(masterKey: MasterKey): Uint8Array {
  return masterKey.derive('known browser')
}
