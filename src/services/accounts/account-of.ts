import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/repositories.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import type { AccountOf } from '../../platform/fair-queue.ts'

const CACHED_PROJECTS = 10_000
/** A project that changes its owner takes turns with the account of before for so long. */
const CACHE_TTL_MS = 60_000

/** Looks up the account of a project, by which shared work takes turns. */
export function createAccountOf({ read }: Pick<Database, 'read'>): AccountOf {
  const cache = new LRUCache<ProjectId, UserId>({ max: CACHED_PROJECTS, ttl: CACHE_TTL_MS })
  return async (project) => {
    const account = cache.get(project) ?? (await read.projects.ownerOf(project))
    if (account !== null) cache.set(project, account)
    return account ?? project
  }
}
