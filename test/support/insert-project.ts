import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'

/** Inserts a user and a project directly into the database. */
export async function insertProject(db: Database): Promise<ProjectId> {
  const userId = newId<'usr'>()
  return db.write(async ({ users, projects }) => {
    await users.insert({ id: userId, email: 'ada@example.com', canCreateProjects: true, createdAt: NOW })
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
