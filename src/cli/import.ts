import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import type { TargetProject } from '../push/project.ts'
import type { ImportReport } from '../transfer/import-project.ts'
import type { ReadExport } from '../transfer/read-export.ts'
import { printOutcome } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import { failWithErrors, incompleteFailure } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds } from './format-numbers.ts'
import { locateWarnings, warningLines, warningSuffix } from './page-warnings.ts'
import { progressOf } from './progress.ts'
import { presentTarget, projectArgument, projectSteps, projectTitle } from './project-argument.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface ImportFlags extends Verbosity {
  readonly server?: string
  readonly project?: string
  readonly keyFile?: string
  readonly publish: boolean
  readonly force: boolean
  readonly dryRun: boolean
}

export function importCommand(): Command {
  return new Command('import')
    .description('what quoin export wrote into a project on a server')
    .argument('<folder>', 'what quoin export wrote')
    .option('--server <url>', 'where the API is reached [QUOIN_URL]')
    .option(
      '--project <id>',
      'the project; without it, the one of the name that was exported, made when there is none [QUOIN_PROJECT]',
    )
    .option('--key-file <file>', 'file that holds the API key; else it is read from QUOIN_KEY')
    .option('--publish', 'publish the pages that were live, and schedule those that were', false)
    .option('--force', 'write also over what is otherwise on the server', false)
    .option('--dry-run', 'say what would be done, and do nothing', false)
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
What is there already is not sent again: an import that was broken off is ended by the
next. The folder is only read. Exits with 1 when something was otherwise on the server
and was left, or was refused.

Example:
  QUOIN_KEY=qn_live_… quoin import ./backup --server https://quoin.example.org --publish
`,
    )
    .action(async (path: string, flags: ImportFlags, command: Command) => {
      const began = performance.now()
      const folder = folderArgument(path)
      const server = serverArgument(flags.server)
      const api = openApi(server, readKey(flags.keyFile))
      const read = await readFolder(folder, command)
      const { project, report } = await runImport(read, { server, api, flags }).catch((error) =>
        throwUnreachable(server, error, 'Import again'),
      )
      const ms = Math.round(performance.now() - began)
      const warnings = await locateWarnings(folder, read.site, report.warnings)
      const { isProjectArchived, warningCount, ...told } = report
      printOutcome(
        command,
        incompleteFailure(report, flags.dryRun ? 'looked at' : 'imported'),
        {
          dry_run: flags.dryRun,
          ...presentTarget(project),
          ...told,
          warnings,
          warning_count: warningCount,
          project_archived: isProjectArchived,
          ms,
        },
        lines(read, report, { project, warnings, ms }, flags),
      )
    })
}

/** @throws {ServiceError} after its faults were printed. */
async function readFolder(folder: string, command: Command): Promise<ReadExport> {
  const { readExport } = await import('../transfer/read-export.ts')
  const read = await readExport(folder)
  return read.faults.length === 0 ? read : failWithErrors(command, read.faults, 'nothing was imported.')
}

interface ImportContext {
  readonly server: string
  readonly api: Client
  readonly flags: ImportFlags
}

async function runImport(
  read: ReadExport,
  { server, api, flags }: ImportContext,
): Promise<{ readonly project: TargetProject; readonly report: ImportReport }> {
  await assertReachable(server)
  const project = await projectArgument(api, read.site.name, flags)
  const { importProject } = await import('../transfer/import-project.ts')
  const { publish, force, dryRun } = flags
  const report = await importProject(
    read,
    { project: project.id, publish, overwrite: force, dryRun },
    {
      api,
      monotonic: () => performance.now(),
      now: () => new Date().toISOString(),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing pages'),
    },
  )
  return { project, report }
}

interface ImportResults {
  readonly project: TargetProject
  readonly warnings: readonly Diagnostic[]
  readonly ms: number
}

/** A dry run is asked for what it says. */
function lines(
  { site, details: home }: ReadExport,
  report: ImportReport,
  { project, warnings, ms }: ImportResults,
  flags: ImportFlags,
): readonly string[] {
  const troubles = [
    ...[...report.conflicts, ...report.failures].map(({ file, message }) => `${file}: ${message}`),
    ...warningLines(warnings, report.warningCount),
  ]
  if (flags.quiet && !flags.dryRun) return troubles
  return [
    ...(flags.dryRun || flags.verbose ? [...projectSteps(project, site.name), ...steps(report)] : []),
    ...troubles,
    ...(home.hosting.mode === 'data_mode'
      ? [
          'The project was in Data Mode: its content key did not come along, and a new one is made where Data Mode is switched on.',
        ]
      : []),
    summary(report, projectTitle(project, site.name), flags, ms),
  ]
}

function steps(report: ImportReport): readonly string[] {
  return [
    ...report.settings.map((name) => `settings   ${name}`),
    ...report.created.map((file) => `create     ${file}`),
    ...report.updated.map((file) => `update     ${file}`),
    ...report.published.map((file) => `publish    ${file}`),
    ...report.unpublished.map((file) => `unpublish  ${file}`),
    ...report.archived.map((file) => `archive    ${file}`),
    ...report.scheduled.map((file) => `schedule   ${file}`),
    ...(report.isProjectArchived ? ['archive    the project'] : []),
  ]
}

function summary(
  { settings, created, updated, unchanged, published, archived, scheduled, warningCount }: ImportReport,
  project: string,
  { dryRun, publish }: ImportFlags,
  ms: number,
): string {
  const pages = `${created.length} created, ${updated.length} updated, ${unchanged} unchanged, ${archived.length} archived`
  const went = publish
    ? `; ${published.length} published, ${scheduled.length} scheduled${warningSuffix(warningCount)}`
    : ''
  const end = dryRun ? '. Nothing was done.' : `; ${seconds(ms)}.`
  return `${project}: ${count(settings.length, 'setting')} changed; pages: ${pages}${went}${end}`
}
