import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import { certificateFile } from './self-signed.ts'
import { type RunningServer, startServer } from './server.ts'
import { configOf, withSettings } from './settings.ts'

/** A shutdown that takes longer is cut off; the next start recovers the rest. */
const SHUTDOWN_TIMEOUT_MS = 25_000

export function serveCommand(): Command {
  return withSettings(new Command('serve'))
    .description('API, public sites and background work in one process')
    .addHelpText('after', '\nExample:\n  quoin serve --data ./data --port 8080 --allow-http true\n')
    .action(async (_: object, command: Command) => {
      const config = configOf(command)
      const server = await startServer(config)
      warnOfPlainHttp(config)
      warnOfUnknownName(config)
      warnOfSelfSigned(config)
      console.log(`Quoin is ready at ${server.baseUrl}`)
      await untilStopped(server)
    })
}

/** Resolves when the server was told to stop and has finished what ran. A second signal ends it at once. */
export async function untilStopped(server: RunningServer): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  const end = () => process.exit(1)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  setTimeout(end, SHUTDOWN_TIMEOUT_MS).unref()
  await server.stop()
}

function warnOfPlainHttp({ tls, trustProxy, allowHttp }: Config): void {
  if (tls !== null || trustProxy.length > 0 || allowHttp) return
  console.error(
    'quoin: warning: every API request will be refused, since only plain HTTP arrives here. Set QUOIN_TLS_CERT and QUOIN_TLS_KEY, QUOIN_TRUST_PROXY, or for a trial QUOIN_TLS=self-signed or QUOIN_ALLOW_HTTP=true.',
  )
}

/** A tenant could claim the name that clients use, since nobody said whose it is. */
function warnOfUnknownName({ trustProxy, baseUrl }: Config): void {
  if (trustProxy.length === 0 || baseUrl !== null) return
  console.error(
    'quoin: warning: behind a proxy, set QUOIN_BASE_URL to the address clients use; otherwise a project may take its host as its own domain.',
  )
}

function warnOfSelfSigned({ tls, data }: Config): void {
  if (tls !== 'self-signed') return
  console.error(
    `quoin: warning: HTTPS with a certificate that Quoin made itself (${certificateFile(data)}). Browsers and clients will warn of it; use it for trials only.`,
  )
}
