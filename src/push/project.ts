import type { Client } from '../client/client.ts'

/** The project that a command writes to. */
export interface TargetProject {
  readonly id: string
  /** Whether the command created it, or would in a dry run. */
  readonly isNew: boolean
}

/** The id of a project that a dry run would create. It has no pages and default settings, and no request names it. */
export const NOT_CREATED = ''

/** The id of the caller's project of this name. Creates it when there is none. */
export async function findOrCreateProject(api: Client, name: string): Promise<string> {
  return (await findProject(api, name)) ?? createProject(api, name)
}

/** Creates a project whose addresses may hold what the names of files hold. */
export async function createProject(api: Client, name: string): Promise<string> {
  const { id } = await api.projects.create({ name })
  await api.projects.update(id, { hosting: { slugs: 'wide' } })
  return id
}

/** The id of the caller's project of this name, or null. */
export async function findProject(api: Client, name: string): Promise<string | null> {
  for await (const project of api.projects.list()) if (project.name === name) return project.id
  return null
}
