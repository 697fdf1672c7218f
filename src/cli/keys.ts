import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import type { ApiKey } from '../db/repositories.ts'
import { PERMISSIONS, type Permission, PLANS, type Plan } from '../domain/caller.ts'
import { prefixed } from '../domain/ids.ts'
import { readDate } from '../domain/page.ts'
import { administer, idArgument, print } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

interface CreateOptions {
  readonly user?: string
  readonly project?: string
  readonly plan: string
  readonly permissions: string
  readonly expires?: string
  readonly name: string
}

export function keysCommand(): Command {
  const create = new Command('create')
    .description('make an API key; it is shown once')
    .requiredOption('--name <text>', 'what the key is for')
    .option('--user <id>', 'user it belongs to (the first user, made when there is none)')
    .option('--project <id>', 'restrict it to one project')
    .option('--plan <name>', `rate limit plan: ${PLANS.join(', ')}`, 'standard')
    .option('--permissions <list>', 'comma-separated', PERMISSIONS.join(','))
    .option('--expires <date>', 'ISO 8601 (never)')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys create --name ci --permissions read,write,publish\n')
    .action(async (options: CreateOptions, command: Command) => {
      const wanted = {
        userId: options.user === undefined ? null : idArgument('usr', options.user),
        projectScope: options.project === undefined ? null : idArgument('proj', options.project),
        name: options.name,
        plan: readPlan(options.plan),
        permissions: readPermissions(options.permissions),
        expiresAt: readExpiry(options.expires),
      }
      const { record, key } = await administer(command, ({ accounts }) => accounts.createKey(wanted))
      const shown = { ...presentKey(record), key }
      print(command, shown, [`Made key ${shown.id}. This is the only time it is shown:`, '', `  ${key}`, ''])
    })

  const list = new Command('list')
    .description('list all API keys, without the keys themselves')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys list\n')
    .action(async (_: object, command: Command) => {
      const keys = (await administer(command, ({ accounts }) => accounts.listKeys())).map(presentKey)
      print(command, { keys }, keys.length === 0 ? ['No keys.'] : keys.map(keyLine))
    })

  const revoke = new Command('revoke')
    .description('revoke an API key; running servers refuse it within seconds')
    .argument('<id>', 'id of the key, key_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin keys revoke key_abcdefghjkmnpqrs\n')
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('key', ref)
      await administer(command, ({ accounts }) => accounts.revokeKey(id))
      print(command, { id: prefixed('key', id), revoked: true }, [`Revoked ${prefixed('key', id)}.`])
    })

  const keys = new Command('keys').description('API keys')
  for (const command of [create, list, revoke]) keys.addCommand(withSettings(command, DATA_SETTINGS))
  return keys
}

function presentKey(key: ApiKey) {
  return {
    id: prefixed('key', key.id),
    user_id: prefixed('usr', key.userId),
    project_scope: key.projectScope === null ? null : prefixed('proj', key.projectScope),
    name: key.name,
    plan: key.plan,
    permissions: key.permissions,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  }
}

function keyLine({
  id,
  name,
  permissions,
  plan,
  revoked_at: revoked,
}: ReturnType<typeof presentKey>): string {
  return `${id}  ${name}  ${permissions.join(',')}  ${plan}${revoked === null ? '' : `  revoked ${revoked}`}`
}

function readPlan(text: string): Plan {
  const plan = PLANS.find((name) => name === text)
  if (plan === undefined) throw new ConfigError(`--plan: must be one of ${PLANS.join(', ')}.`)
  return plan
}

function readPermissions(text: string): readonly Permission[] {
  const given = text.split(',').map((permission) => permission.trim())
  const known = PERMISSIONS.filter((permission) => given.includes(permission))
  if (known.length !== given.length)
    throw new ConfigError(`--permissions: must be some of ${PERMISSIONS.join(', ')}.`)
  return known
}

function readExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const date = readDate(text)
  if (date === null) throw new ConfigError('--expires: must be an ISO 8601 date such as 2030-01-31.')
  if (date <= new Date().toISOString()) throw new ConfigError('--expires: must be in the future.')
  return date
}
