import { LRUCache } from 'lru-cache'
import type { ApiKey, Database } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { hashApiKey, isApiKeyForm } from '../secrets/api-key.ts'

/** A revoked key is refused at most this much later, on every instance. */
const CACHE_TTL_MS = 3_000

/** Identifies the caller from an `Authorization` header. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>

export function createAuthenticate({ db, now }: { db: Database; now: () => string }): Authenticate {
  const cache = new LRUCache<string, { key: ApiKey; caller: Caller }>({ max: 10_000, ttl: CACHE_TTL_MS })

  /** @throws {ServiceError} `missing_api_key`, `unauthorized` or `invalid_api_key`. */
  return async (authorization) => {
    const token = readToken(authorization)
    const found = isApiKeyForm(token) ? await find(hashApiKey(token)) : null
    if (found === null || !isLive(found.key, now())) {
      throw new ServiceError('invalid_api_key', 'The API key is invalid, expired or revoked.')
    }
    return found.caller
  }

  async function find(hash: string): Promise<{ key: ApiKey; caller: Caller } | null> {
    const cached = cache.get(hash)
    if (cached !== undefined) return cached
    const found = await db.read.keys.findByHash(hash)
    if (found !== null) cache.set(hash, found)
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

function isLive({ revokedAt, expiresAt }: ApiKey, now: string): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}
