import { sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { print } from './administration.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds, size } from './format-numbers.ts'
import { progressOf } from './progress.ts'
import { storageArgument } from './storage-argument.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface DeployFlags extends Verbosity {
  readonly to: string
  readonly dryRun: boolean
  readonly replace: boolean
  readonly all: boolean
}

export function deployCommand(): Command {
  return new Command('deploy')
    .description('upload the changes of a built folder to a bucket or another folder')
    .argument('<folder>', 'folder that quoin build wrote')
    .requiredOption('--to <target>', 'a folder, or s3://bucket/prefix?region=&endpoint=')
    .option('--dry-run', 'print what would be done, without doing it', false)
    .option('--replace', 'also replace files that no deploy uploaded', false)
    .option('--all', 'upload every file, changed or not', false)
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Files in the target that no deploy uploaded are never removed, and replaced only with --replace.
Credentials of a bucket come from where the AWS SDK looks for them, e.g. AWS_ACCESS_KEY_ID
and AWS_SECRET_ACCESS_KEY.

Example:
  quoin deploy ./dist --to 's3://my-site?region=eu-central-1'
`,
    )
    .action(async (path: string, flags: DeployFlags, command: Command) => {
      const startedAt = performance.now()
      const { to, dryRun, replace, all } = flags
      const folder = folderArgument(path, 'build the site with quoin build')
      const target = targetArgument(to, folder)
      const { deploy } = await import('../app/deploy.ts')
      const request = { folder, dryRun, replace, all }
      const plan = await deploy(request, target, progressOf('Uploading files'))
      const ms = Math.round(performance.now() - startedAt)
      print(command, { ok: true, dry_run: dryRun, ...presentPlan(plan), ms }, lines(plan, flags, ms))
    })
}

/** @throws {ConfigError} */
function targetArgument(text: string, folder: string): StorageTarget {
  const target = storageArgument('--to', text)
  if (target.kind === 'folder' && (isWithin(target.folder, folder) || isWithin(folder, target.folder)))
    throw new ConfigError('--to: the target must not contain the built folder or be inside of it.')
  return target
}

function isWithin(inner: string, outer: string): boolean {
  return `${inner}${sep}`.startsWith(`${outer}${sep}`)
}

function presentPlan({ uploads, unchanged, deletes }: DeployPlan) {
  return {
    put: uploads.map(({ key, size: bytes, reason }) => ({ key, bytes, reason })),
    kept: unchanged,
    removed: deletes,
  }
}

/** The lines of text output. A dry run prints all of them, even with --quiet. */
function lines(plan: DeployPlan, { to, dryRun, quiet, verbose }: DeployFlags, ms: number): readonly string[] {
  if (dryRun) return [...steps(plan), `${to}: ${wouldDo(plan)}. Dry run: nothing was changed.`]
  if (quiet) return []
  return [...(verbose ? steps(plan) : []), `${to}: ${didDo(plan)}; ${seconds(ms)}.`]
}

function steps({ uploads, deletes }: DeployPlan): readonly string[] {
  return [
    ...uploads.map(({ key, reason }) => `upload  ${key}  (${reason})`),
    ...deletes.map((key) => `remove  ${key}`),
  ]
}

function didDo({ uploads, unchanged, deletes }: DeployPlan): string {
  return `${count(uploads.length, 'file')} uploaded (${bytesOf(uploads)}), ${unchanged} unchanged, ${deletes.length} removed`
}

function wouldDo({ uploads, unchanged, deletes }: DeployPlan): string {
  return `${count(uploads.length, 'file')} to upload (${bytesOf(uploads)}), ${unchanged} unchanged, ${deletes.length} to remove`
}

function bytesOf(uploads: DeployPlan['uploads']): string {
  return size(uploads.reduce((sum, upload) => sum + upload.size, 0))
}
