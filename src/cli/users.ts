import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { User } from '../db/repositories.ts'
import { prefixed } from '../domain/ids.ts'
import { print, withAdministration, withExistingDatabase } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

export function usersCommand(): Command {
  const create = new Command('create')
    .description('create a user')
    .requiredOption('--email <address>', 'e-mail address of the user')
    .option('--can-create-projects', 'allow the user to create projects through the API', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users create --email ada@example.com --can-create-projects\n')
    .action(async (options: { email: string; canCreateProjects: boolean }, command: Command) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(options.email))
        throw new ConfigError('--email: must be an e-mail address.')
      const user = await withAdministration(command, ({ accounts }) =>
        accounts.createUser(options.email, options.canCreateProjects),
      )
      const shown = presentUser(user)
      print(command, shown, [`Created user ${shown.id} (${shown.email}).`])
    })

  const list = new Command('list')
    .description('list all users')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users list\n')
    .action(async (_: object, command: Command) => {
      const users = (await withExistingDatabase(command, ({ accounts }) => accounts.listUsers())).map(
        presentUser,
      )
      const lines = users.map(
        ({ id, email, can_create_projects: may }) => `${id}  ${email}${may ? '  may create projects' : ''}`,
      )
      print(command, { users }, lines.length === 0 ? ['No users.'] : lines)
    })

  const users = new Command('users')
    .description('create and list users of the API')
    .addHelpText('after', '\nExample:\n  quoin users list\n')
  for (const command of [create, list]) users.addCommand(withSettings(command, DATA_SETTINGS))
  return users
}

function presentUser({ id, email, canCreateProjects }: User) {
  return { id: prefixed('usr', id), email, can_create_projects: canCreateProjects }
}
