import type { Knex } from 'knex'
import { messageOf } from '../domain/errors.ts'
import type { DatabaseDescription } from './connections.ts'
import { rowsOf } from './dialect.ts'
import { CONNECTIONS_PER_PROCESS, openPool } from './postgres.ts'
import { countServers } from './server-presence.ts'

/** The oldest version that the tests run on. */
const OLDEST = { number: 150_000, name: 'PostgreSQL 15' }

/**
 * Checks that the server can be used, and prepares the database. Runs on connections of its own, whose statements may
 * take any time.
 *
 * @param prepare migrates the database, or checks that it is migrated.
 * @throws {Error} with a one-line message that holds no password.
 */
export async function preparePostgres(
  url: string,
  prepare: (db: Knex) => Promise<unknown>,
): Promise<DatabaseDescription> {
  const db = openPool(url, { max: 2 })
  try {
    const facts = await factsOf(db, url)
    if (facts.number < OLDEST.number)
      throw new Error(`the server is PostgreSQL ${facts.version}; Quoin needs ${OLDEST.name} or a newer one.`)
    if (facts.encoding !== 'UTF8')
      throw new Error(
        `the database ${facts.name} has the encoding ${facts.encoding}. Create one with UTF8: CREATE DATABASE quoin ENCODING 'UTF8' TEMPLATE template0.`,
      )
    await prepare(db)
    const processes = (await countServers(db)) + 1
    return {
      name: `PostgreSQL ${facts.version} (${facts.name} on ${new URL(url).hostname})`,
      warning: connectionWarning(facts.connections, processes),
    }
  } finally {
    await db.destroy()
  }
}

function connectionWarning(available: number, processes: number): string | null {
  const wanted = processes * CONNECTIONS_PER_PROCESS
  if (wanted <= available) return null
  return `PostgreSQL allows ${available} connections, and ${processes === 1 ? 'this process uses' : `${processes} processes of Quoin use`} up to ${wanted}. Raise max_connections, or put PgBouncer in between.`
}

interface Facts {
  readonly number: number
  readonly version: string
  readonly encoding: string
  readonly name: string
  readonly connections: number
}

async function factsOf(db: Knex, url: string): Promise<Facts> {
  try {
    const [facts] = rowsOf<Facts>(
      await db.raw(`SELECT current_setting('server_version_num')::int AS number,
        split_part(current_setting('server_version'), ' ', 1) AS version,
        current_setting('server_encoding') AS encoding, current_database() AS name,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections`),
    )
    if (facts === undefined) throw new Error('The server did not answer.')
    return facts
  } catch (error) {
    const { hostname, port, pathname } = new URL(url)
    throw new Error(
      `${hostname}:${port || 5432}${pathname} cannot be used: ${reasonOf(error)}. Check that PostgreSQL runs there, and the name, user and password.`,
      { cause: error },
    )
  }
}

/** The innermost reason. Of several addresses of one host, the driver gives a code alone. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Knex puts the statement before it.
  return (messageOf(error).split(' - ').at(-1) || code).replace(/\.$/, '')
}
