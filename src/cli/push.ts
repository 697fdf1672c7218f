import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ApiError } from '../client/api-error.ts'
import { type Client, createClient } from '../client/client.ts'
import { ConfigError } from '../config.ts'
import { ServiceError } from '../domain/errors.ts'
import { prefixed } from '../domain/ids.ts'
import { findProject, projectNamed } from '../push/project.ts'
import { type PushReport, pushSite } from '../push/push-site.ts'
import type { PushTrouble } from '../push/push-trouble.ts'
import { createFolderMemory } from '../push/pushed.ts'
import type { Site } from '../site/site.ts'
import { idArgument, print } from './administration.ts'
import { count, seconds } from './amounts.ts'
import { folderArgument } from './folder-argument.ts'
import { type Loudness, quietOption, verboseOption } from './loudness.ts'
import { progressOf } from './progress.ts'
import { readSecret } from './secret.ts'
import { faultLine } from './site-faults.ts'

interface PushFlags extends Loudness {
  readonly server?: string
  readonly project?: string
  readonly keyFile?: string
  readonly publish: boolean
  readonly prune: boolean
  readonly force: boolean
  readonly dryRun: boolean
}

/** Longer than a minute's or an hour's limit mostly asks for. */
const LONGEST_WAIT_SECONDS = 900
const RETRIES = 5

export function pushCommand(): Command {
  return new Command('push')
    .description('a content folder to a server through its API, only what changed')
    .argument('<folder>', 'content folder, with a site.yaml')
    .option('--server <url>', 'where the API is reached [QUOIN_URL]')
    .option(
      '--project <id>',
      'the project; without it, the one of the name that site.yaml says [QUOIN_PROJECT]',
    )
    .option('--key-file <file>', 'file that holds the API key; else it is read from QUOIN_KEY')
    .option('--publish', 'publish what is not live as the folder says, and take drafts off', false)
    .option('--prune', 'remove pages that pushes made and the folder no longer has', false)
    .option('--force', 'write also over what was edited on the server since', false)
    .option('--dry-run', 'say what would be done, and do nothing', false)
    .addOption(quietOption())
    .addOption(verboseOption())
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
What was pushed is remembered in .quoin/push.json beneath the folder; it holds no
secret and may be kept with the files. Exits with 1 when something was edited on
the server since and was left, or was refused.

Example:
  QUOIN_KEY=qn_live_… quoin push ./site --server https://quoin.example.com --publish
`,
    )
    .action(async (path: string, flags: PushFlags, command: Command) => {
      const began = performance.now()
      const folder = folderArgument(path)
      const server = serverArgument(flags.server ?? process.env['QUOIN_URL'])
      const api = openApi(server, readKey(flags.keyFile))
      const site = await readFolder(folder, command)
      const { project, report } = await push(folder, site, { server, api, flags }).catch((error) =>
        tellUnreachable(server, error),
      )
      const ms = Math.round(performance.now() - began)
      const notSent = site.assets.map(({ source }) => source)
      print(
        command,
        {
          ok: isSettled(report),
          dry_run: flags.dryRun,
          project_id: project,
          ...presentReport(report),
          not_sent: notSent,
          ms,
        },
        lines(report, { project, notSent, ms }, flags),
      )
      if (!isSettled(report))
        throw new ServiceError(
          'conflict',
          `${count(report.conflicts.length, 'conflict')} and ${count(report.failures.length, 'failure')}; all else was ${flags.dryRun ? 'looked at' : 'pushed'}.`,
        )
    })
}

interface Pushing {
  readonly server: string
  readonly api: Client
  readonly flags: PushFlags
}

async function push(
  folder: string,
  site: Site,
  { server, api, flags }: Pushing,
): Promise<{ readonly project: string; readonly report: PushReport }> {
  // Uncounted, and tried once: a wrong address is told at once.
  await fetch(`${server}/healthz`)
  const project = await projectArgument(api, site, flags)
  const { publish, prune, force, dryRun } = flags
  const report = await pushSite(
    site,
    { project, publish, prune, force, dryRun },
    {
      api,
      memory: createFolderMemory(folder, `${server} ${project}`),
      monotonic: () => performance.now(),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing pages'),
    },
  )
  return { project, report }
}

/** @throws {ServiceError} after its faults were printed. */
async function readFolder(folder: string, command: Command): Promise<Site> {
  const { readSite } = await import('../site/read-site.ts')
  const { site, faults } = await readSite(folder)
  if (faults.length === 0) return site
  print(command, { ok: false, faults }, faults.map(faultLine))
  throw new ServiceError('validation_error', `${count(faults.length, 'fault')}; nothing was pushed.`)
}

/** A key goes over the network: in plain HTTP to this machine alone. @throws {ConfigError} */
function serverArgument(text: string | undefined): string {
  if (!text) throw new ConfigError('--server: say where the API is reached, by the flag or as QUOIN_URL.')
  const url = URL.canParse(text) ? new URL(text) : null
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ConfigError('--server: must be an http or https URL, e.g. https://quoin.example.com.')
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw new ConfigError(
      '--server: must be https, since the key is sent there; http is for this machine alone.',
    )
  return text.replace(/\/+$/, '')
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Never told again, not even in an error. @throws {ConfigError} */
function readKey(file: string | undefined): string {
  const key = readSecret(file, 'QUOIN_KEY')
  if (key === '')
    throw new ConfigError('QUOIN_KEY: give the API key there, or in a file named by --key-file.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('QUOIN_KEY: holds no API key, but something else.')
  return key
}

/** Waits as long as limits ask for, and says so. */
function openApi(server: string, key: string): Client {
  const telling: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    const wait = Number(response.headers.get('retry-after') ?? 0)
    if (response.status === 429 && wait <= LONGEST_WAIT_SECONDS)
      console.error(`${server} limits how fast it is asked; going on in ${wait} s.`)
    return response
  }
  return createClient({
    baseUrl: server,
    key,
    fetch: telling,
    retries: RETRIES,
    longestWait: LONGEST_WAIT_SECONDS,
  })
}

async function projectArgument(api: Client, { name }: Site, flags: PushFlags): Promise<string> {
  const given = flags.project ?? process.env['QUOIN_PROJECT']
  if (given) return prefixed('proj', idArgument('proj', given))
  if (!flags.dryRun) return projectNamed(api, name)
  const found = await findProject(api, name)
  if (found !== null) return found
  throw new ServiceError(
    'not_found',
    `There is no project ${JSON.stringify(name)} yet; without --dry-run it is made.`,
  )
}

/** What was sent until then is known to the next push. @throws */
function tellUnreachable(server: string, error: unknown): never {
  if (error instanceof ApiError && error.retryAfter !== null)
    throw new ServiceError(
      'rate_limit_exceeded',
      `${error.message} Push again then: it goes on where it was.`,
    )
  if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  throw new ServiceError(
    'internal_error',
    `${server} cannot be reached (${reason}). Push again when it can: it goes on where it was.`,
    { cause: error },
  )
}

function isSettled({ conflicts, failures }: PushReport): boolean {
  return conflicts.length + failures.length === 0
}

function presentReport({ live: _, ...report }: PushReport) {
  return report
}

interface Told {
  readonly project: string
  readonly notSent: readonly string[]
  readonly ms: number
}

/** A dry run is asked for what it says. */
function lines(report: PushReport, told: Told, flags: PushFlags): readonly string[] {
  const troubles = [...report.conflicts, ...report.failures].map(troubleLine)
  if (flags.quiet && !flags.dryRun) return troubles
  return [
    ...(flags.dryRun || flags.verbose ? steps(report) : []),
    ...troubles,
    ...notes(report, told),
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

function notes({ left }: PushReport, { notSent }: Told): readonly string[] {
  return [
    ...(left.length === 0
      ? []
      : [`No longer in the folder, and still there: ${left.join(', ')}. --prune removes them.`]),
    ...(notSent.length === 0
      ? []
      : [`static: ${count(notSent.length, 'file')} not sent; the API takes pages and settings alone.`]),
  ]
}

function summary(report: PushReport, { project, ms }: Told, { dryRun, publish }: PushFlags): string {
  const { settings, created, updated, unchanged, published, unpublished, removed } = report
  const pages = `${created.length} created, ${updated.length} updated, ${unchanged} unchanged, ${removed.length} removed`
  const went = publish ? `; ${published.length} published, ${unpublished.length} taken off` : ''
  const end = dryRun ? '. Nothing was done.' : `; ${seconds(ms)}.`
  return `${project}: ${count(settings.length, 'setting')} changed; pages: ${pages}${went}${end}`
}

function troubleLine({ file, message }: PushTrouble): string {
  return `${file}: ${message}`
}
