import { type PostgresServer, postgresPrograms, startPostgres } from './postgres.ts'

let server: PostgresServer | null = null

/**
 * With `QUOIN_TEST_DATABASE=postgres`, services of tests run on a PostgreSQL server that is started for the run, or on
 * the one that `QUOIN_TEST_DATABASE_URL` names.
 */
export async function setup(): Promise<void> {
  if (process.env['QUOIN_TEST_DATABASE'] !== 'postgres' || process.env['QUOIN_TEST_DATABASE_URL']) return
  const programs = postgresPrograms()
  if (programs === null) {
    console.info('There is no PostgreSQL: install it, or set QUOIN_TEST_DATABASE_URL. Tests use SQLite.')
    return
  }
  server = await startPostgres(programs)
  process.env['QUOIN_TEST_DATABASE_URL'] = server.url
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
