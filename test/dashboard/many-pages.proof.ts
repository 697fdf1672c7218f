import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageId } from '../../src/domain/ids.ts'
import { randomId } from '../../src/services/new-id.ts'
import { type DashboardClient, signedIn } from '../support/dashboard.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

const TURNS = 15
/** A list shows 50 of them, whatever their number. Counting and finding them takes the rest. */
const MOST_TIMES = 6

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

/** A project with this many pages, whose rows are inserted without the service. */
async function projectWith(count: number): Promise<string> {
  const project = await service.newProject(`With ${count}`)
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'page', title: 'Page' }))
  const { writer, reader } = await openServiceDatabase(service.data)
  const id: string = body.data.id.slice('page_'.length)
  const row = await writer('pages').where({ id }).first()
  const rows = Array.from({ length: count - 1 }, (_, index) => ({
    ...row,
    id: randomId<'page'>() satisfies PageId,
    slug: `page-${index}`,
    title: `Page ${index} of the handbook`,
  }))
  await writer.batchInsert('pages', rows, 30)
  await Promise.all([writer.destroy(), reader.destroy()])
  return `/dashboard/projects/${project}/pages`
}

test('a list of 10,000 pages takes a few times as long as one of 100, also with a search and at its end', async () => {
  const [few, many] = [await projectWith(100), await projectWith(10_000)]
  for (const [query, manyQuery, found] of [
    ['', '', '10,000'],
    ['?page=2', '?page=200', '9,951'],
    ['?q=Page+9+of', '?q=Page+999+of', 'Page 999 of the handbook'],
    ['?status=draft', '?status=draft', '10,000'],
  ] as const) {
    expect((await owner.get(many + manyQuery)).html).toContain(found)
    const times = { few: [] as number[], many: [] as number[] }
    for (let turn = 0; turn < TURNS; turn++) {
      times.few.push(await timeOf(few + query))
      times.many.push(await timeOf(many + manyQuery))
    }
    const ratio = median(times.many) / median(times.few)
    expect([query, ratio < MOST_TIMES ? 'little' : ratio]).toEqual([query, 'little'])
  }
})

async function timeOf(path: string): Promise<number> {
  const start = performance.now()
  expect((await owner.get(path)).status).toBe(200)
  return performance.now() - start
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0
}
