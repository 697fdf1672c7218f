import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { prefixed } from '../domain/ids.ts'
import { administer, print } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

export function usersCommand(): Command {
  const create = new Command('create')
    .description('make a user')
    .requiredOption('--email <address>', 'e-mail address of the user')
    .option('--can-create-projects', 'let the user make projects through the API', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users create --email ada@example.com --can-create-projects\n')
    .action(async (options: { email: string; canCreateProjects: boolean }, command: Command) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(options.email))
        throw new ConfigError('--email: must be an e-mail address.')
      const user = await administer(command, ({ accounts }) =>
        accounts.createUser(options.email, options.canCreateProjects),
      )
      const shown = {
        id: prefixed('usr', user.id),
        email: user.email,
        can_create_projects: user.canCreateProjects,
      }
      print(command, shown, [`Made user ${shown.id} (${shown.email}).`])
    })

  return new Command('users').description('users of the API').addCommand(withSettings(create, DATA_SETTINGS))
}
