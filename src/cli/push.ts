import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix, relative, resolve, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import type { Site } from '../content-folder/site.ts'
import { SITE_FILE } from '../content-folder/site-file.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import type { Overwrite } from '../push/overwrite.ts'
import type { TargetProject } from '../push/project.ts'
import type { PushTrouble } from '../push/push-diagnostic.ts'
import { type PushReport, pushSite } from '../push/push-site.ts'
import { createFolderStateStore } from '../push/push-state.ts'
import { type AssetUse, usedAssets } from '../push/used-assets.ts'
import { printOutcome } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import { failWithErrors, incompleteFailure } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds } from './format-numbers.ts'
import { locateWarnings, warningLines, warningSuffix } from './page-warnings.ts'
import { progressOf } from './progress.ts'
import { presentTarget, projectArgument, projectSteps, projectTitle } from './project-argument.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface PushFlags extends Verbosity {
  readonly server?: string
  readonly project?: string
  readonly keyFile?: string
  readonly publish: boolean
  readonly prune: boolean
  /** The words after the flag; true for it alone. */
  readonly force: boolean | readonly string[]
  readonly dryRun: boolean
}

export function pushCommand(): Command {
  return new Command('push')
    .description('a content folder to a server through its API, only what changed')
    .usage('[options] <folder>')
    .argument('[folder]', 'content folder, with a site.yaml')
    .option('--server <url>', 'where the API is reached [QUOIN_URL]')
    .option(
      '--project <id>',
      'the project; without it, the one of the name that site.yaml says [QUOIN_PROJECT]',
    )
    .option('--key-file <file>', 'file that holds the API key; else it is read from QUOIN_KEY')
    .option('--publish', 'publish what is not live as the folder says, and take drafts off', false)
    .option('--prune', 'remove pages that pushes made and the folder no longer has', false)
    .option(
      '--force [files...]',
      'write also over what was edited on the server since: of these files, or of all',
      false,
    )
    .option('--dry-run', 'say what would be done, and do nothing', false)
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
What was pushed is remembered in .quoin/push.json beneath the folder; it holds no
secret and may be kept with the files. Exits with 1 when something was edited on
the server since and was left, or was refused. quoin export shows what is there.

The API takes pages and settings, no files: pictures and other files of static/ are
not sent, and pages that name them show nothing there. Each such place is told. Name
pictures by their whole address elsewhere, or quoin build and deploy the site instead.

Examples:
  QUOIN_KEY=qn_live_… quoin push ./site --server https://quoin.example.com --publish
  quoin push ./site --force docs/a.md site.yaml
`,
    )
    .action(async (given: string | undefined, flags: PushFlags, command: Command) => {
      const began = performance.now()
      const { path, forced } = splitFolder(given, flags.force)
      if (path === undefined)
        command.error("error: missing required argument 'folder'", { code: 'commander.missingArgument' })
      const folder = folderArgument(path)
      const force = typeof forced === 'boolean' ? forced : new Set(forced.map((name) => within(folder, name)))
      const server = serverArgument(flags.server)
      const api = openApi(server, readKey(flags.keyFile))
      const site = await readFolder(folder, command)
      const { project, report } = await push(folder, site, { server, api, flags, force }).catch((error) =>
        throwUnreachable(server, error, 'Push again'),
      )
      const ms = Math.round(performance.now() - began)
      const notSent = site.assets.map(({ source }) => source)
      const warnings = await locateWarnings(folder, site, report.warnings)
      const missing = usedAssets(await textsOf(folder, site), site.assets)
      printOutcome(
        command,
        incompleteFailure(report, flags.dryRun ? 'looked at' : 'pushed'),
        {
          dry_run: flags.dryRun,
          ...presentTarget(project),
          ...presentReport(report, warnings),
          not_sent: notSent,
          missing,
          ms,
        },
        lines(report, { project, name: site.name, warnings, notSent, missing, ms }, flags),
      )
    })
}

/** The folder too may stand after `--force`, which takes all words up to the next flag: it is the last one then. */
function splitFolder(
  given: string | undefined,
  force: PushFlags['force'],
): { readonly path: string | undefined; readonly forced: PushFlags['force'] } {
  if (given !== undefined || typeof force === 'boolean') return { path: given, forced: force }
  const files = force.slice(0, -1)
  return { path: force.at(-1), forced: files.length === 0 ? true : files }
}

/** A file as the folder names it, however it was named: beneath the folder, or from where the command was started. */
function within(folder: string, name: string): string {
  const near = relative(folder, resolve(name))
  const isBeneath = near !== '..' && !near.startsWith(`..${sep}`)
  return isBeneath && existsSync(resolve(name)) ? near.replaceAll(sep, '/') : posix.normalize(name)
}

interface PushContext {
  readonly server: string
  readonly api: Client
  readonly flags: PushFlags
  readonly force: Overwrite
}

async function push(
  folder: string,
  site: Site,
  { server, api, flags, force }: PushContext,
): Promise<{ readonly project: TargetProject; readonly report: PushReport }> {
  await assertReachable(server)
  const project = await projectArgument(api, site.name, flags)
  const { publish, prune, dryRun } = flags
  const report = await pushSite(
    site,
    { project: project.id, publish, prune, overwrite: force, dryRun },
    {
      api,
      state: createFolderStateStore(folder, `${server} ${project.id}`),
      monotonic: () => performance.now(),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing pages'),
    },
  )
  return { project, report }
}

/** @throws {ServiceError} after its faults were printed. */
async function readFolder(folder: string, command: Command): Promise<Site> {
  const { readSite } = await import('../content-folder/read-site.ts')
  const { site, errors: faults } = await readSite(folder)
  return faults.length === 0 ? site : failWithErrors(command, faults, 'nothing was pushed.')
}

async function textsOf(folder: string, { pages }: Site): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const file of [SITE_FILE, ...pages.map(({ source }) => source)].sort())
    texts.set(file, await readFile(join(folder, file), 'utf8'))
  return texts
}

function presentReport(
  { live: _, warnings: __, warningCount, unpruned, ...report }: PushReport,
  warnings: readonly Diagnostic[],
) {
  return { ...report, left: unpruned, warnings, warning_count: warningCount }
}

interface PushResults {
  readonly project: TargetProject
  /** Of the site. */
  readonly name: string
  readonly warnings: readonly Diagnostic[]
  readonly notSent: readonly string[]
  readonly missing: readonly AssetUse[]
  readonly ms: number
}

/** A dry run is asked for what it says. */
function lines(report: PushReport, told: PushResults, flags: PushFlags): readonly string[] {
  const troubles = [
    ...[...report.conflicts, ...report.failures].map(diagnosticLine),
    ...warningLines(told.warnings, report.warningCount),
  ]
  if (flags.quiet && !flags.dryRun) return troubles
  return [
    ...(flags.dryRun || flags.verbose ? [...projectSteps(told.project, told.name), ...steps(report)] : []),
    ...troubles,
    ...notes(report, told),
    ...filesNotSent(report, told, flags),
    summary(report, told, flags),
  ]
}

function steps(report: PushReport): readonly string[] {
  return [
    ...report.settings.map((name) => `settings   ${name}`),
    ...report.created.map((file) => `create     ${file}`),
    ...report.updated.map((file) => `update     ${file}`),
    ...report.published.map((file) => `publish    ${file}`),
    ...report.unpublished.map((file) => `unpublish  ${file}`),
    ...report.removed.map((file) => `remove     ${file}`),
  ]
}

function notes({ unpruned, conflicts }: PushReport, { project }: PushResults): readonly string[] {
  return [
    ...(conflicts.length === 0
      ? []
      : [`What is on the server is shown by  quoin export ${project.id} --out <another folder>`]),
    ...(unpruned.length === 0
      ? []
      : [`No longer in the folder, and still there: ${unpruned.join(', ')}. --prune removes them.`]),
  ]
}

/** Places that are told without --verbose. */
const MAX_LISTED_PLACES = 20

/** Pictures and other files that the pages will lack; of what was sent now, since the others were told then. */
function filesNotSent(
  { settings, created, updated }: PushReport,
  { notSent, missing }: PushResults,
  { verbose }: PushFlags,
): readonly string[] {
  if (notSent.length === 0) return []
  const sent = new Set([...created, ...updated, ...(settings.length > 0 ? [SITE_FILE] : [])])
  const told = verbose ? missing : missing.filter(({ file }) => sent.has(file)).slice(0, MAX_LISTED_PLACES)
  const named = new Set(missing.map(({ asset }) => asset)).size
  const note = `static: ${count(notSent.length, 'file')} not sent; the API takes pages and settings alone.`
  return [
    ...told.map(({ file, line, asset }) => `${file}:${line}: ${asset} will be missing on the site.`),
    ...(told.length === missing.length ? [] : [unlistedPlaces(missing.length - told.length, told.length)]),
    named === 0
      ? note
      : `${note} Pages name ${named} of them, and show nothing there: put these where they can be read and name them by their whole address (https://…), or build and deploy the site instead.`,
  ]
}

function unlistedPlaces(places: number, told: number): string {
  const rest = told === 0 ? `In ${count(places, 'place')}` : `And in ${count(places, 'more place')}`
  return `${rest} files will be missing; --verbose tells where.`
}

function summary(
  report: PushReport,
  { project, name, ms }: PushResults,
  { dryRun, publish }: PushFlags,
): string {
  const { settings, created, updated, unchanged, published, unpublished, removed, warningCount } = report
  const pages = `${created.length} created, ${updated.length} updated, ${unchanged} unchanged, ${removed.length} removed`
  const went = publish
    ? `; ${published.length} published, ${unpublished.length} taken off${warningSuffix(warningCount)}`
    : ''
  const end = dryRun ? '. Nothing was done.' : `; ${seconds(ms)}.`
  return `${projectTitle(project, name)}: ${count(settings.length, 'setting')} changed; pages: ${pages}${went}${end}`
}

function diagnosticLine({ file, message }: PushTrouble): string {
  return `${file}: ${message}`
}
