import { inflateSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

/** PostgreSQL compresses long texts itself. */
const isPostgres = process.env['QUOIN_TEST_DATABASE_URL'] !== undefined

let service: TestService
afterEach(() => service.close())

const LARGE = 'All work and no play makes a dull page. '.repeat(2_000)

/** @param asBefore stores them as earlier versions did. */
async function snapshots(asBefore = false): Promise<readonly (string | Buffer)[]> {
  const { writer, reader } = await openServiceDatabase(service.data)
  const rows = await writer('releases').orderBy('seq').select('id', 'snapshot')
  for (const { id, snapshot } of rows)
    if (asBefore && typeof snapshot !== 'string')
      await writer('releases')
        .where({ id })
        .update({ snapshot: inflateSync(snapshot).toString() })
  await Promise.all([writer.destroy(), reader.destroy()])
  return rows.map(({ snapshot }) => snapshot)
}

test('a long snapshot is compressed in SQLite when its release ends, a short one is not, and both roll back', async () => {
  service = await startService()
  const project = await service.newProject()
  const { id } = (await service.call('POST', '/pages', pageBody(project, { markdown_content: LARGE }))).body
    .data
  const publish = async () => (await service.call('POST', `/pages/${id}/publish`)).body.data.release_id
  const large = await publish()
  await service.call('PUT', `/pages/${id}`, { markdown_content: 'Short.' })
  const short = await publish()
  const [first, second] = await snapshots()
  if (isPostgres) expect(first).toContain('a dull page')
  else {
    expect(first).toBeInstanceOf(Buffer)
    expect(first?.length).toBeLessThan(LARGE.length / 20)
  }
  expect(second).toContain('Short.')

  const shown = async () => {
    const path = (await service.call('GET', `/pages/${id}`)).body.data
    return (await fetch(`${service.url}/public/${project}/${path.slug}/`)).text()
  }
  for (const [release, text] of [
    [large, 'a dull page'],
    [short, 'Short.'],
  ]) {
    const body = { release_id: release }
    expect((await service.call('POST', `/pages/${id}/rollback`, body)).status).toBe(200)
    expect(await shown()).toContain(text)
  }
  const enabled = await service.call('POST', `/projects/${project}/data-mode/enable`)
  expect(enabled.status).toBe(200)
  expect((await service.call('POST', `/projects/${project}/data-mode/regenerate-key`)).status).toBe(200)
})

test.skipIf(isPostgres)(
  'long snapshots of earlier versions are compressed by the hourly clean-up',
  async () => {
    service = await startService()
    const project = await service.newProject()
    const { id } = (await service.call('POST', '/pages', pageBody(project, { markdown_content: LARGE }))).body
      .data
    await service.call('POST', `/pages/${id}/publish`)
    const [before] = await snapshots(true)
    expect(typeof (await snapshots())[0]).toBe('string')
    await service.server.service.runHousekeeping()
    expect(await snapshots()).toEqual([before])
  },
)
