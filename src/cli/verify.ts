import { Command } from 'commander'
import { ServiceError } from '../domain/errors.ts'
import type { Progress, SiteFinding, Verification } from '../services/verification.ts'
import { assertDatabase, idArgument, print } from './administration.ts'
import { configOf, STORE_SETTINGS, withSettings } from './settings.ts'

const PROGRESS_MS = 2_000

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('compare what is published with what the database says, while a server runs or not')
    .option('--project <id>', 'one project only (all of them)')
    .option('--repair', 'put kept bytes back, write indexes anew, remove what nobody published', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      '\nExits 0 when database and store agree, at the end, 1 when they do not.\n\nExample:\n  quoin verify --data ./data --repair\n',
    )
    .action(async ({ project, repair }: { project?: string; repair: boolean }, command: Command) => {
      const wanted = { project: project === undefined ? null : idArgument('proj', project), repair }
      const config = configOf(command)
      assertDatabase(config)
      const { openVerification } = await import('../app/service.ts')
      const { verification, close } = await openVerification(config, { recover: repair })
      try {
        const result = await verification.verify({ ...wanted, onProgress: progressLines() })
        print(command, presentVerification(result), lines(result))
        if (!isConsistent(result)) throw new ServiceError('conflict', 'Database and store do not agree.')
      } finally {
        await close()
      }
    })
  return withSettings(command, STORE_SETTINGS)
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
    differences: findings.map(({ projectId, kind, key, message, repaired }) => ({
      project_id: projectId,
      kind,
      key,
      message,
      repaired,
    })),
  }
}

function lines({ projects, objects, findings }: Verification): readonly string[] {
  const left = findings.filter(({ repaired }) => !repaired).length
  const repaired = findings.length - left
  const verdict =
    left === 0 ? 'database and store agree' : `${left} ${left === 1 ? 'difference' : 'differences'}`
  return [
    ...findings.map(line),
    `${objects} objects of ${projects} ${projects === 1 ? 'project' : 'projects'}: ${verdict}${repaired === 0 ? '' : `, ${repaired} repaired`}.`,
  ]
}

function line({ projectId, kind, key, message, repaired }: SiteFinding): string {
  return `${repaired ? 'repaired' : kind}  ${projectId}/${key}  ${message}`
}

/** Says how far it is, on standard error, every few seconds of long work. */
function progressLines(): (progress: Progress) => void {
  let next = Date.now() + PROGRESS_MS
  return ({ projectId, read, total }) => {
    if (Date.now() < next) return
    next = Date.now() + PROGRESS_MS
    console.error(`${projectId}: ${read} of ${total} objects compared`)
  }
}
