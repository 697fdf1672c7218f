import type { Client } from '../client/client.ts'
import { prefixed } from '../domain/ids.ts'
import { createProject, NOT_CREATED, projectOfFolder, type TargetProject } from '../push/project.ts'
import { idArgument } from './administration.ts'

/**
 * The project of a command: the one that --project or QUOIN_PROJECT names, or else the one of this folder, created if
 * missing.
 *
 * @throws {ServiceError} when several could be meant.
 */
export async function projectArgument(
  api: Client,
  name: string,
  flags: { readonly project?: string; readonly dryRun: boolean; readonly pushed?: readonly string[] },
): Promise<TargetProject> {
  const given = flags.project ?? process.env['QUOIN_PROJECT']
  if (given) return { id: prefixed('proj', idArgument('proj', given)), isNew: false }
  const found = await projectOfFolder(api, name, flags.pushed ?? [])
  if (found !== null) return { id: found, isNew: false }
  return { id: flags.dryRun ? NOT_CREATED : await createProject(api, name), isNew: true }
}

/** The project in a summary. */
export function projectTitle({ id }: TargetProject, name: string): string {
  return id === NOT_CREATED ? `New project ${JSON.stringify(name)}` : id
}

/** The project in JSON output. */
export function presentTarget({ id, isNew }: TargetProject) {
  return { project_id: id === NOT_CREATED ? null : id, project_created: isNew }
}

/** The step that creates the project, if any. */
export function projectSteps({ isNew }: TargetProject, name: string): readonly string[] {
  return isNew ? [`create     the project ${JSON.stringify(name)}`] : []
}
