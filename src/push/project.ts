import type { Client } from '../client/client.ts'

/** Id of the project of this name: the caller's, made when there is none. */
export async function projectNamed(api: Client, name: string): Promise<string> {
  return (await findProject(api, name)) ?? (await api.request('POST /projects', { body: { name } })).data.id
}

/** Null when the caller has none of this name. */
export async function findProject(api: Client, name: string): Promise<string | null> {
  for await (const project of api.items('GET /projects')) if (project.name === name) return project.id
  return null
}
