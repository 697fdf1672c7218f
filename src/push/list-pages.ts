import type { Client } from '../client/client.ts'
import type { ItemOf } from '../client/routes.ts'
import { NOT_CREATED } from './project.ts'

/** A page as the API lists it. */
export type ListedPage = ItemOf<'GET /pages'>

/** All pages of a project. None for a project that a dry run would create. */
export async function listPages(api: Client, project: string): Promise<readonly ListedPage[]> {
  if (project === NOT_CREATED) return []
  // A page that is edited meanwhile is listed again.
  const listed = new Map<string, ListedPage>()
  const query = { project_id: project, limit: 100, sort: 'created_at' } as const
  for await (const page of api.pages.list(query)) listed.set(page.id, page)
  return [...listed.values()]
}
