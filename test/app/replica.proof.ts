import { describe, expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../src/db/postgres.ts'
import { postgresPrograms, startPostgres, startReplica } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const programs = postgresPrograms()

describe.skipIf(programs === null)('a service with a replica of its database', () => {
  test('reads the audit log there, and from the database once the replica is late or gone', async (context) => {
    const primary = await startPostgres(programs ?? '')
    onTestFinished(() => primary.stop())
    const replica = await startReplica(programs ?? '', primary)
    if (replica === null) return context.skip('PostgreSQL without pg_basebackup')
    onTestFinished(() => replica.stop())
    const service = await startService({
      env: {
        QUOIN_DATABASE_URL: primary.url,
        QUOIN_DATABASE_REPLICA_URL: replica.url,
        QUOIN_MASTER_KEY: MASTER_KEY,
      },
    })
    onTestFinished(() => service.close())
    const admin = openPool(replica.url, { max: 1 })
    onTestFinished(() => admin.destroy())

    const project = await service.newProject('Copied')
    const key = await service.newKey({ permissions: ['read', 'manage'] })
    const acts = async () => {
      const { status, body } = await service.call('GET', `/projects/${project}/audit`, undefined, { key })
      expect(status).toBe(200)
      return body.data.length
    }
    const rename = (name: string) => service.call('PUT', `/projects/${project}`, { name })
    const before = await acts()
    // The first reads go to the database, until the replica was compared with it.
    const readsOfReplica = async () => {
      await acts()
      const { rows } = await admin.raw(
        "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'quoin' AND query LIKE '%audit%' AND pid <> pg_backend_pid()",
      )
      return rows[0].open
    }
    await expect.poll(readsOfReplica).toBeGreaterThan(0)

    await admin.raw('SELECT pg_wal_replay_pause()')
    await rename('Renamed')
    expect(await acts()).toBe(before)
    // Nothing is ever older than half a minute.
    await expect.poll(acts, { interval: 500 }).toBe(before + 1)
    await admin.raw('SELECT pg_wal_replay_resume()')
    await expect.poll(readsOfReplica).toBeGreaterThan(0)

    await admin.destroy()
    await replica.restart('SIGQUIT')
    await rename('Renamed again')
    await expect.poll(acts).toBe(before + 2)
  })
})
