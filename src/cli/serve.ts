import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import { configWarnings } from '../app/config-warnings.ts'
import type { LostSecrets } from '../db/repositories/secrets.ts'
import { prefixed } from '../domain/ids.ts'
import { setUpPath } from '../services/accounts/set-up-links.ts'
import { onHangUp } from './hang-up-signal.ts'
import { certificateFile } from './self-signed.ts'
import { type RunningServer, startServer } from './server.ts'
import { configOf, withSettings } from './settings.ts'
import { stopSignal } from './stop-signal.ts'
import { NO_PICTURES_DECODED } from './undecoded-pictures.ts'

/** A longer shutdown is aborted. The next start recovers unfinished work. */
const SHUTDOWN_TIMEOUT_MS = 25_000

export function serveCommand(): Command {
  return withSettings(new Command('serve'))
    .description('run the server: API, public sites and background jobs in one process')
    .option(
      '--accept-lost-keys',
      'start although the master key does not open the keys in the database, and replace those',
      false,
    )
    .addHelpText('after', '\nExample:\n  quoin serve --data ./data --port 8080 --allow-http true\n')
    .action(async ({ acceptLostKeys: isAccepted }: { acceptLostKeys: boolean }, command: Command) => {
      const config = configOf(command)
      if (isAccepted) {
        const { acceptLostKeys } = await import('../app/installation.ts')
        for (const lost of await acceptLostKeys(config)) console.error(`quoin: warning: ${nextStep(lost)}`)
      }
      await (config.role === 'worker' ? runWorker(config) : runServer(config))
    })
}

export function workerCommand(): Command {
  return withSettings(new Command('worker'))
    .description('work off what API processes accept: render, publish, run jobs')
    .addHelpText(
      'after',
      `
It answers /healthz, /readyz and /metrics at its port and nothing else. The same as quoin serve --role worker.

Example:
  quoin worker --database-url postgres://quoin@db.internal/quoin --storage-url s3://sites --port 9090
`,
    )
    .action(async (_: object, command: Command) => {
      await runWorker(configOf(command, {}, { QUOIN_ROLE: 'worker' }))
    })
}

/** Starts the server, which SIGHUP asks for a renewed certificate instead of ending it. */
async function startReloadable(config: Config): Promise<RunningServer> {
  let server: RunningServer | null = null
  onHangUp(() => void server?.checkCertificate())
  server = await startServer(config)
  return server
}

async function runServer(config: Config): Promise<void> {
  const server = await startReloadable(config)
  // Awaits signals before the line about readiness: the process may be stopped from then on.
  const signal = stopSignal()
  for (const text of configWarnings(config)) console.error(`quoin: warning: ${text}`)
  warnOfSelfSigned(config)
  console.log(`Quoin is ready at ${server.baseUrl}${describeDatabase(server)}`)
  await offerSetUp(server)
  void warnOfPictures(server)
  await untilStopped(server, signal)
}

async function runWorker(config: Config): Promise<void> {
  const server = await startReloadable(config)
  const signal = stopSignal()
  console.log(`Quoin works, and is ready at ${server.address}${describeDatabase(server)}`)
  void warnOfPictures(server)
  await untilStopped(server, signal)
}

/** Which database is used unless it is the usual one, and a warning where its server has too few connections. */
function describeDatabase({ service: { database } }: RunningServer): string {
  if (database === null) return ''
  if (database.warning !== null) console.error(`quoin: warning: ${database.warning}`)
  return ` with ${database.name}`
}

/** Prints where the first owner sets a password, until a user has one. */
async function offerSetUp({ service: { accounts, setUpLinks }, baseUrl }: RunningServer): Promise<void> {
  if (await setUpLinks.isSetUp()) return
  const { id, email } = await accounts.firstUser()
  const token = await setUpLinks.issueUnlessOpen(id)
  console.log(
    token === null
      ? `No user has a password yet. The link that was printed before works until it is a day old; quoin users set-up ${email} prints another.`
      : `No user has a password yet. Set that of ${email} within 24 hours at ${baseUrl}${setUpPath(token)}`,
  )
}

/** Waits for the signal, then for the server to finish running work. A second signal exits immediately. */
export async function untilStopped(server: RunningServer, signal = stopSignal()): Promise<void> {
  await signal
  setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
  await server.stop()
}

/** The step that the owner of a project with lost secrets has to take. */
function nextStep({ projectId, kind }: LostSecrets): string {
  const id = prefixed('proj', projectId)
  return kind === 'content key'
    ? `the content key of ${id} is lost. Its publishes are refused until its owner regenerates it: POST /projects/${id}/data-mode/regenerate-key.`
    : `the webhook secrets of ${id} are lost. Its receivers refuse messages until its owner sets new ones: POST /projects/${id}/webhooks/:webhook/rotate-secret.`
}

/** After the start, because it starts a process. */
async function warnOfPictures({ service: { images } }: RunningServer): Promise<void> {
  if (await images.decodes().catch(() => true)) return
  console.error(`quoin: warning: ${NO_PICTURES_DECODED}`)
}

function warnOfSelfSigned({ tls, data }: Config): void {
  if (tls !== 'self-signed') return
  console.error(
    `quoin: warning: HTTPS uses a self-signed certificate (${certificateFile(data)}). Browsers and clients warn about it. Use it for tests only.`,
  )
}
