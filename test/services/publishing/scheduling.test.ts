import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/caller.ts'
import type { PageId, ProjectId } from '../../../src/domain/ids.ts'
import { createSchedulingService } from '../../../src/services/publishing/scheduling.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
let caller: Caller
let project: ProjectId
beforeEach(async () => {
  fixture = await createServiceFixture()
  caller = await fixture.newCaller()
  project = (await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))).project.id
})
afterEach(() => fixture.close())

async function newPage(slug: string): Promise<PageId> {
  const { page } = await fixture.pages.create(caller, project, () => ({
    title: slug,
    slug,
    subroute: '',
    type: 'page',
    description: '',
    ogImageUrl: null,
    meta: {},
    config: {},
    markdown: '',
    ownFields: {},
  }))
  return page.id
}
const schedule = (page: PageId, publishAt: string | null, by = caller) =>
  createSchedulingService(fixture.context).schedule(by, page, () => ({ publishAt, strict: false }))
const list = () => createSchedulingService(fixture.context).list(caller, project, { limit: 10, offset: 0 })

test('a schedule replaces the earlier one of the same page', async () => {
  const page = await newPage('home')
  const first = await schedule(page, '2027-01-01T00:00:00.000Z')
  const second = await schedule(page, '2027-02-01T00:00:00.000Z')
  expect((await fixture.db.read.jobs.find(first.job?.id ?? expect.unreachable()))?.state).toBe('cancelled')
  expect((await list()).items.map(({ id }) => id)).toEqual([second.job?.id])
})

test('null cancels the schedule', async () => {
  const page = await newPage('home')
  await schedule(page, '2027-01-01T00:00:00.000Z')
  expect((await schedule(page, null)).job).toBeNull()
  expect((await list()).total).toBe(0)
})

test('schedules are listed soonest first', async () => {
  const [late, early] = [await newPage('late'), await newPage('early')]
  await schedule(late, '2027-02-01T00:00:00.000Z')
  await schedule(early, '2027-01-01T00:00:00.000Z')
  expect((await list()).items.map(({ subject }) => subject)).toEqual([early, late])
})

test('a repeated request with the same idempotency key returns the same job', async () => {
  caller = await fixture.newCallerWithKey('once', '/pages/x/publish')
  project = (
    await fixture.projects.create({ ...caller, idempotentRequest: null }, () => ({
      name: 'Site',
      slugs: 'standard',
    }))
  ).project.id
  const plain = caller
  caller = { ...caller, idempotentRequest: null }
  const page = await newPage('home')
  const first = await schedule(page, '2027-01-01T00:00:00.000Z', plain)
  const second = await schedule(page, '2027-01-01T00:00:00.000Z', plain)
  expect(second.job?.id).toBe(first.job?.id)
})

test('a page of an archived project cannot be scheduled', async () => {
  const page = await newPage('home')
  await fixture.projects.setStatus(project, 'archived')
  expect(await errorOf(schedule(page, '2027-01-01T00:00:00.000Z'))).toBe('forbidden')
})
