import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'

/** Inserts a project directly into the database, of a new user unless one is given. */
export async function insertProject(db: Database, owner?: UserId): Promise<ProjectId> {
  const userId = owner ?? newId<'usr'>()
  return db.write(async ({ users, projects }) => {
    if (owner === undefined)
      await users.insert({
        id: userId,
        email: `${userId}@example.com`,
        canCreateProjects: true,
        createdAt: NOW,
      })
    const project = await projects.insert({
      id: newId<'proj'>(),
      userId,
      name: 'Site',
      slug: 'site',
      status: 'active',
      context: '',
      legacySettings: {},
      hosting: DEFAULT_HOSTING,
      dataModeEnabledAt: null,
      createdAt: NOW,
      updatedAt: NOW,
      version: 1,
    })
    return project.id
  })
}
