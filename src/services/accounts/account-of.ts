import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/repositories.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import type { AccountOf } from '../../platform/fair-queue.ts'

const CACHED_PROJECTS = 10_000

/** Looks up the account of a project, by which shared work takes turns. */
export function createAccountOf({ read }: Pick<Database, 'read'>): AccountOf {
  const cache = new LRUCache<ProjectId, UserId>({ max: CACHED_PROJECTS })
  return async (project) => {
    const account = cache.get(project) ?? (await read.projects.ownerOf(project))
    if (account !== null) cache.set(project, account)
    return account ?? project
  }
}
