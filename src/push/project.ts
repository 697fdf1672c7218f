import type { Client } from '../client/client.ts'

/** The project that something is brought into. */
export interface TargetProject {
  readonly id: string
  /** Whether it was made for this, or in a dry run would be. */
  readonly isNew: boolean
}

/** The id of one that a dry run would make: nothing is asked of it, and it holds what every project begins with. */
export const NOT_CREATED = ''

/** Id of the project of this name: the caller's, made when there is none. */
export async function findOrCreateProject(api: Client, name: string): Promise<string> {
  return (await findProject(api, name)) ?? createProject(api, name)
}

export async function createProject(api: Client, name: string): Promise<string> {
  return (await api.request('POST /projects', { body: { name } })).data.id
}

/** Null when the caller has none of this name. */
export async function findProject(api: Client, name: string): Promise<string | null> {
  for await (const project of api.items('GET /projects')) if (project.name === name) return project.id
  return null
}
