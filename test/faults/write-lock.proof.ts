import sqlite3 from 'sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { pageBody, startService } from '../support/service.ts'

// Takes the 15 s that a write may wait. Only SQLite has a lock of the whole database.
test.runIf(LONG_FORM && !process.env['QUOIN_TEST_DATABASE_URL'])(
  'a change that another process keeps from the database is answered 503, and can be repeated afterwards',
  async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const project = await service.newProject()
    const body = pageBody(project, { slug: 'waiting' })
    const unlock = await lock(`${service.data}/quoin.db`)
    const [refused, read] = await Promise.all([
      service.call('POST', '/pages', body),
      service.call('GET', `/projects/${project}`),
    ])
    await unlock()

    expect(read.status).toBe(200)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.body).toEqual({
      statusCode: 503,
      name: 'service_unavailable',
      message: expect.stringContaining('Nothing was changed; try again.'),
    })
    expect((await service.call('GET', `/pages?project_id=${project}`)).body.data).toEqual([])
    expect((await service.call('POST', '/pages', body)).status).toBe(201)
  },
)

/** Takes the write lock of a database, as another process would. Resolves with a function that gives it back. */
async function lock(filename: string): Promise<() => Promise<void>> {
  const other = new sqlite3.Database(filename)
  const run = (sql: string) =>
    new Promise<void>((resolve, reject) => other.run(sql, (error) => (error ? reject(error) : resolve())))
  await run('BEGIN IMMEDIATE')
  return async () => {
    await run('ROLLBACK')
    other.close()
  }
}
