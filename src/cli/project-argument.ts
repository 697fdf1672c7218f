import type { Client } from '../client/client.ts'
import { prefixed } from '../domain/ids.ts'
import { createProject, NOT_CREATED, projectNamed, type TargetProject } from '../push/project.ts'
import { idArgument } from './administration.ts'

/** The id of the project that --project or QUOIN_PROJECT names; null for none. */
export function namedProject({ project }: { readonly project?: string }): string | null {
  const given = project ?? process.env['QUOIN_PROJECT']
  return given ? prefixed('proj', idArgument('proj', given)) : null
}

/**
 * The project of a command: the one that --project or QUOIN_PROJECT names, or else the one with this name, created if
 * missing.
 *
 * @throws {ServiceError} when several could be meant.
 */
export async function projectArgument(
  api: Client,
  name: string,
  flags: { readonly project?: string; readonly dryRun: boolean },
): Promise<TargetProject> {
  const found = namedProject(flags) ?? (await projectNamed(api, name))
  return found === null ? newProject(api, name, flags) : { id: found, isNew: false }
}

export async function newProject(
  api: Client,
  name: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<TargetProject> {
  return { id: dryRun ? NOT_CREATED : await createProject(api, name), isNew: true }
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
