import { afterEach, beforeEach, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let service: TestService
let project: string
let time: number

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00.000Z')
  service = await startService({ now: () => new Date(time).toISOString() })
  project = await service.newProject()
})
afterEach(() => service.close())

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const edit = (id: string, fields: object) => service.call('PUT', `/pages/${id}`, fields)
const publish = async (id: string): Promise<string> =>
  (await service.call('POST', `/pages/${id}/publish`)).body.data.release_id
const total = async (id: string) =>
  (await service.call('GET', `/pages/${id}/releases?limit=1`)).body.meta.total
const passDays = (days: number) => {
  time += days * DAY_MS
}

/** As many releases as if the page had been published so often before; they share what the first one made. */
async function withPast(id: string, releases: number): Promise<void> {
  await changeRows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${releases})
     INSERT INTO releases (id, project_id, page_id, op, state, snapshot, settings_digest, status_after, lenient,
       strict, title, path, in_history, digests, outcome, created_at, finished_at)
     SELECT 'past' || replace(replace(substr(cast(1000000 + i AS text), 2), '0', 'a'), '1', 'b') || substr(r.id, 11), project_id, page_id, op, state, snapshot, settings_digest,
       status_after, lenient, strict, title, path, true, digests, outcome, created_at, finished_at
     FROM releases r, n WHERE r.seq = (SELECT max(seq) FROM releases WHERE page_id = '${id.slice(5)}')`,
  )
}

async function changeRows(sql: string): Promise<void> {
  const { writer, reader } = await openServiceDatabase(service.data)
  await writer.raw(sql)
  await Promise.all([writer.destroy(), reader.destroy()])
}

/** Number of rows by table. */
async function rows(): Promise<Record<string, number>> {
  const { writer, reader } = await openServiceDatabase(service.data)
  const counts: [string, number][] = []
  for (const table of ['releases', 'release_objects', 'artifacts', 'settings_snapshots']) {
    const [row] = await reader(table).count({ total: '*' })
    counts.push([table, Number(row?.['total'])])
  }
  await Promise.all([writer.destroy(), reader.destroy()])
  return Object.fromEntries(counts)
}

test('releases of the last 90 days are retained, and of older ones the newest 50 of a page', async () => {
  const [busy, quiet] = [await create({ slug: 'busy' }), await create({ slug: 'quiet' })]
  await publish(quiet)
  await publish(busy)
  await withPast(busy, 70)
  passDays(89)
  await service.server.service.runHousekeeping()
  expect(await total(busy)).toBe(71)
  passDays(2)
  await service.server.service.runHousekeeping()
  // The live one is older than the newest 50.
  expect([await total(busy), await total(quiet)]).toEqual([51, 1])
})

test('a live release is retained at any age, and can be reverted to', async () => {
  const id = await create({ markdown_content: 'Live.' })
  const live = await publish(id)
  await withPast(id, 60)
  passDays(200)
  await service.server.service.runHousekeeping()
  const { data } = (await service.call('GET', `/pages/${id}/releases?limit=100`)).body
  expect(data).toHaveLength(51)
  expect(data.at(-1)).toMatchObject({ id: live, current: true })
  await edit(id, { markdown_content: 'Other.' })
  await publish(id)
  expect((await service.call('POST', `/pages/${id}/rollback`, { release_id: live })).status).toBe(200)
  expect((await service.call('GET', `/public/${project}/a-page/`)).body).toContain('Live.')
})

test('bytes and settings that only pruned releases referenced are deleted with them', async () => {
  const id = await create({ slug: 'kept' })
  await publish(id)
  const before = await rows()
  const gone = await create({ slug: 'gone' })
  for (const footer of ['One', 'Two', 'Three']) {
    await service.call('PUT', `/projects/${project}/settings`, { footer_text: footer })
    await publish(gone)
  }
  await service.call('DELETE', `/pages/${gone}`)
  // The settings of the site stay as they were last published.
  await service.call('PUT', `/projects/${project}/settings`, { footer_text: null })
  await edit(id, { title: 'Again' })
  await publish(id)
  expect((await rows())['artifacts']).toBeGreaterThan(before['artifacts'] ?? 0)

  passDays(91)
  await service.server.service.runHousekeeping()
  const after = await rows()
  // The page's two releases: their documents, each with its Markdown, share everything else.
  expect(after['releases']).toBe(2)
  expect(after['settings_snapshots']).toBe(1)
  expect(after['artifacts']).toBe((before['artifacts'] ?? 0) + 2)
})

test('publishes that changed nothing are forgotten after two days', async () => {
  const id = await create()
  await publish(id)
  const before = await rows()
  for (let i = 0; i < 3; i++) await publish(id)
  passDays(1)
  await service.server.service.runHousekeeping()
  expect((await rows())['releases']).toBe(4)
  passDays(2)
  await service.server.service.runHousekeeping()
  expect(await rows()).toEqual(before)
})
