import type { Client } from '../client/client.ts'
import { ServiceError } from '../domain/errors.ts'
import { prefixed } from '../domain/ids.ts'
import { findProject, projectNamed } from '../push/project.ts'
import { idArgument } from './administration.ts'

/**
 * The project that a command is about: the one it names, else that of this name, which is made when there
 * is none.
 *
 * @throws {ServiceError} `not_found` in a dry run that would make it.
 */
export async function projectArgument(
  api: Client,
  name: string,
  flags: { readonly project?: string; readonly dryRun: boolean },
): Promise<string> {
  const given = flags.project ?? process.env['QUOIN_PROJECT']
  if (given) return prefixed('proj', idArgument('proj', given))
  if (!flags.dryRun) return projectNamed(api, name)
  const found = await findProject(api, name)
  if (found !== null) return found
  throw new ServiceError(
    'not_found',
    `There is no project ${JSON.stringify(name)} yet; without --dry-run it is made.`,
  )
}
