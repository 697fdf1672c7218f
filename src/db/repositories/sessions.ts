import type { SessionId, UserId } from '../../domain/ids.ts'
import type { User } from './accounts.ts'

/** The session of a user who signed in, without its token. */
export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdAt: string
  /** When a request last used it, to the minute. */
  readonly usedAt: string
  /** When it ends however much it is used. */
  readonly expiresAt: string
  /** Address of the client that signed in, as limits count it. */
  readonly address: string
  /** User agent that the browser stated at the sign-in. */
  readonly userAgent: string
}

/** A session and the user who signed in. */
export interface FoundSession {
  readonly session: Session
  readonly user: User
}

export interface SessionRepository {
  insert(session: Session, tokenHash: string): Promise<void>
  /** Also when it has ended by time; null when no session has this hash. */
  findByHash(tokenHash: string): Promise<FoundSession | null>
  /** Finds a session like `findByHash`, by its id. */
  find(id: SessionId): Promise<FoundSession | null>
  /** The sessions of a user, last used first. */
  list(userId: UserId): Promise<readonly Session[]>
  /** Records that the session is used. */
  touch(id: SessionId, now: string): Promise<void>
  /** Gives the session another token. */
  replaceToken(id: SessionId, tokenHash: string): Promise<void>
  /** False when the user has no such session. */
  delete(userId: UserId, id: SessionId): Promise<boolean>
  /**
   * Deletes the sessions of a user, except this one; null for all.
   *
   * @returns their ids.
   */
  deleteOthers(userId: UserId, except: SessionId | null): Promise<readonly SessionId[]>
  /** Deletes the sessions of a user beyond the `count` last used ones. */
  deleteBeyond(userId: UserId, count: number): Promise<void>
  /** Deletes those of all users. */
  deleteAll(): Promise<void>
  /** Deletes some expired sessions. False when none is left. */
  prune(now: string): Promise<boolean>
}

/** The right to set the password of a user once. */
export interface SetUpLink {
  readonly userId: UserId
  readonly createdAt: string
  readonly expiresAt: string
}

export interface SetUpLinkRepository {
  /** Replaces the link that the user has. */
  put(link: SetUpLink, tokenHash: string): Promise<void>
  /** The link of a user that has not expired. */
  ofUser(userId: UserId, now: string): Promise<SetUpLink | null>
  /** A link that has not expired, with its user; null when none has this hash. */
  findByHash(
    tokenHash: string,
    now: string,
  ): Promise<{ readonly link: SetUpLink; readonly user: User } | null>
  /** Deletes the link with this hash. False when there is none any more. */
  take(tokenHash: string): Promise<boolean>
  /** Deletes those of all users. */
  deleteAll(): Promise<void>
  /** Deletes expired links. */
  prune(now: string): Promise<void>
}

/** An attempt to sign in, which counts until it succeeds. */
export interface SignInAttempt {
  /** Id of the session that it may lead to. */
  readonly id: SessionId
  /** SHA-256 of the e-mail address, hex. */
  readonly accountHash: string
  /** Address of the client, as limits count it. */
  readonly address: string
  readonly attemptedAt: string
}

export interface SignInAttemptRepository {
  insert(attempt: SignInAttempt): Promise<void>
  /** Attempts that succeeded do not count. */
  delete(id: SessionId): Promise<void>
  /** Deletes those for an account. */
  deleteOf(accountHash: string): Promise<void>
  /** Time of the `nth` newest attempt for an account, or from an address, after a time; null when there are fewer. */
  nthNewest(
    subject: { readonly accountHash: string } | { readonly address: string },
    nth: number,
    after: string,
  ): Promise<string | null>
  /** Deletes some attempts up to a time. False when none is left. */
  prune(until: string): Promise<boolean>
}
