import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import type { WrittenBackup } from '../backup/create-backup.ts'
import { assertDatabase, print } from './administration.ts'
import { backupProgress } from './backup-progress.ts'
import { count, seconds, size } from './format-numbers.ts'
import { newPassphrase, PASSPHRASE_FLAG, PASSPHRASE_HELP } from './passphrase.ts'
import { configOf, STORE_SETTINGS, withSettings } from './settings.ts'
import { storageArgument } from './storage-argument.ts'

interface BackupFlags {
  readonly to: string
  readonly passphraseFile?: string
}

/** Everything in a backup is its user's alone. */
const PRIVATE = 0o077

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('back up the database, the master key and the published files; a server may be running')
    .requiredOption('--to <target>', 'a folder, or s3://bucket/prefix?region=&endpoint=')
    .option(PASSPHRASE_FLAG, PASSPHRASE_HELP)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
A target holds one backup. The next one sends only what has changed, and replaces the earlier
one when it is complete. The passphrase seals the master key: keep it elsewhere. Published files
in a bucket are not part of the backup. Restore it with quoin restore.

Examples:
  quoin backup --data ./data --to /backup/quoin --passphrase-file /etc/quoin/passphrase
  quoin backup --data ./data --to 's3://my-backups/quoin?region=eu-central-1'
`,
    )
    .action(async ({ to, passphraseFile }: BackupFlags, command: Command) => {
      const startedAt = performance.now()
      const config = configOf(command)
      assertDatabase(config)
      const target = storageArgument('--to', to)
      const passphrase = await newPassphrase(passphraseFile)
      process.umask(PRIVATE)
      const { backUp } = await import('../app/backup.ts')
      const written = await backUp(config, { to: target, passphrase, onProgress: backupProgress() })
      const ms = Math.round(performance.now() - startedAt)
      print(command, { ...presentBackup(written), ms }, lines(written, to, ms))
    })
  return withSettings(command, [...STORE_SETTINGS, 'QUOIN_MASTER_KEY'])
}

function presentBackup({ backup, sent }: WrittenBackup) {
  const { createdAt, version, migrations, database, objects } = backup
  return {
    ok: true,
    created_at: createdAt,
    version,
    migrations,
    database_bytes: database.bytes,
    files: objects?.length ?? null,
    sent_blobs: sent.blobs,
    sent_bytes: sent.bytes,
  }
}

function lines({ backup, sent }: WrittenBackup, to: string, ms: number): readonly string[] {
  const { database, objects } = backup
  const files =
    objects === null ? 'published files stay in their bucket' : count(objects.length, 'published file')
  return [
    `${to}: database (${size(database.bytes)}), master key, ${files}; ${size(sent.bytes)} sent; ${seconds(ms)}.`,
  ]
}
