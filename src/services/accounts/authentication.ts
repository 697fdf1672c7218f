import { LRUCache } from 'lru-cache'
import type { FoundKey } from '../../db/repositories/keys.ts'
import type { Database } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { hashApiKey, isApiKeyForm } from '../../secrets/api-key.ts'
import { isLiveKey } from '../access.ts'

/** A key is refused at most this long after another process revoked it, well within the promised 5 s. */
const CACHE_TTL_MS = 3_000

/** Identifies the caller from an `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>

export interface Authentication {
  /** @throws {ServiceError} `missing_api_key`, `unauthorized` or `invalid_api_key`. */
  readonly authenticate: Authenticate
  /** Drops the cached keys. Call it after this process revoked one: the next request with it is then refused. */
  readonly forgetKeys: () => void
}

export interface AuthenticationPorts {
  readonly db: Pick<Database, 'read'>
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

export function createAuthentication({ db, now, monotonic }: AuthenticationPorts): Authentication {
  const cache = new LRUCache<string, FoundKey>({
    max: 10_000,
    ttl: CACHE_TTL_MS,
    ttlResolution: 0,
    perf: { now: monotonic },
  })
  /** Counts the calls of `forgetKeys`: a read from before one is not cached after it. */
  let revocations = 0

  return {
    async authenticate(authorization) {
      const token = readToken(authorization)
      const time = now()
      const found = isApiKeyForm(token) ? await find(hashApiKey(token), time) : null
      if (found === null || !isLiveKey(found, time)) {
        throw new ServiceError('invalid_api_key', 'The API key is invalid, expired or revoked.')
      }
      return found.caller
    },

    forgetKeys() {
      revocations += 1
      cache.clear()
    },
  }

  async function find(hash: string, time: string): Promise<FoundKey | null> {
    const cached = cache.get(hash)
    if (cached !== undefined) return cached
    const before = revocations
    const found = await db.read.keys.findByHash(hash, time)
    if (found !== null && revocations === before) cache.set(hash, found)
    return found
  }
}

function readToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new ServiceError(
      'missing_api_key',
      'Send your API key in the header "Authorization: Bearer <key>".',
    )
  }
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  if (token === undefined) {
    throw new ServiceError('unauthorized', 'The Authorization header must read "Bearer <key>".')
  }
  return token
}
