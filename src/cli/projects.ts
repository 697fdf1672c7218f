import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { prefixed } from '../domain/ids.ts'
import { presentProject, presentProjectItem } from '../http/present-project.ts'
import {
  idArgument,
  print,
  userArgument,
  withAdministration,
  withExistingDatabase,
} from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

export function projectsCommand(): Command {
  const create = new Command('create')
    .description('make a project')
    .requiredOption('--name <text>', 'display name, 1 to 100 characters')
    .option('--user <id or email>', 'user it belongs to (the first user, made when there is none)')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin projects create --name "My docs"\n')
    .action(async ({ name, user }: { name: string; user?: string }, command: Command) => {
      if (name.trim() === '' || [...name].length > 100)
        throw new ConfigError('--name: must have 1 to 100 characters.')
      const project = await withAdministration(command, async ({ accounts, projects }) =>
        projects.createFor((await userArgument(accounts, user)) ?? (await accounts.firstUser()).id, name),
      )
      const shown = presentProject(project)
      print(command, shown, [`Made project ${shown.id} (${shown.name}).`])
    })

  const list = new Command('list')
    .description('list all projects')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin projects list\n')
    .action(async (_: object, command: Command) => {
      const projects = (
        await withExistingDatabase(command, (administration) => administration.projects.all())
      ).map(presentProjectItem)
      const lines = projects.map(
        ({ id, name, status, page_count: pages }) => `${id}  ${name}  ${status}  ${pages} pages`,
      )
      print(command, { projects }, lines.length === 0 ? ['No projects.'] : lines)
    })

  const projects = new Command('projects').description('projects of the API')
  for (const command of [
    create,
    list,
    setStatusCommand('suspend', 'suspended'),
    setStatusCommand('activate', 'active'),
  ]) {
    projects.addCommand(withSettings(command, DATA_SETTINGS))
  }
  return projects
}

/** A command that moves a project to a status the API cannot reach. */
function setStatusCommand(name: string, status: 'suspended' | 'active'): Command {
  return new Command(name)
    .description(`make a project ${status}`)
    .argument('<id>', 'id of the project, proj_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', `\nExample:\n  quoin projects ${name} proj_abcdefghjkmnpqrs\n`)
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('proj', ref)
      const project = await withExistingDatabase(command, ({ projects }) => projects.setStatus(id, status))
      print(command, presentProject(project), [`Project ${prefixed('proj', id)} is ${status}.`])
    })
}
