import { Command } from 'commander'
import { parseAccountLimits } from '../app/account-limit-list.ts'
import type { Administration } from '../app/administration.ts'
import { ConfigError } from '../app/config.ts'
import type { User } from '../db/repositories/accounts.ts'
import { ACCOUNT_LIMITS, type AccountLimit, type AccountLimits } from '../domain/account-limits.ts'
import { INVALID_ADDRESS, parseAddress } from '../domain/email-address.ts'
import { prefixed, type UserId } from '../domain/ids.ts'
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
      if (parseAddress(options.email) === null) throw new ConfigError(`--email: ${INVALID_ADDRESS}`)
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
      const lines = users.map(userLine)
      print(command, { users }, lines.length === 0 ? ['No users.'] : lines)
    })

  const show = new Command('show')
    .description('show a user, with the projects of the account')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users show ada@example.com\n')
    .action(async (ref: string, _: object, command: Command) => {
      const shown = await withExistingDatabase(command, async ({ accounts }) => {
        const id = await userArgument(accounts, ref)
        const projects = (await accounts.projectsOf(id)).map((project) => prefixed('proj', project))
        return { ...presentUser(await accounts.user(id)), projects }
      })
      print(command, shown, [userLine(shown), ...shown.projects.map((project) => `  ${project}`)])
    })

  const lock = new Command('lock')
    .description('end the sessions of a user, and refuse keys and sign-ins until the user is unlocked')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--yes', 'also lock the last account that may create projects', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users lock ada@example.com\n')
    .action(async (ref: string, { yes }: { readonly yes: boolean }, command: Command) => {
      const shown = await changed(command, ref, (accounts, id) => accounts.lock(id, { isConfirmed: yes }))
      print(command, shown, [`Locked ${shown.email}. Running services refuse every credential within 5 s.`])
    })

  const unlock = new Command('unlock')
    .description('let a locked user sign in again')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users unlock ada@example.com\n')
    .action(async (ref: string, _: object, command: Command) => {
      const shown = await changed(command, ref, (accounts, id) => accounts.unlock(id))
      print(command, shown, [`Unlocked ${shown.email}. Keys and passkeys are accepted again.`])
    })

  const setEmail = new Command('set-email')
    .description('give a user another e-mail address, which counts as verified')
    .argument('<user>', 'id or e-mail address of the user')
    .argument('<address>', 'the new address')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users set-email ada@example.com ada@example.org\n')
    .action(async (ref: string, address: string, _: object, command: Command) => {
      if (parseAddress(address) === null) throw new ConfigError(`<address>: ${INVALID_ADDRESS}`)
      const shown = await changed(command, ref, (accounts, id) => accounts.setEmail(id, address))
      print(command, shown, [`${shown.id} has the address ${shown.email}.`])
    })

  const transfer = new Command('transfer')
    .description('give all projects of a user to another one')
    .argument('<from>', 'id or e-mail address of the user')
    .argument('<to>', 'id or e-mail address of the user who gets them')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users transfer ada@example.com bob@example.com\n')
    .action(async (from: string, to: string, _: object, command: Command) => {
      const ids = await withExistingDatabase(command, async ({ accounts }) => {
        const receiver = await userArgument(accounts, to)
        const owned = await accounts.projectsOf(await userArgument(accounts, from))
        for (const id of owned) await accounts.transferProject(id, receiver)
        return owned.map((id) => prefixed('proj', id))
      })
      print(command, { projects: ids }, ids.length === 0 ? ['The user has no projects.'] : ids)
    })

  const remove = new Command('delete')
    .description('delete a user and erase the personal data')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--transfer-to <user>', 'id or e-mail address of the user who gets the projects')
    .option('--delete-projects', 'delete the projects of the user', false)
    .option('--yes', 'also delete the last account that may create projects', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users delete ada@example.com --transfer-to bob@example.com\n')
    .action(async (ref: string, options: DeleteOptions, command: Command) => {
      const { transferTo, deleteProjects, yes } = options
      if (transferTo !== undefined && deleteProjects)
        throw new ConfigError('--transfer-to and --delete-projects: give one of them.')
      const removed = await withExistingDatabase(command, async ({ accounts }) => {
        const id = await userArgument(accounts, ref)
        const receiver = transferTo === undefined ? null : await userArgument(accounts, transferTo)
        const projects = await accounts.remove(id, {
          transferTo: receiver,
          deletesProjects: deleteProjects,
          isConfirmed: yes,
        })
        return { id: prefixed('usr', id), projects: projects.map((project) => prefixed('proj', project)) }
      })
      const projects = removed.projects.map((project) =>
        transferTo === undefined ? `Deleted ${project}.` : `Gave ${project} to ${transferTo}.`,
      )
      print(command, { ...removed, deleted: true }, [`Deleted ${removed.id}.`, ...projects])
    })

  const merge = new Command('merge')
    .description('give a user what another one has: projects, memberships and keys, and delete the other one')
    .argument('<from>', 'id or e-mail address of the user to delete')
    .argument('<into>', 'id or e-mail address of the user who stays')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin users merge usr_01hz9k3m5n7p9q2r ada@example.com\n')
    .action(async (from: string, into: string, _: object, command: Command) => {
      const { deleted, user } = await withExistingDatabase(command, async ({ accounts }) => {
        const deleted = await userArgument(accounts, from)
        const id = await userArgument(accounts, into)
        await accounts.merge(deleted, id)
        return { deleted: prefixed('usr', deleted), user: presentUser(await accounts.user(id)) }
      })
      print(command, { ...user, merged_user_id: deleted }, [
        `${user.id} (${user.email}) has what ${deleted} had.`,
      ])
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
    .description('create, lock, merge and delete users, let them set a password, and limit what they store')
    .addHelpText('after', '\nExample:\n  quoin users list\n')
  for (const command of [create, setUp])
    users.addCommand(withSettings(command, [...DATA_SETTINGS, 'QUOIN_BASE_URL']))
  for (const command of [list, show, lock, unlock, remove, transfer, merge, setEmail])
    users.addCommand(withSettings(command, DATA_SETTINGS))
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

interface DeleteOptions {
  readonly transferTo?: string
  readonly deleteProjects: boolean
  readonly yes: boolean
}

/** Changes a user and returns the changed user as shown. */
async function changed(
  command: Command,
  ref: string,
  change: (accounts: Administration['accounts'], id: UserId) => Promise<unknown>,
): Promise<ShownUser> {
  return withExistingDatabase(command, async ({ accounts }) => {
    const id = await userArgument(accounts, ref)
    await change(accounts, id)
    return presentUser(await accounts.user(id))
  })
}

type ShownUser = ReturnType<typeof presentUser>

function presentUser({ id, email, canCreateProjects, verifiedAt, lockedAt }: User) {
  return {
    id: prefixed('usr', id),
    email,
    can_create_projects: canCreateProjects,
    verified: verifiedAt !== null,
    locked_at: lockedAt,
  }
}

function userLine({ id, email, can_create_projects: may, locked_at: lockedAt }: ShownUser): string {
  return `${id}  ${email}${may ? '  may create projects' : ''}${lockedAt === null ? '' : '  locked'}`
}
