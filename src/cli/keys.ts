import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { ApiKey } from '../db/repositories/keys.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission, PLANS, type Plan } from '../domain/caller.ts'
import { readDate } from '../domain/date.ts'
import { prefixed } from '../domain/ids.ts'
import type { Allowance } from '../domain/rate-limit.ts'
import {
  emailsByUser,
  idArgument,
  print,
  userArgument,
  withAdministration,
  withExistingDatabase,
} from './administration.ts'
import { configOf, DATA_SETTINGS, withSettings } from './settings.ts'

interface CreateOptions {
  readonly user?: string
  readonly project?: string
  readonly plan?: string
  readonly limits?: string
  readonly permissions: string
  readonly expires?: string
  readonly name: string
}

export function keysCommand(): Command {
  const create = new Command('create')
    .description('create an API key, which is shown only once')
    .requiredOption('--name <text>', 'what the key is for')
    .option('--user <id or email>', 'owner of the key (default: the first user, created if there is none)')
    .option('--project <id>', 'allow one project only')
    .option(
      '--plan <name>',
      `rate limit plan: ${PLANS.join(', ')} (default: enterprise, which has no limits, for the first user; standard for others)`,
    )
    .option(
      '--limits <list>',
      `rate limits of an enterprise key: ${LIMITS.join(', ')}; e.g. minute=600,month=90000`,
    )
    .option(
      '--permissions <list>',
      `comma-separated list of ${PERMISSIONS.join(', ')}; manage is for the keys of the account`,
      DEFAULT_PERMISSIONS.join(','),
    )
    .option('--expires <date>', 'ISO 8601 date (default: never)')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys create --name ci --permissions read,write,publish\n')
    .action(async (options: CreateOptions, command: Command) => {
      const stated = options.plan === undefined ? null : readPlan(options.plan)
      const limits = readLimits(options.limits, stated)
      const wanted = {
        projectScope: options.project === undefined ? null : idArgument('proj', options.project),
        name: options.name,
        limits,
        permissions: readPermissions(options.permissions),
        expiresAt: readExpiry(options.expires),
      }
      const { record, key } = await withAdministration(command, async ({ accounts }) => {
        const first = await accounts.firstUser()
        const userId = options.user === undefined ? first.id : await userArgument(accounts, options.user)
        // The first user runs the server, whose limits are for other accounts.
        const plan = stated ?? (userId === first.id ? 'enterprise' : 'standard')
        return accounts.createKey({ ...wanted, plan, userId })
      })
      const shown = { ...presentKey(record), key }
      print(command, shown, [`Created key ${shown.id}. It is shown only this once:`, '', `  ${key}`, ''])
    })

  const list = new Command('list')
    .description('list all API keys, without their secret part')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys list\n')
    .action(async (_: object, command: Command) => {
      const keys = await withExistingDatabase(command, async ({ accounts, projects }) => {
        const emails = await emailsByUser(accounts)
        const names = new Map((await projects.all()).map(({ project }) => [project.id, project.name]))
        return (await accounts.listKeys()).map((key) => ({
          ...presentKey(key),
          user_email: emails.get(key.userId) ?? null,
          project_name: key.projectScope === null ? null : (names.get(key.projectScope) ?? null),
        }))
      })
      print(command, { keys }, keys.length === 0 ? ['No keys.'] : keys.map(keyLine))
    })

  const revoke = new Command('revoke')
    .description('revoke an API key; running servers refuse it within 5 seconds')
    .argument('<id>', 'id of the key, key_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys revoke key_abcdefghjkmnpqrs\n')
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('key', ref)
      await withExistingDatabase(command, ({ accounts }) => accounts.revokeKey(id))
      print(command, { id: prefixed('key', id), revoked: true }, [`Revoked ${prefixed('key', id)}.`])
    })

  const keys = new Command('keys')
    .description('create, list and revoke API keys')
    .addHelpText('after', '\nExample:\n  quoin keys list\n')
  for (const command of [create, list, revoke]) keys.addCommand(withSettings(command, DATA_SETTINGS))
  return keys.addCommand(withSettings(rotateMaster(), [...DATA_SETTINGS, 'QUOIN_MASTER_KEY']))
}

function rotateMaster(): Command {
  return new Command('rotate-master')
    .description('re-encrypt all content keys and webhook secrets with the newest master key')
    .option('--new', 'only create a new master key in the data folder', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Example:
  quoin keys rotate-master --new     # then restart every server
  quoin keys rotate-master           # then the previous keys can be removed
`,
    )
    .action(async (options: { readonly new: boolean }, command: Command) => {
      if (options.new) {
        const { addStoredMasterKey } = await import('../app/installation.ts')
        await addStoredMasterKey(configOf(command))
        print(command, { added: true }, [
          'Created a new master key. Restart every server, then run this command without --new.',
        ])
        return
      }
      const { rewrapWithNewest } = await import('../app/administration.ts')
      const rewrapped = await rewrapWithNewest(configOf(command))
      print(command, { rewrapped }, [
        `Re-encrypted ${rewrapped} keys and secrets. The previous master keys are no longer needed.`,
      ])
    })
}

function presentKey(key: ApiKey) {
  return {
    id: prefixed('key', key.id),
    user_id: prefixed('usr', key.userId),
    project_scope: key.projectScope === null ? null : prefixed('proj', key.projectScope),
    name: key.name,
    plan: key.plan,
    limits: key.limits,
    permissions: key.permissions,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  }
}

interface ListedKey extends ReturnType<typeof presentKey> {
  readonly user_email: string | null
  readonly project_name: string | null
}

/** Id, name, owner, project, permissions, plan, and when it ends or ended. */
function keyLine(key: ListedKey): string {
  const { id, name, permissions, plan, revoked_at: revoked, expires_at: expires } = key
  const owner = key.user_email ?? key.user_id
  const project =
    key.project_scope === null
      ? 'all projects'
      : [key.project_scope, ...(key.project_name === null ? [] : [`(${key.project_name})`])].join(' ')
  const end = revoked !== null ? `revoked ${revoked}` : expires !== null ? `expires ${expires}` : null
  return [id, name, owner, project, permissions.join(','), plan, ...(end === null ? [] : [end])].join('  ')
}

function readPlan(text: string): Plan {
  const plan = PLANS.find((name) => name === text)
  if (plan === undefined) throw new ConfigError(`--plan: must be one of ${PLANS.join(', ')}.`)
  return plan
}

const LIMITS: readonly (keyof Allowance)[] = [
  'burst',
  'minute',
  'hour',
  'month',
  'create_page',
  'update_page',
  'create_project',
]

/** Parses `minute=600,hour=9000`. Limits that are not named do not apply. */
function readLimits(text: string | undefined, plan: Plan | null): Partial<Allowance> | null {
  if (text === undefined) return null
  if (plan !== 'enterprise') throw new ConfigError('--limits: only allowed with --plan enterprise.')
  const entries = text.split(',').map((entry) => /^([a-z_]+)=(\d{1,9})$/.exec(entry.trim()))
  const limits = entries.map(
    (entry) => [LIMITS.find((name) => name === entry?.[1]), Number(entry?.[2])] as const,
  )
  const names = limits.map(([name]) => name)
  if (
    names.includes(undefined) ||
    new Set(names).size < names.length ||
    limits.some(([, limit]) => limit < 1)
  )
    throw new ConfigError(
      `--limits: must be a list such as minute=600 with each name at most once: ${LIMITS.join(', ')}.`,
    )
  return Object.fromEntries(limits)
}

function readPermissions(text: string): readonly Permission[] {
  const given = text.split(',').map((permission) => permission.trim())
  const known = PERMISSIONS.filter((permission) => given.includes(permission))
  if (known.length !== given.length)
    throw new ConfigError(`--permissions: must be a list of ${PERMISSIONS.join(', ')}.`)
  return known
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const date = readDate(text)
  if (date === null) throw new ConfigError('--expires: must be an ISO 8601 date such as 2030-01-31.')
  if (date <= new Date().toISOString()) throw new ConfigError('--expires: must be in the future.')
  return date
}
