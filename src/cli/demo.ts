import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { createClient } from '../client/client.ts'
import type { Site } from '../content-folder/site.ts'
import { DEFAULT_PERMISSIONS } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import { type ProjectId, readId } from '../domain/ids.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { findOrCreateProject } from '../push/project.ts'
import type { Progress } from '../push/publish-pages.ts'
import { pushSite } from '../push/push-site.ts'
import { setUpPath } from '../services/accounts/set-up-links.ts'
import { storeAssets } from './demo/store-assets.ts'
import { untilStopped } from './serve.ts'
import { type RunningServer, startServer } from './server.ts'
import { configOf, withSettings } from './settings.ts'

const KEY_NAME = 'demo'
const DEFAULT_PORT = '8080'

export function demoCommand(): Command {
  return withSettings(new Command('demo'), ['QUOIN_DATA', 'QUOIN_HOST', 'QUOIN_PORT', 'QUOIN_LOG_LEVEL'])
    .description('publish a whole site through the API on this machine, and serve it')
    .option('--exit', 'stop after publishing, with a summary', false)
    .addHelpText('after', '\nExample:\n  quoin demo --exit\n')
    .action(async ({ exit }: { exit: boolean }, command: Command) => {
      const started = performance.now()
      const server = await startOnAnyPort(command)
      try {
        await run(server, started, exit)
      } catch (error) {
        await server.stop()
        throw error
      }
      if (exit) return server.stop()
      console.log('\nPress Ctrl+C to stop.')
      await untilStopped(server)
    })
}

/** Starts on the default port, or on a free one if that is taken and no setting names a port. */
async function startOnAnyPort(command: Command): Promise<RunningServer> {
  const defaults = { QUOIN_DATA: './data/demo', QUOIN_ALLOW_HTTP: 'true', QUOIN_LOG_LEVEL: 'error' }
  const config = configOf(command, { ...defaults, QUOIN_PORT: DEFAULT_PORT })
  const demo = { ...config, allowHttp: true, tls: null, baseUrl: null, contentUrl: null }
  const isPortGiven = process.env['QUOIN_PORT'] !== undefined || command.opts()['port'] !== undefined
  try {
    return await startServer(demo)
  } catch (error) {
    const isPortTaken = error instanceof ConfigError && error.message.includes('is taken')
    if (isPortGiven || !isPortTaken) throw error
    return startServer({ ...demo, port: 0 })
  }
}

async function run(server: RunningServer, started: number, exit: boolean): Promise<void> {
  const folder = join(PACKAGE_ROOT, 'templates/docs-site')
  // Loaded here, since it takes as long as everything else that a command loads.
  const { readSite } = await import('../content-folder/read-site.ts')
  const { site: content, errors } = await readSite(folder)
  assertNone(errors)
  const site = withReferenceLink(content, `${server.baseUrl}/reference`)

  const key = await createKey(server)
  const api = createClient({ baseUrl: server.baseUrl, key })
  const project = await findOrCreateProject(api, site.name)
  await storeAssets(server.service.storage, projectIdOf(project), folder, site)
  const { live, failures } = await pushSite(
    site,
    { project, folder: null, publish: true, prune: false, overwrite: true, dryRun: false },
    {
      api,
      monotonic: () => performance.now(),
      onSent: progressOf('Sending pages'),
      onPublished: progressOf('Publishing'),
    },
  )
  assertNone(failures.map((failure) => ({ ...failure, line: null })))
  const home = `${server.service.addresses.contentUrl}/${project}/`
  const urls = live.map((path) => home + path.slice(1))
  await readEach(urls, progressOf('Reading them back'))

  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (exit) {
    console.log(
      `\n${urls.length} pages were published through the API and read back over HTTP in ${seconds} s.`,
    )
    const command = process.env['npm_lifecycle_event'] === 'demo' ? 'npm run demo' : 'quoin demo'
    console.log(`Run it without --exit to open the site: ${command}`)
    return
  }
  console.log(`
${urls.length} pages are live, published through the API in ${seconds} s.

  Site           ${home}
  API            ${server.baseUrl}
  API reference  ${server.baseUrl}/reference
  Dashboard      ${await dashboardUrl(server)}
  API key        ${key}
                 It is valid until the demo runs again.

What to do next:

  - Open the site. It is the documentation of Quoin.
  - List three of its pages through the API:
      curl -H "Authorization: Bearer ${key}" "${server.baseUrl}/pages?project_id=${project}&limit=3"
  - Publish a page of your own: ${home}docs/getting-started/
  - Build a site from a folder, without a service: ${home}docs/build-from-a-folder/`)
}

/** Adds the API reference of this service to the header. It is not a page of the site, so the content cannot link it. */
function withReferenceLink(site: Site, href: string): Site {
  const navLinks = [...(site.settings.navLinks ?? []), { label: 'API', href }]
  return { ...site, settings: { ...site.settings, navLinks } }
}

/** The page on which the owner sets a password, or signs in with it in later runs. */
async function dashboardUrl({ service: { accounts, setUpLinks }, baseUrl }: RunningServer): Promise<string> {
  if (await setUpLinks.isSetUp()) return `${baseUrl}/dashboard`
  return baseUrl + setUpPath(await setUpLinks.issue((await accounts.firstUser()).id))
}

/** Creates a key for this run and revokes those of earlier runs. */
async function createKey({ service: { accounts } }: RunningServer): Promise<string> {
  const owner = await accounts.firstUser()
  const old = (await accounts.listKeys()).filter(
    ({ name, userId, revokedAt }) => name === KEY_NAME && userId === owner.id && revokedAt === null,
  )
  for (const { id } of old) await accounts.revokeKey(id)
  const { key } = await accounts.createKey({
    userId: owner.id,
    projectScope: null,
    name: KEY_NAME,
    plan: 'enterprise',
    permissions: DEFAULT_PERMISSIONS,
    expiresAt: null,
  })
  return key
}

/** @throws {ServiceError} for the first page that a visitor cannot read. */
async function readEach(urls: readonly string[], progress: Progress): Promise<void> {
  let done = 0
  for (const url of urls) {
    const response = await fetch(url)
    const html = await response.text()
    if (response.status !== 200 || !html.includes('</html>')) {
      throw new ServiceError('internal_error', `${url} was published, but answers ${response.status}.`)
    }
    progress(++done, urls.length)
  }
}

function projectIdOf(shown: string): ProjectId {
  const projectId = readId('proj', shown)
  if (projectId === null) throw new Error(`The API answered ${shown}, which is not a project id.`)
  return projectId
}

/** @throws {ConfigError} for the first error, if there is one. The content comes with the program, so this is a bug. */
function assertNone(
  errors: readonly { readonly file: string; readonly line: number | null; readonly message: string }[],
): void {
  const [first] = errors
  if (first === undefined) return
  throw new ConfigError(`${first.file}${first.line === null ? '' : `:${first.line}`}: ${first.message}`)
}

/** Counts up in one line on a terminal; elsewhere prints one line at the end. */
function progressOf(what: string): Progress {
  return (done, total) => {
    const end = done === total
    if (process.stderr.isTTY) process.stderr.write(`\r${what} ${done}/${total}${end ? '\n' : ''}`)
    else if (end) process.stderr.write(`${what} ${done}/${total}\n`)
  }
}
