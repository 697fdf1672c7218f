import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { asUser } from './postgres.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Why a pooler cannot run on this machine. Null when it can. */
export const PGBOUNCER_MISSING: string | null = existsSync(PROGRAM)
  ? null
  : "Debian's package is needed: apt-get install pgbouncer"

export interface Pgbouncer {
  /** The same database through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/**
 * Starts a pooler in transaction mode: each transaction may have another connection, and there are fewer of them than
 * clients ask for.
 *
 * @param connections how many it has to each database.
 */
export async function startPgbouncer(server: string, connections = 5): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-pgbouncer-'))
  const { hostname, port: serverPort } = new URL(server)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(join(folder, 'users.txt'), '"quoin" ""\n')
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = trust', `auth_file = ${join(folder, 'users.txt')}`],
      ...['pool_mode = transaction', `default_pool_size = ${connections}`, 'max_client_conn = 200'],
    ].join('\n'),
  )
  // It runs as another user, and there is no secret in the files.
  await chmod(folder, 0o755)
  const child = spawn(PROGRAM, [config], { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('process up')) resolve()
    })
    ended.then(() => reject(new Error(`PgBouncer did not start:\n${log}`)), reject)
  })
  return {
    through(url) {
      const pooled = new URL(url)
      pooled.port = String(port)
      return pooled.href
    },
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
