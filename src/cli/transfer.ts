import { dirname, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Transferred } from '../app/transfer.ts'
import { assertDatabase, print } from './administration.ts'
import { backupProgress } from './backup-progress.ts'
import { count, seconds, size } from './format-numbers.ts'
import { configOf, withSettings } from './settings.ts'

/** Clears the other addresses of the database in the settings: they do not belong to the given databases. */
const ONLY_URL = { QUOIN_DATABASE_DIRECT_URL: '', QUOIN_DATABASE_REPLICA_URL: '' }

interface TransferFlags {
  readonly from: string
  readonly to: string
  readonly storageTo?: string
  readonly mediaTo?: string
}

export function transferCommand(): Command {
  const command = new Command('transfer')
    .description('move an installation from SQLite to PostgreSQL, and its files to buckets')
    .requiredOption('--from <url>', 'sqlite:<file>, the database as it is')
    .requiredOption('--to <url>', 'postgres://user:password@host:5432/database, an empty one, past a pooler')
    .option('--storage-to <url>', 'where published files go, s3://… or file:… (they stay where they are)')
    .option('--media-to <url>', 'where uploads go, s3://… or file:… (they stay where they are)')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Stop the server first. Nothing of the installation is changed. Files are copied and read back, then
all rows of the database in one transaction, which compares them by their digests before it commits.
After an interruption, run the same command again: files that are there are not sent again. The data
folder is that of the database unless --data names another one. The password may be in PGPASSWORD.

Example:
  quoin transfer --from sqlite:/var/lib/quoin/quoin.db --to postgres://quoin@db.internal/quoin \\
    --storage-to 's3://sites?region=eu-central-1' --media-to 's3://media?region=eu-central-1'
`,
    )
    .action(async (flags: TransferFlags, command: Command) => {
      const { from, to, storageTo, mediaTo } = flags
      const startedAt = performance.now()
      const defaults = { QUOIN_DATA: folderOf(from) }
      const source = renamed({ QUOIN_DATABASE_URL: '--from' }, () =>
        configOf(command, defaults, { QUOIN_DATABASE_URL: from, ...ONLY_URL }),
      )
      assertDatabase(source)
      const target = renamed(
        {
          QUOIN_DATABASE_URL: '--to',
          ...(storageTo !== undefined && { QUOIN_STORAGE_URL: '--storage-to' }),
          ...(mediaTo !== undefined && { QUOIN_MEDIA_URL: '--media-to' }),
        },
        () =>
          configOf(command, defaults, {
            QUOIN_DATABASE_URL: to,
            ...ONLY_URL,
            ...(storageTo !== undefined && { QUOIN_STORAGE_URL: storageTo }),
            ...(mediaTo !== undefined && { QUOIN_MEDIA_URL: mediaTo }),
          }),
      )
      const { transfer } = await import('../app/transfer.ts')
      const moved = await transfer({ from: source, to: target, onProgress: backupProgress() })
      const ms = Math.round(performance.now() - startedAt)
      const key = source.masterKey === null ? `"$(cat ${source.data}/master.key)"` : '… (as now)'
      print(command, { ok: true, ...moved, ms }, lines(moved, key, flags, ms))
    })
  return withSettings(command, ['QUOIN_DATA', 'QUOIN_STORAGE_URL', 'QUOIN_MEDIA_URL', 'QUOIN_MASTER_KEY'])
}

/** The folder of the SQLite file. */
function folderOf(url: string): string {
  return dirname(resolve(url.replace(/^sqlite:(\/\/(?=\/))?/, '')))
}

/** Names the given flags in place of the settings that they replace. */
function renamed<Result>(flags: Readonly<Record<string, string>>, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const message = Object.entries(flags).reduce(
      (text, [setting, flag]) => text.replaceAll(setting, flag),
      error.message,
    )
    throw new ConfigError(message, { cause: error })
  }
}

function lines(
  { tables, files, uploads }: Transferred,
  key: string,
  { storageTo, mediaTo }: Pick<TransferFlags, 'storageTo' | 'mediaTo'>,
  ms: number,
): readonly string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return [
    `${count(rows, 'row')} of ${count(tables.length, 'table')}, ${stored(files, 'published file')}, ${stored(uploads, 'upload')}; ${seconds(ms)}.`,
    'Every copy was read back and is the same. The former installation is unchanged: do not start it again.',
    'Start the service, and then check it with quoin verify, with these settings:',
    '  QUOIN_DATABASE_URL  as --to',
    `  QUOIN_MASTER_KEY    ${key}`,
    ...(storageTo === undefined ? [] : ['  QUOIN_STORAGE_URL   as --storage-to']),
    ...(mediaTo === undefined ? [] : ['  QUOIN_MEDIA_URL     as --media-to']),
  ]
}

function stored(store: Transferred['files'], what: string): string {
  if (store === null) return `${what}s stay where they are`
  return `${count(store.objects, what)} (${size(store.bytes)}, ${store.copied} sent)`
}
