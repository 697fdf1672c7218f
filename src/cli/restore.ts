import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import type { Backup } from '../backup/backup.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { print } from './administration.ts'
import { backupProgress } from './backup-progress.ts'
import { count, seconds, size } from './format-numbers.ts'
import { existingPassphrase, PASSPHRASE_FLAG, PASSPHRASE_HELP } from './passphrase.ts'
import { configOf, STORE_SETTINGS, withSettings } from './settings.ts'
import { storageArgument } from './storage-argument.ts'

interface RestoreFlags {
  readonly from: string
  readonly passphraseFile?: string
  readonly force: boolean
  readonly check: boolean
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('restore a backup into an empty data folder, after checking all of it')
    .requiredOption('--from <source>', 'the folder or bucket that quoin backup wrote to')
    .option(PASSPHRASE_FLAG, PASSPHRASE_HELP)
    .option('--check', 'only check that the backup is complete and the passphrase opens it', false)
    .option('--force', 'replace the installation in the data folder; stop the server first', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Nothing is written unless the whole backup is intact. A backup of an older version is migrated.
Afterwards run quoin verify --repair, which brings the published files to what the database says.

Examples:
  quoin restore --data ./data --from /backup/quoin
  quoin restore --from 's3://my-backups/quoin?region=eu-central-1' --check
`,
    )
    .action(async ({ from, passphraseFile, force, check }: RestoreFlags, command: Command) => {
      const startedAt = performance.now()
      const config = configOf(command)
      const source = storageArgument('--from', from)
      const passphrase = await existingPassphrase(passphraseFile)
      const { checkedBackup, restore } = await import('../app/restore.ts')
      const request = { from: source, passphrase, force, onProgress: backupProgress() }
      const backup = check ? (await checkedBackup(request)).backup : await restore(config, request)
      const ms = Math.round(performance.now() - startedAt)
      const next = check ? [] : nextSteps(config.data, backup, config.storage)
      print(command, { ...presentBackup(backup), restored: !check, ms }, [
        `${check ? `${from} is intact` : config.data}: ${contents(backup)}; ${seconds(ms)}.`,
        ...next,
      ])
    })
  return withSettings(command, [...STORE_SETTINGS, 'QUOIN_MASTER_KEY'])
}

function presentBackup({ createdAt, version, database, objects, media }: Backup) {
  return {
    ok: true,
    created_at: createdAt,
    version,
    database_bytes: database.bytes,
    files: objects?.length ?? null,
    uploads: media?.length ?? null,
  }
}

function contents({ createdAt, database, objects, media }: Backup): string {
  const uploads = media === null ? 'no uploads' : count(media.length, 'upload')
  const files = objects === null ? 'no published files' : count(objects.length, 'published file')
  return `backup of ${createdAt}, database (${size(database.bytes)}), master key, ${files}, ${uploads}`
}

function nextSteps(data: string, { objects, media }: Backup, storage: StorageTarget): readonly string[] {
  return [
    ...(objects === null && storage.kind === 'folder'
      ? ['The published files are in a bucket, which is not part of the backup: set QUOIN_STORAGE_URL to it.']
      : []),
    ...(media === null
      ? [
          'Uploads are not part of the backup: copy them to the place that QUOIN_MEDIA_URL names, or set it to theirs.',
        ]
      : []),
    'Bring the published files to what the database says:',
    `  quoin verify --data ${data} --repair`,
  ]
}
