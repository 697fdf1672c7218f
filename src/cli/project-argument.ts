import type { Client } from '../client/client.ts'
import { prefixed } from '../domain/ids.ts'
import { createProject, findProject, NOT_CREATED, type TargetProject } from '../push/project.ts'
import { idArgument } from './administration.ts'

/**
 * The project that a command is about: the one it names, else that of this name, which is made when there
 * is none.
 */
export async function projectArgument(
  api: Client,
  name: string,
  flags: { readonly project?: string; readonly dryRun: boolean },
): Promise<TargetProject> {
  const given = flags.project ?? process.env['QUOIN_PROJECT']
  if (given) return { id: prefixed('proj', idArgument('proj', given)), isNew: false }
  const found = await findProject(api, name)
  if (found !== null) return { id: found, isNew: false }
  return { id: flags.dryRun ? NOT_CREATED : await createProject(api, name), isNew: true }
}

/** How a summary calls it. */
export function projectTitle({ id }: TargetProject, name: string): string {
  return id === NOT_CREATED ? `A new project ${JSON.stringify(name)}` : id
}

/** What a command that prints JSON says of it. */
export function presentTarget({ id, isNew }: TargetProject) {
  return { project_id: id === NOT_CREATED ? null : id, project_created: isNew }
}

/** How the steps say that it was made, or would be. */
export function projectSteps({ isNew }: TargetProject, name: string): readonly string[] {
  return isNew ? [`create     the project ${JSON.stringify(name)}`] : []
}
