import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import type { WrittenBackup } from '../backup/create-backup.ts'
import { ServiceError } from '../domain/errors.ts'
import { assertDatabase, printOutcome } from './administration.ts'
import { backupProgress } from './backup-progress.ts'
import { count, seconds, size } from './format-numbers.ts'
import { newPassphrase, PASSPHRASE_FLAG, PASSPHRASE_HELP } from './passphrase.ts'
import { configOf, STORE_SETTINGS, withSettings } from './settings.ts'
import { storageArgument } from './storage-argument.ts'

interface BackupFlags {
  readonly to: string
  readonly passphraseFile?: string
  readonly media: boolean
}

/** Everything in a backup is its user's alone. */
const PRIVATE = 0o077

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('back up the database, the master key, uploads and published files; a server may be running')
    .requiredOption('--to <target>', 'a folder, or s3://bucket/prefix?region=&endpoint=')
    .option(PASSPHRASE_FLAG, PASSPHRASE_HELP)
    .option('--no-media', 'without uploads, e.g. because the versions of their bucket are backup enough')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
A target holds one backup. The next one sends only what has changed, and replaces the earlier
one when it is complete. The passphrase seals the master key: keep it elsewhere. Uploads are part
of the backup wherever QUOIN_MEDIA_URL has them. Published files in a bucket are not: quoin verify
--repair writes them again. Exits with 1 when the media store has lost uploads; all else is backed
up then. Restore it with quoin restore.

Examples:
  quoin backup --data ./data --to /backup/quoin --passphrase-file /etc/quoin/passphrase
  quoin backup --data ./data --to 's3://my-backups/quoin?region=eu-central-1' --json
`,
    )
    .action(async ({ to, passphraseFile, media }: BackupFlags, command: Command) => {
      const startedAt = performance.now()
      const config = configOf(command)
      assertDatabase(config)
      const target = storageArgument('--to', to)
      const passphrase = await newPassphrase(passphraseFile)
      process.umask(PRIVATE)
      const { backUp } = await import('../app/backup.ts')
      const written = await backUp(config, { to: target, passphrase, media, onProgress: backupProgress() })
      const ms = Math.round(performance.now() - startedAt)
      printOutcome(command, lostFailure(written), { ...presentBackup(written), ms }, lines(written, to, ms))
    })
  return withSettings(command, [...STORE_SETTINGS, 'QUOIN_MASTER_KEY'])
}

/** The failure of a backup that is complete except for uploads lost by the media store; null for others. */
function lostFailure({ lost }: WrittenBackup): ServiceError | null {
  if (lost.length === 0) return null
  return new ServiceError(
    'conflict',
    `${count(lost.length, 'upload')} missing or damaged in the media store; all else was backed up. Copy them back from an earlier backup, or delete the assets and upload the files again.`,
  )
}

function presentBackup({ backup, sent, lost }: WrittenBackup) {
  const { createdAt, version, migrations, database, objects, media } = backup
  return {
    created_at: createdAt,
    version,
    migrations,
    database_bytes: database.bytes,
    files: objects?.length ?? null,
    uploads: media?.length ?? null,
    lost,
    sent_blobs: sent.blobs,
    sent_bytes: sent.bytes,
  }
}

function lines({ backup, sent, lost }: WrittenBackup, to: string, ms: number): readonly string[] {
  const { database, objects, media } = backup
  const uploads =
    media === null ? 'no uploads: back up QUOIN_MEDIA_URL by other means' : count(media.length, 'upload')
  const files =
    objects === null ? 'published files stay in their bucket' : count(objects.length, 'published file')
  return [
    ...lost.map((key) => `lost  ${key}  Its bytes are missing in the media store, or damaged.`),
    `${to}: database (${size(database.bytes)}), master key, ${files}, ${uploads}; ${size(sent.bytes)} sent; ${seconds(ms)}.`,
  ]
}
