import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { readFileBody } from '../platform/file-body.ts'
import type { TargetProject } from '../push/project.ts'
import type { ImportReport } from '../transfer/import-project.ts'
import type { ReadExport } from '../transfer/read-export.ts'
import { printOutcome } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { failWithErrors, incompleteFailure } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds } from './format-numbers.ts'
import { locateWarnings, warningLines, warningSuffix } from './page-warnings.ts'
import { progressOf } from './progress.ts'
import { presentTarget, projectArgument, projectSteps, projectTitle } from './project-argument.ts'
import { sentPictureLines } from './undecoded-pictures.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface ImportFlags extends Verbosity, DiagnosticFlags {
  readonly server?: string
  readonly project?: string
  readonly keyFile?: string
  readonly publish: boolean
  readonly force: boolean
  readonly wait: boolean
  readonly dryRun: boolean
  readonly allowMissingFiles: boolean
  readonly allowChangedFiles: boolean
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('import a folder that quoin export wrote into a project on a server')
    .argument('<folder>', 'folder that quoin export wrote')
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option(
      '--project <id>',
      'project to import into; without it, the project with the exported name, created if missing [QUOIN_PROJECT]',
    )
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .option('--publish', 'publish the pages that were live, and schedule those that were scheduled', false)
    .option('--force', 'replace values that differ on the server', false)
    .option(
      '--allow-missing-files',
      'import without the pictures and files that the folder lacks or the server refuses',
      false,
    )
    .option('--allow-changed-files', 'import pictures and files that changed since the export', false)
    .option('--wait', 'wait up to five minutes for the smaller ones of new pictures before publishing', false)
    .option('--no-wait', 'publish without waiting for them, which is the default')
    .option('--dry-run', 'print what would be done, without doing it', false)
  return withDiagnosticFlags(command)
    .addOption(quietOption())
    .addOption(verboseOption())
    .addHelpText(
      'after',
      `
Sends pictures and files first, then settings and pages. Does not send what the server already
has, so running it again finishes an interrupted import. Settings and pages are imported only
when all files are there, unless --allow-missing-files is given. Pages are published without
waiting for the smaller pictures that the server derives, unless --wait is given: the server adds
them to the live pages by itself. The folder is not changed.
Exits with 1 when the server refused something, or has another value that was not replaced.

Examples:
  QUOIN_KEY=qn_live_… quoin import ./backup --server https://quoin.example.org --publish
  QUOIN_KEY=qn_live_… quoin import ./backup --server https://quoin.example.org --dry-run --json
`,
    )
    .action(async (path: string, flags: ImportFlags, command: Command) => {
      const startedAt = performance.now()
      const folder = folderArgument(path, 'export a project with quoin export')
      const hidden = readIgnored(flags.ignore)
      const server = serverArgument(flags.server)
      const api = openApi(server, readKey(flags.keyFile))
      const read = await readFolder(folder, command)
      const { project, report } = await runImport(read, { folder, server, api, flags }).catch((error) =>
        throwUnreachable(server, error, 'import again'),
      )
      const ms = Math.round(performance.now() - startedAt)
      const located = await locateWarnings(folder, read.site, report.warnings)
      const warnings = located.filter(({ code }) => !hidden.has(code))
      const unlisted = report.warningCount - report.warnings.length
      const { isProjectArchived, stoppedBy, warningCount: _, ...rest } = report
      printOutcome(
        command,
        stoppedFailure(report) ?? incompleteFailure(report, flags.dryRun ? 'checked' : 'imported'),
        {
          dry_run: flags.dryRun,
          ...presentTarget(project),
          ...rest,
          warnings,
          warning_count: warnings.length + unlisted,
          diagnostics: [...report.conflicts, ...report.failures, ...warnings],
          project_archived: isProjectArchived,
          stopped_by: stoppedBy,
          ms,
        },
        lines(read, report, { folder, project, warnings, unlisted, ms }, flags),
      )
    })
}

/** The failure of an import that ended before pages and settings; null for others. */
function stoppedFailure({ stoppedBy, failures }: ImportReport): ServiceError | null {
  if (stoppedBy === null) return null
  const files = count(failures.length, 'file')
  return stoppedBy === 'folder'
    ? new ServiceError(
        'validation_error',
        `${files} of the export are missing or changed. Nothing was imported. Export again, or import the others with --allow-missing-files and --allow-changed-files.`,
      )
    : new ServiceError(
        'validation_error',
        `The server refused ${files}. Settings and pages were not imported. Import again when the cause is gone, or without these files with --allow-missing-files.`,
      )
}

/** @throws {ServiceError} after printing the errors of the folder. */
async function readFolder(folder: string, command: Command): Promise<ReadExport> {
  const { readExport } = await import('../transfer/read-export.ts')
  const read = await readExport(folder, progressOf('Reading files'))
  return read.errors.length === 0
    ? read
    : failWithErrors(command, read.errors, folder, 'nothing was imported.')
}

interface ImportContext {
  readonly folder: string
  readonly server: string
  readonly api: Client
  readonly flags: ImportFlags
}

async function runImport(
  read: ReadExport,
  { folder, server, api, flags }: ImportContext,
): Promise<{ readonly project: TargetProject; readonly report: ImportReport }> {
  await assertReachable(server)
  const project = await projectArgument(api, read.site.name, flags)
  const { importProject } = await import('../transfer/import-project.ts')
  const { publish, force, dryRun } = flags
  const allow = { missing: flags.allowMissingFiles, changed: flags.allowChangedFiles }
  const report = await importProject(
    read,
    { project: project.id, publish, overwrite: force, dryRun, allow },
    {
      api,
      monotonic: () => performance.now(),
      now: () => new Date().toISOString(),
      readFile: (source) => readFileBody(join(folder, source)),
      onFile: progressOf('Sending files'),
      ...(flags.wait && {
        variants: { pause: (ms: number) => pause(ms), onDerived: progressOf('Waiting for smaller pictures') },
      }),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing pages'),
    },
  )
  return { project, report }
}

interface ImportResults {
  /** The exported folder. */
  readonly folder: string
  readonly project: TargetProject
  readonly warnings: readonly Diagnostic[]
  /** Number of warnings that the server does not list. */
  readonly unlisted: number
  readonly ms: number
}

/** The lines of text output. A dry run prints all of them, even with --quiet. */
function lines(
  { site, details }: ReadExport,
  report: ImportReport,
  results: ImportResults,
  flags: ImportFlags,
): readonly string[] {
  const { folder, project, warnings, unlisted, ms } = results
  const problems = [
    ...diagnosticLines([...report.conflicts, ...report.failures], folder, flags),
    ...warningLines(results, flags),
  ]
  if (flags.quiet && !flags.dryRun) return problems
  return [
    ...(flags.dryRun || flags.verbose ? [...projectSteps(project, site.name), ...steps(report)] : []),
    ...problems,
    ...(details.hosting.mode === 'data_mode'
      ? [
          'The exported project is in Data Mode. Its content key was not exported: switching Data Mode on creates a new one.',
        ]
      : []),
    ...sentPictureLines(report.files),
    summary(report, projectTitle(project, site.name), warnings.length + unlisted, flags, ms),
    ...(report.address === null ? [] : [`The site is at ${report.address}`]),
  ]
}

function steps(report: ImportReport): readonly string[] {
  return [
    ...report.files.sent.map((file) => `send       ${file}`),
    ...report.files.described.map((file) => `describe   ${file}`),
    ...report.settings.map((name) => `settings   ${name}`),
    ...report.redirects.map((from) => `redirect   ${from}`),
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
  { settings, files, created, updated, unchanged, published, archived, scheduled }: ImportReport,
  project: string,
  warningCount: number,
  { dryRun, publish }: ImportFlags,
  ms: number,
): string {
  const pages = `${created.length} created, ${updated.length} updated, ${unchanged} unchanged, ${archived.length} archived`
  const media =
    files.sent.length + files.unchanged === 0
      ? ''
      : `; files: ${files.sent.length} sent, ${files.unchanged} unchanged`
  const went = publish
    ? `; ${published.length} published, ${scheduled.length} scheduled${warningSuffix(warningCount)}`
    : ''
  const end = dryRun ? '. Dry run: nothing was changed.' : `; ${seconds(ms)}.`
  return `${project}: ${count(settings.length, 'setting')} changed; pages: ${pages}${media}${went}${end}`
}
