import { Command } from 'commander'
import { parseAccountLimits } from '../app/account-limit-list.ts'
import { ConfigError } from '../app/config.ts'
import type { User } from '../db/repositories/accounts.ts'
import { ACCOUNT_LIMITS, type AccountLimit, type AccountLimits } from '../domain/account-limits.ts'
import { prefixed } from '../domain/ids.ts'
import type { AccountReport } from '../services/accounts/account-limits.ts'
import { setUpPath } from '../services/accounts/set-up-links.ts'
import { print, userArgument, withAdministration, withExistingDatabase } from './administration.ts'
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
      const { user, url } = await withAdministration(command, async ({ accounts, setUpLinks, baseUrl }) => {
        const user = await accounts.createUser(options.email, options.canCreateProjects)
        return { user, url: baseUrl + setUpPath(await setUpLinks.issue(user.id)) }
      })
      const shown = presentUser(user)
      const lines = [`Created user ${shown.id} (${shown.email}).`, ...setUpLines(url)]
      print(command, { ...shown, set_up_url: url }, lines)
    })

  const setUp = new Command('set-up')
    .description('print a link with which a user sets a password, also in place of a forgotten one')
    .argument('<user>', 'id or e-mail address of the user')
    .option(
      '--without-code',
      'also let the user sign in without a code, who lost the app that makes them',
      false,
    )
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users set-up ada@example.com\n')
    .action(async (ref: string, { withoutCode }: { readonly withoutCode: boolean }, command: Command) => {
      const { id, url } = await withExistingDatabase(command, async ({ accounts, setUpLinks, baseUrl }) => {
        const id = await userArgument(accounts, ref)
        if (withoutCode) await setUpLinks.removeSecondFactor(id)
        return { id, url: baseUrl + setUpPath(await setUpLinks.issue(id)) }
      })
      print(command, { id: prefixed('usr', id), set_up_url: url }, setUpLines(url))
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

  const limits = new Command('limits')
    .description('show what an account stores and may store, and set limits of its own')
    .argument('<user>', 'id or e-mail address of the user')
    .option(
      '--set <list>',
      `limits in place of those of its plan: ${ACCOUNT_LIMITS.join(', ')}; e.g. projects=5,draft_bytes=2GB`,
    )
    .option('--reset', 'remove all limits of its own first', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExample:\n  quoin users limits ada@example.com --set projects=50,draft_bytes=2GB\n',
    )
    .action(
      async (ref: string, options: { readonly set?: string; readonly reset: boolean }, command: Command) => {
        const changes = options.set === undefined ? null : readLimits(options.set)
        const report = await withExistingDatabase(command, async ({ accounts }) => {
          const userId = await userArgument(accounts, ref)
          if (options.reset) await accounts.setLimits(userId, null)
          if (changes !== null) await accounts.setLimits(userId, changes)
          return accounts.usage(userId)
        })
        print(
          command,
          { limits: presentLimits(report) },
          ACCOUNT_LIMITS.map((name) => limitLine(name, report)),
        )
      },
    )

  const users = new Command('users')
    .description('create and list users, let them set a password, and limit what they store')
    .addHelpText('after', '\nExample:\n  quoin users list\n')
  for (const command of [create, setUp])
    users.addCommand(withSettings(command, [...DATA_SETTINGS, 'QUOIN_BASE_URL']))
  users.addCommand(withSettings(list, DATA_SETTINGS))
  return users.addCommand(withSettings(limits, [...DATA_SETTINGS, 'QUOIN_ACCOUNT_LIMITS']))
}

function readLimits(text: string): Partial<AccountLimits> {
  try {
    return parseAccountLimits(text)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`--set: ${error.message}.`)
    throw error
  }
}

/** An unlimited one is allowed null. */
function presentLimits({ used, allowed, ownLimits }: AccountReport) {
  const shown = ACCOUNT_LIMITS.map((name) => [
    name,
    {
      used: used[name],
      allowed: allowed[name] === Infinity ? null : allowed[name],
      own: ownLimits?.[name] !== undefined,
    },
  ])
  return Object.fromEntries(shown)
}

function limitLine(name: AccountLimit, { used, allowed, ownLimits }: AccountReport): string {
  const limit = allowed[name] === Infinity ? 'unlimited' : `of ${allowed[name]}`
  return `${name.padEnd(18)} ${used[name]} ${limit}${ownLimits?.[name] === undefined ? '' : '  (own limit)'}`
}

function setUpLines(url: string): readonly string[] {
  return ['Set the password within 24 hours, at this address, which works once:', `  ${url}`]
}

function presentUser({ id, email, canCreateProjects }: User) {
  return { id: prefixed('usr', id), email, can_create_projects: canCreateProjects }
}
