import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { prefixed } from '../domain/ids.ts'
import { presentProject, presentProjectItem } from '../http/present-project.ts'
import {
  emailsByUser,
  idArgument,
  print,
  userArgument,
  withAdministration,
  withExistingDatabase,
} from './administration.ts'
import { count } from './format-numbers.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

export function projectsCommand(): Command {
  const create = new Command('create')
    .description('create a project')
    .requiredOption('--name <text>', 'display name, 1 to 100 characters')
    .option(
      '--user <id or email>',
      'owner of the project (default: the first user, created if there is none)',
    )
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin projects create --name "My docs"\n')
    .action(async ({ name, user }: { name: string; user?: string }, command: Command) => {
      if (name.trim() === '' || [...name].length > 100)
        throw new ConfigError('--name: must have 1 to 100 characters.')
      const project = await withAdministration(command, async ({ accounts, projects }) =>
        projects.createFor(
          user === undefined ? (await accounts.firstUser()).id : await userArgument(accounts, user),
          name,
        ),
      )
      const shown = presentProject(project)
      print(command, shown, [`Created project ${shown.id} (${shown.name}).`])
    })

  const list = new Command('list')
    .description('list all projects')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin projects list\n')
    .action(async (_: object, command: Command) => {
      const projects = await withExistingDatabase(command, async (administration) => {
        const emails = await emailsByUser(administration.accounts)
        return (await administration.projects.all()).map((found) => ({
          ...presentProjectItem(found),
          user_id: prefixed('usr', found.project.userId),
          user_email: emails.get(found.project.userId) ?? null,
        }))
      })
      const lines = projects.map(
        ({ id, name, user_email, user_id, status, page_count }) =>
          `${id}  ${name}  ${user_email ?? user_id}  ${status}  ${count(page_count, 'page')}`,
      )
      print(command, { projects }, lines.length === 0 ? ['No projects.'] : lines)
    })

  const transfer = new Command('transfer')
    .description('give a project to the account of another user; the owner of before stays as a member')
    .argument('<id>', 'id of the project, proj_…')
    .requiredOption('--to <user>', 'id or e-mail address of the user who gets it')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExample:\n  quoin projects transfer proj_abcdefghjkmnpqrs --to bob@example.com\n',
    )
    .action(async (ref: string, { to }: { readonly to: string }, command: Command) => {
      const id = idArgument('proj', ref)
      const user = await withExistingDatabase(command, async ({ accounts }) => {
        const receiver = await userArgument(accounts, to)
        await accounts.transferProject(id, receiver)
        return accounts.user(receiver)
      })
      const shown = { id: prefixed('proj', id), user_id: prefixed('usr', user.id), user_email: user.email }
      print(command, shown, [`${shown.id} belongs to ${user.email}.`])
    })

  const projects = new Command('projects')
    .description('create, list, transfer, suspend and activate projects')
    .addHelpText('after', '\nExample:\n  quoin projects list\n')
  for (const command of [
    create,
    list,
    transfer,
    setStatusCommand('suspend', 'suspended'),
    setStatusCommand('activate', 'active'),
  ]) {
    projects.addCommand(withSettings(command, DATA_SETTINGS))
  }
  return projects
}

/** A command for a status that only the operator may set. */
function setStatusCommand(name: string, status: 'suspended' | 'active'): Command {
  return new Command(name)
    .description(`${name} a project`)
    .argument('<id>', 'id of the project, proj_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', `\nExample:\n  quoin projects ${name} proj_abcdefghjkmnpqrs\n`)
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('proj', ref)
      const project = await withExistingDatabase(command, ({ projects }) => projects.setStatus(id, status))
      print(command, presentProject(project), [`Project ${prefixed('proj', id)} is ${status}.`])
    })
}
