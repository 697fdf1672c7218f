import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPool, openPostgres } from '../../src/db/postgres.ts'
import { startCommand } from '../support/command.ts'
import { PGBOUNCER_MISSING, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const programs = postgresPrograms()
if (PGBOUNCER_MISSING !== null) console.info(`Skipped: a service behind PgBouncer. ${PGBOUNCER_MISSING}.`)

describe.skipIf(programs === null || PGBOUNCER_MISSING !== null)(
  'behind PgBouncer in transaction mode',
  () => {
    let postgres: PostgresServer
    let pooler: Pgbouncer
    // Each test has a database of its own: a pooler refuses the `search_path` that other tests have schemas by.
    beforeAll(async () => {
      postgres = await startPostgres(programs ?? '')
      pooler = await startPgbouncer(postgres.url)
    })
    afterAll(async () => {
      await pooler.stop()
      await postgres.stop()
    })

    let databases = 0
    async function newDatabase() {
      const name = `quoin_${++databases}`
      const admin = openPostgres(postgres.url)
      await admin.writer.raw(`CREATE DATABASE ${name}`)
      await admin.close()
      const direct = postgres.url.replace(/postgres$/, name)
      return {
        direct,
        settings: { QUOIN_DATABASE_URL: pooler.through(direct), QUOIN_MASTER_KEY: MASTER_KEY },
      }
    }

    async function publishAll(service: TestService, slugs: readonly string[]): Promise<void> {
      const project = await service.newProject(slugs[0])
      await Promise.all(
        slugs.map(async (slug) => {
          const created = await service.call('POST', '/pages', pageBody(project, { slug }))
          expect(created).toMatchObject({ status: 201 })
          // On a busy machine the first pages may take longer than a publish has.
          const publish = () => service.call('POST', `/pages/${created.body.data.id}/publish`)
          await expect.poll(async () => (await publish()).status).toBe(200)
        }),
      )
      for (const slug of slugs)
        expect(
          (await service.call('GET', `/public/${project}/${slug}/`, undefined, { key: null })).status,
        ).toBe(200)
    }

    test('a service writes with more connections than the server gives it', async () => {
      const service = await startService({ env: (await newDatabase()).settings })
      onTestFinished(() => service.close())
      await publishAll(
        service,
        Array.from({ length: 12 }, (_, n) => `page-${n}`),
      )
    })

    test('only connections to the server itself prepare statements', async () => {
      const { direct } = await newDatabase()
      const prepared = await Promise.all(
        [direct, pooler.through(direct)].map(async (url) => {
          const pool = openPool(url, { max: 1 })
          onTestFinished(() => pool.destroy())
          const { rows } = await pool
            .raw('SELECT name FROM pg_prepared_statements')
            .options({ name: 'names_of_statements' })
          return rows
        }),
      )
      expect(prepared).toEqual([[{ name: 'names_of_statements' }], []])
    })

    test.each([
      ['by polling, where notifications are lost', false],
      ['at once, with a direct URL past it', true],
    ])('a worker publishes what another process accepted %s', async (_, isDirect) => {
      const { direct, settings } = await newDatabase()
      const stores = {
        QUOIN_STORAGE_URL: `file:${await temporaryFolder()}`,
        QUOIN_MEDIA_URL: `file:${await temporaryFolder()}`,
        QUOIN_BASE_URL: 'http://quoin.test',
        QUOIN_ALLOW_HTTP: 'true',
      }
      const env = { ...settings, ...stores, ...(isDirect && { QUOIN_DATABASE_DIRECT_URL: direct }) }
      const api = await startService({ env: { ...env, QUOIN_ROLE: 'api' } })
      onTestFinished(() => api.close())
      const worker = startCommand(['worker', '--port', '0'], {
        ...env,
        QUOIN_DATA: await temporaryFolder(),
        QUOIN_SITES_DOMAIN: 'sites.quoin.test',
        QUOIN_DOMAIN_PROOF: 'off',
      })
      await worker.line(/ready at/)
      await publishAll(api, ['one', 'two'])
      worker.kill('SIGTERM')
      expect(await worker.ended).toMatchObject({ code: 0 })
    })
  },
)
