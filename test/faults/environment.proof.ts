import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { MAY_MOUNT, mountDisk } from '../support/mounted-disk.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'
import { databaseSettings } from '../support/test-database.ts'
import { LONG } from './long-form.ts'

let service: TestService
afterEach(() => service.close())

const FAILED = { status: 500, body: { statusCode: 500, name: 'internal_error', message: expect.any(String) } }

const create = (project: string, slug: string, text = 'Text.') =>
  service.call('POST', '/pages', pageBody(project, { slug, markdown_content: text }))
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const visit = (project: string, slug: string) => fetch(`${service.url}/public/${project}/${slug}/`)

async function publishNew(project: string, slug: string): Promise<string> {
  const id = (await create(project, slug)).body.data.id
  expect((await publish(id)).status).toBe(200)
  return id
}

/** Everything the API and visitors read, while nothing can be written. */
async function expectReadable(project: string, id: string, slug: string): Promise<void> {
  expect((await service.call('GET', `/pages/${id}`)).status).toBe(200)
  expect((await service.call('GET', `/pages?project_id=${project}`)).status).toBe(200)
  expect((await visit(project, slug)).status).toBe(200)
}

async function expectAgreement(data: string, ...settings: string[]): Promise<void> {
  const env = await databaseSettings(data)
  const { code, out } = await startCommand(['verify', '--data', data, ...settings], env).ended
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('database and storage agree') })
}

/** Only SQLite has a lock and a disk that are the machine's. */
const IS_POSTGRES = Boolean(process.env['QUOIN_TEST_DATABASE_URL'])

describe.skipIf(IS_POSTGRES)('a database that another process has locked', () => {
  const locks = LONG === null ? [700] : [4_000, 10_000, 15_000]

  test.each(locks)('for %i ms delays writes, and no reads', async (ms) => {
    service = await startService()
    const project = await service.newProject()
    const id = await publishNew(project, 'kept')
    const draft = (await create(project, 'draft')).body.data.id
    const other = openSqlite(join(service.data, 'quoin.db'))
    onTestFinished(async () => {
      await Promise.all([other.writer.destroy(), other.reader.destroy()])
    })

    const held = await other.writer.transaction()
    const writes = [
      create(project, 'late'),
      publish(draft),
      service.call('PUT', `/pages/${id}`, { title: 'New' }),
    ]
    const until = performance.now() + ms
    // Reads that waited for the lock would never end, since it is held until they have.
    for (let round = 0; round < 3; round++) await expectReadable(project, id, 'kept')
    await sleep(until - performance.now())
    await held.rollback()

    const answers = await Promise.all(writes)
    for (const answer of answers) {
      if (answer.status >= 300) expect(answer).toMatchObject(FAILED)
    }
    if (ms < 10_000) expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
    // Refused requests had no effect, acknowledged ones did, and later requests succeed.
    const [late, , renamed] = answers as [Answer, Answer, Answer]
    const slugs = (await service.call('GET', `/pages?project_id=${project}`)).body.data.map(
      ({ slug }: { slug: string }) => slug,
    )
    expect(slugs.includes('late')).toBe(late.status === 201)
    const { page_name: name } = (await service.call('GET', `/pages/${id}`)).body.data
    expect(name).toBe(renamed.status === 200 ? 'New' : 'A page')
    await expect.poll(async () => (await publish(draft)).status).toBe(200)
    await expectAgreement(service.data)
  })
})

test.skipIf(IS_POSTGRES)(
  'a service that cannot write to its database is not ready until it can',
  async () => {
    service = await startService()
    const ready = async () => (await fetch(`${service.url}/readyz`)).status
    expect(await ready()).toBe(200)
    const other = openSqlite(join(service.data, 'quoin.db'))
    onTestFinished(async () => {
      await Promise.all([other.writer.destroy(), other.reader.destroy()])
    })
    const held = await other.writer.transaction()
    await expect.poll(ready).toBe(503)
    const body = await (await fetch(`${service.url}/readyz`)).json()
    expect(body).toEqual({ status: 'unavailable', database: false, storage: true })
    await held.rollback()
    await expect.poll(ready).toBe(200)
  },
)

describe('a clock that is set back and forth', () => {
  test.runIf(LONG_FORM)('changes no outcome when it moves by an hour', async () => {
    const hour = 60 * 60 * 1000
    let shift = 0
    service = await startService({ now: () => new Date(Date.now() + shift).toISOString() })
    const project = await service.newProject()
    const ids: string[] = []
    let updated = ''
    for (const [step, moved] of [0, -hour, hour, -hour, 0].entries()) {
      shift = moved
      ids.push(await publishNew(project, `page-${step}`))
      const [first = ''] = ids
      const edited = await service.call('PUT', `/pages/${first}`, { title: `Title ${step}` })
      expect(edited.status).toBe(200)
      const { updated_at: at } = edited.body.data
      expect(at > updated, `${at} after ${updated}`).toBe(true)
      updated = at
      expect((await publish(first)).status).toBe(200)
      expect(await (await visit(project, 'page-0')).text()).toContain(`Title ${step}`)
    }
    for (const id of ids) expect((await service.call('POST', `/pages/${id}/unpublish`)).status).toBe(200)
    await expectAgreement(service.data)
  })
})

if (!MAY_MOUNT) console.log('Skipped: a full disk and a read-only store need the right to mount.')

describe.runIf(MAY_MOUNT)('a disk of its own', () => {
  test('refuses uploads when it is full, and serves existing objects', async () => {
    const disk = mountDisk('size=8m')
    service = await startService({ env: { QUOIN_STORAGE_URL: `file:${disk.folder}` } })
    const project = await service.newProject()
    const id = await publishNew(project, 'kept')
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Never to be seen. '.repeat(5_000) })

    disk.fill()
    expect(await publish(id)).toMatchObject(FAILED)
    await expectReadable(project, id, 'kept')
    disk.free()

    expect(await (await visit(project, 'kept')).text()).not.toContain('Never to be seen.')
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Seen.' })
    await expect.poll(async () => (await publish(id)).status).toBe(200)
    expect(await (await visit(project, 'kept')).text()).toContain('Seen.')
    await expectAgreement(service.data, '--storage-url', `file:${disk.folder}`)
  })

  test.skipIf(IS_POSTGRES)('refuses edits when it is full, and loses none that it accepted', async () => {
    const disk = mountDisk('size=8m')
    const data = join(disk.folder, 'data')
    service = await startService({ data })
    const project = await service.newProject()
    const id = await publishNew(project, 'kept')
    disk.fill()

    const kept: string[] = []
    let refused: Answer | null = null
    for (let n = 0; n < 50 && refused === null; n++) {
      const answer = await create(project, `page-${n}`, 'Much to keep. '.repeat(3_000))
      if (answer.status === 201) kept.push(answer.body.data.id)
      else refused = answer
    }
    expect(refused).toMatchObject(FAILED)
    expect(await publish(id)).toMatchObject({ status: expect.any(Number) })
    await expectReadable(project, id, 'kept')
    disk.free()

    await expect.poll(async () => (await publish(id)).status).toBe(200)
    expect((await create(project, 'afterwards')).status).toBe(201)
    for (const page of kept) expect((await service.call('GET', `/pages/${page}`)).status).toBe(200)
    await expectAgreement(data)
  })

  test.runIf(LONG_FORM)(
    'refuses publishes when it turns read-only, and serves existing objects',
    async () => {
      const disk = mountDisk('size=8m')
      service = await startService({ env: { QUOIN_STORAGE_URL: `file:${disk.folder}` } })
      const project = await service.newProject()
      const id = await publishNew(project, 'kept')
      const other = (await create(project, 'other')).body.data.id

      disk.remount('ro')
      expect(await publish(other)).toMatchObject(FAILED)
      expect(await service.call('POST', `/pages/${id}/unpublish`)).toMatchObject(FAILED)
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
      await expectReadable(project, id, 'kept')
      disk.remount('rw')

      await expect.poll(async () => (await publish(other)).status).toBe(200)
      expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('published')
      await expectAgreement(service.data, '--storage-url', `file:${disk.folder}`)
    },
  )
})
