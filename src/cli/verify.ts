import { Command } from 'commander'
import { ServiceError } from '../domain/errors.ts'
import type { Progress, StoreDifference, Verification } from '../services/operating/verification.ts'
import { assertDatabase, idArgument, print } from './administration.ts'
import { count } from './format-numbers.ts'
import { configOf, STORE_SETTINGS, withSettings } from './settings.ts'

const PROGRESS_MS = 2_000

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('compare published files and uploads with the database; a server may be running')
    .option('--project <id>', 'only this project (default: all projects)')
    .option(
      '--repair',
      'restore files, derive pictures again, rebuild indexes, and remove files that no release published',
      false,
    )
    .option('--no-media', 'without uploads and their smaller pictures')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExits with 0 when database and storage agree at the end, and with 1 when they do not.\n\nExample:\n  quoin verify --data ./data --repair\n',
    )
    .action(async ({ project, repair, media }: VerifyFlags, command: Command) => {
      const wanted = { project: project === undefined ? null : idArgument('proj', project), repair, media }
      const config = configOf(command)
      assertDatabase(config)
      const { openVerification } = await import('../app/verification.ts')
      const { verification, close } = await openVerification(config, { recover: repair })
      try {
        const result = await verification.verify({ ...wanted, onProgress: progressLines() })
        print(command, presentVerification(result), lines(result))
        if (!isConsistent(result)) throw new ServiceError('conflict', disagreement(repair))
      } finally {
        await close()
      }
    })
  return withSettings(command, STORE_SETTINGS)
}

interface VerifyFlags {
  readonly project?: string
  readonly repair: boolean
  readonly media: boolean
}

function disagreement(repair: boolean): string {
  return repair
    ? 'Some differences could not be repaired.'
    : 'Database and storage do not agree. Repair them with --repair.'
}

function isConsistent({ findings }: Verification): boolean {
  return findings.every(({ repaired }) => repaired)
}

function presentVerification(verification: Verification) {
  const { projects, objects, findings } = verification
  return {
    ok: isConsistent(verification),
    projects,
    objects,
    differences: findings.map(({ projectId, store, kind, key, message, repaired }) => ({
      project_id: projectId,
      store,
      kind,
      key,
      message,
      repaired,
    })),
  }
}

function lines({ projects, objects, findings }: Verification): readonly string[] {
  const open = findings.filter(({ repaired }) => !repaired).length
  const fixed = findings.length - open
  const verdict = open === 0 ? 'database and storage agree' : count(open, 'difference')
  return [
    ...findings.map(line),
    `${count(objects, 'object')} of ${count(projects, 'project')}: ${verdict}${fixed === 0 ? '' : `, ${fixed} fixed`}.`,
  ]
}

function line({ projectId, store, kind, key, message, repaired }: StoreDifference): string {
  const where = store === 'media' ? 'in the media store: ' : ''
  return `${repaired ? 'fixed' : kind}  ${where}${projectId}/${key}  ${message}`
}

/** Prints the progress of long work on standard error every few seconds. */
function progressLines(): (progress: Progress) => void {
  let next = Date.now() + PROGRESS_MS
  return ({ projectId, read, total }) => {
    if (Date.now() < next) return
    next = Date.now() + PROGRESS_MS
    console.error(`${projectId}: ${read} of ${total} objects compared`)
  }
}
