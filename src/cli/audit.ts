import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { ACT_NAMES, type Act } from '../domain/audit.ts'
import { readDate } from '../domain/date.ts'
import { prefixed } from '../domain/ids.ts'
import { presentAuditEntry } from '../http/present-audit.ts'
import { idArgument, print, userArgument, withExistingDatabase } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

const MAX_LIMIT = 1_000

interface AuditOptions {
  readonly user?: string
  readonly project?: string
  readonly act?: Act
  readonly since?: string
  readonly limit: string
}

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('show who changed what, newest first')
    .option('--user <id or email>', 'only the account of this user, deleted projects included')
    .option('--project <id>', 'only this project, also a deleted one')
    .addOption(
      new Option('--act <name>', 'only changes of this kind, such as page.publish').choices(ACT_NAMES),
    )
    .option('--since <date>', 'only changes after this date, ISO 8601')
    .option('--limit <number>', 'maximum number of changes', '50')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExample:\n  quoin audit --user ada@example.com --act key.create --since 2026-01-31\n',
    )
    .action(async ({ user, project, act, since, limit }: AuditOptions, command: Command) => {
      if (user !== undefined && project !== undefined)
        throw new ConfigError('--user and --project: give one of them, a project belongs to one account.')
      const projectId = project === undefined ? null : idArgument('proj', project)
      const createdAfter = readSince(since)
      const most = readLimit(limit)
      const { items, total } = await withExistingDatabase(command, async ({ accounts, operations }) => {
        const of =
          projectId !== null
            ? { projectId }
            : user === undefined
              ? null
              : { userId: await userArgument(accounts, user) }
        return operations.audit({ of, act: act ?? null, createdAfter, createdBefore: null }, most)
      })
      const changes = items.map((entry) => ({
        account_id: prefixed('usr', entry.userId),
        ...presentAuditEntry(entry),
      }))
      const rest = total - changes.length
      const lines = [...changes.map(changeLine), ...(rest > 0 ? [`And ${rest} more.`] : [])]
      print(command, { changes, total }, lines.length === 0 ? ['No changes.'] : lines)
    })
  return withSettings(audit, DATA_SETTINGS)
}

/** Time, act, record, who by what from where, and the names of the changed fields. */
function changeLine({
  created_at,
  act,
  target,
  actor,
  fields,
  reason,
  count,
}: ReturnType<typeof presentAuditEntry>): string {
  const who = [actor.user_id, actor.credential_id ?? actor.type].filter((part) => part !== null).join(' by ')
  const parts = [
    created_at,
    act,
    target.id,
    who,
    actor.client_address,
    actor.job_id,
    fields.join(',') || null,
    reason && `${reason} × ${count}`,
  ]
  return parts.filter((part) => part !== null).join('  ')
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const date = readDate(text)
  if (date === null) throw new ConfigError('--since: must be an ISO 8601 date such as 2026-01-31.')
  return date
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new ConfigError(`--limit: must be a number from 1 to ${MAX_LIMIT}.`)
}
