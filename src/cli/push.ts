import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix, relative, resolve, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { mediaAlias } from '../domain/media-name.ts'
import { mayReferToFiles } from '../page-text/file-references.ts'
import { lostReferences, type MissingFile, missingFiles, notSentFiles } from '../push/missing-files.ts'
import { NOT_CREATED } from '../push/project.ts'
import type { PushReport } from '../push/push-site.ts'
import { printOutcome } from './administration.ts'
import { assertReachable, openApi, readKey, serverArgument, throwUnreachable } from './api-access.ts'
import { type CheckedFolder, checkFolder } from './check-folder.ts'
import {
  type DiagnosticFlags,
  diagnosticLines,
  readIgnored,
  withDiagnosticFlags,
} from './diagnostic-format.ts'
import { failWithErrors, incompleteFailure } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count, seconds } from './format-numbers.ts'
import { ignoredLines } from './ignored-lines.ts'
import { locateWarnings, warningLines, warningSuffix } from './page-warnings.ts'
import { presentTarget, projectSteps, projectTitle } from './project-argument.ts'
import { type PushTarget, runPush } from './run-push.ts'
import { themeInstallSteps } from './theme-install-steps.ts'
import { sentPictureLines } from './undecoded-pictures.ts'
import { quietOption, type Verbosity, verboseOption } from './verbosity.ts'

interface PushFlags extends Verbosity, DiagnosticFlags {
  readonly server?: string
  readonly project?: string
  readonly keyFile?: string
  readonly publish: boolean
  readonly prune: boolean
  /** The words after the flag. True for the flag alone. */
  readonly force: boolean | readonly string[]
  readonly wait: boolean
  readonly dryRun: boolean
  readonly future: boolean
  readonly schedule: boolean
  readonly strict: boolean
  readonly allowMissingFiles: boolean
}

export function pushCommand(): Command {
  const command = new Command('push')
    .description('send the changes of a content folder to a server through its API')
    .usage('[options] <folder>')
    .argument('[folder]', 'content folder with a site.yaml')
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option(
      '--project <id>',
      'project to push to; without it, the one that the folder was pushed to, or with its name, created if missing [QUOIN_PROJECT]',
    )
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .option('--publish', 'publish pages that changed, and unpublish drafts', false)
    .option('--prune', 'remove pages and files of this folder that it no longer has', false)
    .option('--force [files...]', 'replace changes made on the server, in these files or in all', false)
    .option('--wait', 'wait up to five minutes for the smaller ones of new pictures before publishing', false)
    .option('--no-wait', 'publish without waiting for them, which is the default')
    .option('--future', 'publish articles with a date in the future now, instead of scheduling them', false)
    .option('--no-schedule', 'leave articles with a date in the future as drafts')
    .option(
      '--strict',
      'stop before anything is sent when the folder has warnings, and publish no page with one',
      false,
    )
    .option('--dry-run', 'print what would be done, without doing it', false)
    .option(
      '--allow-missing-files',
      'exit with 0 although pages use files that will be missing on the site',
      false,
    )
  return withDiagnosticFlags(command)
    .addOption(quietOption())
    .addOption(verboseOption())
    .addHelpText(
      'after',
      `
The server knows what each folder pushed, so a push may come from any clone or machine. It finds the
project by the id in site.yaml, or by the name of the site, and prints it first. What was edited on the
server alone stays, and is counted. Exits with 1 when the server refused something, or when something was
changed in the folder and on the server and was not replaced. Use quoin export to see the server's version.
A folder that was pushed under another name, and a commit older than the one on the server, are refused.

With --publish, an article with a date in the future is scheduled for it.

Reports every error and warning that quoin build reports, except those about the folder's own
themes, whose templates do not run, and about pictures, which the server reads. Errors stop
the push.

Sends the pictures and files of the folder that pages, sections and site.yaml name, those whose
bytes the server does not have, and makes the pages name them as assets: /media/images/a.png for
static/images/a.png. Files that nothing names are not sent. Pages are published without waiting for
the smaller pictures that the server derives, unless --wait is given: the server adds them to the
live pages by itself. Where a file cannot be sent, quoin push names each place that uses it and exits with 1; accept it with --allow-missing-files.

Examples:
  QUOIN_KEY=qn_live_… quoin push ./site --server https://quoin.example.com --publish
  quoin push ./site --force docs/a.md site.yaml
  quoin push ./site --publish --format github --ignore QN-DEAD-ANCHOR
`,
    )
    .action(async (given: string | undefined, flags: PushFlags, command: Command) => {
      const startedAt = performance.now()
      const { path, forced } = splitFolder(given, flags.force)
      if (path === undefined)
        command.error("error: missing required argument 'folder'", { code: 'commander.missingArgument' })
      const folder = folderArgument(path)
      const hidden = readIgnored(flags.ignore)
      const force = typeof forced === 'boolean' ? forced : new Set(forced.map((name) => within(folder, name)))
      const server = serverArgument(flags.server)
      const api = openApi(server, readKey(flags.keyFile))
      const checked = await readFolder(folder, flags.future, command)
      const { site, held } = checked
      const isScheduling = flags.publish && flags.schedule
      // A scheduled article goes live by itself.
      const found = checked.warnings.filter(
        ({ code, file }) => !(isScheduling && code === 'QN-FUTURE-DATE' && held.has(file)),
      )
      const counted = found.filter(({ code }) => !hidden.has(code))
      if (flags.strict && counted.length > 0)
        failWithErrors(command, counted, folder, 'nothing was pushed, because of --strict.')
      await assertReachable(server).catch((error) => throwUnreachable(server, error, 'push again'))
      const run = await runPush(folder, site, api, {
        ...flags,
        named: flags,
        overwrite: force,
        schedule: isScheduling ? held : new Map(),
        onTarget: (target) => printTarget(target, flags),
      }).catch((error) => throwUnreachable(server, error, 'push again'))
      if ('refused' in run) return failWithErrors(command, [run.refused], folder, 'nothing was pushed.')
      const { target: project, report, pushId } = run
      const ms = Math.round(performance.now() - startedAt)
      const notSent = notSentFiles(site.assets, report.files).map(({ source }) => source)
      const themeNote = themeInstallSteps(folder, site, report.failures)
      const located = await locateWarnings(folder, site, report.warnings)
      const warnings = merged(found, located).filter(({ code }) => !hidden.has(code))
      const ignored = flags.verbose ? await ignoredLines(folder, null) : []
      const missing = [
        ...missingFiles(await textsOf(folder, site), site, report.files),
        ...lostReferences(await referringTexts(folder, report.files.named), site),
      ]
      const unlisted = report.warningCount - report.warnings.length
      const results = {
        folder,
        project,
        name: site.name,
        warnings,
        unlisted,
        notSent,
        themeNote,
        missing,
        ms,
      }
      printOutcome(
        command,
        incompleteFailure(report, flags.dryRun ? 'checked' : 'pushed') ??
          missingFailure(results, flags) ??
          strictFailure(results, flags),
        {
          dry_run: flags.dryRun,
          ...presentTarget(project),
          project: project.name,
          url: project.url,
          push_id: pushId,
          ...presentReport(report, results),
          set: null,
          ms,
        },
        [...ignored, ...lines(report, results, flags)],
      )
    })
}

/** `--force` takes all words up to the next flag. If the folder is among them, it is the last one. */
function splitFolder(
  given: string | undefined,
  force: PushFlags['force'],
): { readonly path: string | undefined; readonly forced: PushFlags['force'] } {
  if (given !== undefined || typeof force === 'boolean') return { path: given, forced: force }
  const files = force.slice(0, -1)
  return { path: force.at(-1), forced: files.length === 0 ? true : files }
}

/** The path of a file relative to the folder. The name may be relative to the folder or to the working directory. */
function within(folder: string, name: string): string {
  const path = relative(folder, resolve(name))
  const isInside = path !== '..' && !path.startsWith(`..${sep}`)
  return isInside && existsSync(resolve(name)) ? path.replaceAll(sep, '/') : posix.normalize(name)
}

/** @throws {ServiceError} after printing the errors of the folder. */
async function readFolder(
  folder: string,
  future: boolean,
  command: Command,
): Promise<Omit<CheckedFolder, 'errors'>> {
  const { errors, ...checked } = await checkFolder(folder, future)
  return errors.length > 0 ? failWithErrors(command, errors, folder, 'nothing was pushed.') : checked
}

/** Drafts are left out: they do not go live. */
async function textsOf(folder: string, { pages }: Site): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const live = pages.filter(({ draft, generatedFrom }) => !draft && generatedFrom === undefined)
  for (const file of [SITE_FILE, ...live.map(({ source }) => source)].sort())
    texts.set(file, await readFile(join(folder, file), 'utf8'))
  return texts
}

/** Sent files that may name others. */
async function referringTexts(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const file of files.filter(mayReferToFiles))
    texts.set(file, await readFile(join(folder, file), 'utf8'))
  return texts
}

/**
 * The warnings of a build, and warnings of the server alone: both report the same about a published page. Their
 * messages can differ, because the server reads other addresses of files than the folder has. A warning of the
 * server is new where the server reports more of its kind than the build.
 */
function merged(built: readonly Diagnostic[], located: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(built.map((warning) => JSON.stringify(warning)))
  const builtAt = countByPlace(built)
  const locatedAt = countByPlace(located)
  const isNew = (warning: Diagnostic) => {
    const place = placeOf(warning)
    return (locatedAt.get(place) ?? 0) > (builtAt.get(place) ?? 0) && !known.has(JSON.stringify(warning))
  }
  return [...built, ...located.filter(isNew)].sort(byPosition)
}

function countByPlace(warnings: readonly Diagnostic[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const place of warnings.map(placeOf)) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

function placeOf({ code, file, line, field }: Diagnostic): string {
  return JSON.stringify([code, file, line, field])
}

/** The failure of a push with missing files. Null if there are none, or if they are accepted. */
function missingFailure(
  { missing }: PushResults,
  { allowMissingFiles, dryRun }: PushFlags,
): ServiceError | null {
  if (missing.length === 0 || allowMissingFiles) return null
  const files = count(new Set(missing.map(({ asset }) => asset)).size, 'file')
  return new ServiceError(
    'validation_error',
    `${files} that pages use will be missing on the site; all else was ${dryRun ? 'checked' : 'pushed'}. Correct what the warnings say, or accept it with --allow-missing-files.`,
  )
}

/** Failure of a push with --strict; null when it left no warning. */
function strictFailure({ warnings, unlisted }: PushResults, { strict }: PushFlags): ServiceError | null {
  const left = warnings.length + unlisted
  return strict && left > 0
    ? new ServiceError('validation_error', `${count(left, 'warning')} with --strict; all else was pushed.`)
    : null
}

/** The first line of a push, before anything is sent. */
function printTarget({ id, name, url, isNew }: PushTarget, { format, quiet }: PushFlags): void {
  if (format === 'json' || quiet) return
  const title = JSON.stringify(name)
  const where = url === null ? '' : `, ${url}`
  console.log(
    id === NOT_CREATED
      ? `Pushing to a new project ${title}.`
      : `Pushing to ${isNew ? 'the new project' : 'the project'} ${title} (${id})${where}`,
  )
}

function notSentDiagnostic({ file, line, asset, reason }: MissingFile): Diagnostic {
  return diagnostic('QN-NOT-SENT', file, `${asset} will be missing on the site. ${reason}`, { line })
}

function presentReport(
  {
    live: _,
    warnings: __,
    warningCount: ___,
    adopted: ____,
    pageConflicts: _____,
    files,
    unpruned,
    ...report
  }: PushReport,
  { warnings, unlisted, notSent, missing }: PushResults,
) {
  return {
    ...report,
    left: unpruned,
    left_over: unpruned,
    warnings,
    warning_count: warnings.length + unlisted,
    diagnostics: [...report.conflicts, ...report.failures, ...warnings, ...missing.map(notSentDiagnostic)],
    files: {
      sent: files.sent,
      unchanged: files.unchanged,
      removed: files.removed,
      left: files.unpruned,
      unfinished: files.unfinished,
      undecoded: files.undecoded,
    },
    not_sent: notSent,
    missing,
  }
}

interface PushResults {
  /** The content folder. */
  readonly folder: string
  readonly project: PushTarget
  /** The name of the site. */
  readonly name: string
  /** The warnings of the build and of the server. */
  readonly warnings: readonly Diagnostic[]
  /** Number of warnings that the server does not list. */
  readonly unlisted: number
  readonly notSent: readonly string[]
  /** The steps for the operator of the server about a theme of the folder. */
  readonly themeNote: readonly string[]
  readonly missing: readonly MissingFile[]
  readonly ms: number
}

/** The lines of text output. A dry run prints all of them, even with --quiet. */
function lines(report: PushReport, results: PushResults, flags: PushFlags): readonly string[] {
  const problems = [
    ...diagnosticLines([...report.conflicts, ...report.failures], results.folder, flags),
    ...warningLines(results, flags),
  ]
  if (flags.quiet && !flags.dryRun) return problems
  return [
    ...(flags.dryRun || flags.verbose
      ? [...projectSteps(results.project, results.name), ...steps(report)]
      : []),
    ...problems,
    ...notes(report, results),
    ...results.themeNote,
    ...filesNotSent(report, results, flags),
    summary(report, results, flags),
    ...(report.address === null ? [] : [`The site is at ${report.address}`]),
  ]
}

function steps(report: PushReport): readonly string[] {
  return [
    ...report.files.sent.map((file) => `send       ${file}`),
    ...report.settings.map((name) => `settings   ${name}`),
    ...report.redirects.map((from) => `redirect   ${from}`),
    ...report.created.map((file) => `create     ${file}`),
    ...report.updated.map((file) => `update     ${file}`),
    ...report.published.map((file) => `publish    ${file}`),
    ...report.unpublished.map((file) => `unpublish  ${file}`),
    ...report.scheduled.map((file) => `schedule   ${file}`),
    ...report.unscheduled.map((file) => `unschedule ${file}`),
    ...[...report.removed, ...report.files.removed.map(mediaAlias)].map((file) => `remove     ${file}`),
  ]
}

function notes(report: PushReport, { project }: PushResults): readonly string[] {
  const { conflicts, files } = report
  const unpruned = [...report.unpruned, ...files.unpruned.map(mediaAlias)]
  return [
    ...sentPictureLines(files),
    ...(conflicts.length === 0
      ? []
      : [`To see the server's version: quoin export ${project.id} --out <another folder>`]),
    ...(report.kept.length === 0
      ? []
      : [`Edited on the server alone, and left as they are there: ${report.kept.join(', ')}.`]),
    ...(unpruned.length === 0
      ? []
      : [
          `No longer in the folder, but still on the server: ${unpruned.join(', ')}. Remove them with --prune.`,
        ]),
  ]
}

/** Places that are listed without --verbose. */
const MAX_LISTED_PLACES = 20

/**
 * Files missing on the server, with the places that use them; without --verbose only places in pages sent by this push.
 */
function filesNotSent(
  { settings, created, updated, files }: PushReport,
  { folder, notSent, missing }: PushResults,
  flags: PushFlags,
): readonly string[] {
  if (notSent.length === 0) return []
  const sent = new Set([...created, ...updated, ...(settings.length > 0 ? [SITE_FILE] : [])])
  const isNew = ({ file, asset }: MissingFile) => sent.has(file) || files.refused.has(asset)
  const listed =
    flags.verbose || flags.format === 'github' ? missing : missing.filter(isNew).slice(0, MAX_LISTED_PLACES)
  const unnamed = notSent.length - new Set(missing.map(({ asset }) => asset)).size
  return [
    ...diagnosticLines(listed.map(notSentDiagnostic), folder, flags),
    ...(listed.length === missing.length
      ? []
      : [unlistedPlaces(missing.length - listed.length, listed.length)]),
    ...(unnamed === 0 ? [] : [`${count(unnamed, 'file')} not sent: named by no page and no setting.`]),
  ]
}

function unlistedPlaces(places: number, listed: number): string {
  const rest = listed === 0 ? `In ${count(places, 'place')}` : `In ${count(places, 'more place')}`
  return `${rest} files will be missing. List them with --verbose.`
}

function summary(
  report: PushReport,
  { project, name, warnings, unlisted, ms }: PushResults,
  { dryRun, publish }: PushFlags,
): string {
  const { settings, files, created, updated, unchanged, kept, published, unpublished, removed, scheduled } =
    report
  const pages = `${created.length} created, ${updated.length} updated, ${unchanged} unchanged, ${kept.length === 0 ? '' : `${kept.length} kept, `}${removed.length} removed`
  const media =
    files.named.length === 0 ? '' : `; files: ${files.sent.length} sent, ${files.unchanged} unchanged`
  const went = publish
    ? `; ${published.length} published, ${unpublished.length} unpublished${scheduled.length === 0 ? '' : `, ${scheduled.length} scheduled`}`
    : ''
  const end = dryRun ? '. Dry run: nothing was changed.' : `; ${seconds(ms)}.`
  return `${projectTitle(project, name)}: ${count(settings.length, 'setting')} changed; pages: ${pages}${media}${went}${warningSuffix(warnings.length + unlisted)}${end}`
}
