import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceError } from '../../../src/domain/errors.ts'
import type { JobId, PageId, ProjectId } from '../../../src/domain/ids.ts'
import { PUBLISH_PAGES } from '../../../src/domain/job.ts'
import type { Publisher } from '../../../src/publish/queue/publisher.ts'
import { createPublishPagesJob } from '../../../src/services/publishing/publish-pages-job.ts'
import { createServiceFixture, type ServiceFixture } from '../service-fixture.ts'

const NOW = '2026-01-02T03:04:05.678Z'

let fixture: ServiceFixture
let project: ProjectId
let jobId: JobId
/** Time in ms that the publisher takes for a page, and how much of it is rendering. */
let cost: { readonly pageMs: number; readonly renderMs: number; readonly isBroken: boolean }
/** Numbers of pages that the publisher was given together. */
let groups: number[]
let elapsed: number

beforeEach(async () => {
  fixture = await createServiceFixture()
  const caller = await fixture.newCaller()
  project = (await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))).project.id
  cost = { pageMs: 1, renderMs: 0, isBroken: false }
  groups = []
  elapsed = 0
  const pages: PageId[] = []
  for (let i = 0; i < 60; i++) {
    const draft = { title: 'A page', slug: `page-${i}`, subroute: '', type: 'page', description: '' } as const
    const more = { ogImageUrl: null, meta: {}, config: {}, markdown: 'Text.', ownFields: {} }
    const { page } = await fixture.pages.create(caller, project, () => ({ ...draft, ...more }))
    pages.push(page.id)
  }
  jobId = fixture.context.newId<'job'>()
  const job = { id: jobId, projectId: project, kind: PUBLISH_PAGES, subject: null, payload: pages }
  const times = { total: pages.length, dueAt: NOW, createdAt: NOW }
  await fixture.db.write(({ jobs }) => jobs.enqueue({ ...job, ...times }))
})
afterEach(() => fixture.close())

/** Runs the job once, over a publisher that only lets time pass. Returns what the run returned, or 'failed'. */
async function run() {
  const { context, db } = fixture
  let size = 0
  const publisher = {
    async finishInBackground() {
      size += 1
      if (size === 1) {
        setImmediate(() => {
          groups.push(size)
          size = 0
        })
      }
      elapsed += cost.pageMs
      await new Promise((resolve) => setImmediate(resolve))
      if (cost.isBroken) throw new ServiceError('internal_error', 'Publishing failed.')
      return { outcome: null, times: { claim: 0, render: cost.renderMs, upload: 0, commit: 0 } }
    },
  } as unknown as Publisher
  const kind = createPublishPagesJob({ ...context, publisher, monotonic: () => elapsed })
  const [claimed = expect.unreachable()] = await db.write(({ jobs }) =>
    jobs.claim({ name: PUBLISH_PAGES }, 'us', 1, NOW),
  )
  const end = await kind.run(claimed.job, claimed.lease, new AbortController().signal).catch(() => 'failed')
  if (end === null || end === 'failed') await db.write(({ jobs }) => jobs.requeue(claimed.lease, NOW))
  return end
}

test('groups of pages that are published quickly grow to twice their size', async () => {
  expect(await run()).toEqual([])
  expect(groups).toEqual([25, 35])
})

test('a run ends after ten seconds, so that other jobs run, and the next one goes on with the rest', async () => {
  // Slow because of the store or the indexes, so that groups do not shrink below 20.
  cost = { pageMs: 500, renderMs: 0, isBroken: false }
  expect([await run(), await run(), await run()]).toEqual([null, null, []])
  expect(groups).toEqual([25, 20, 15])
})

test('pages that take long to render are published in groups of few', async () => {
  cost = { pageMs: 1_000, renderMs: 25_000, isBroken: false }
  expect(await run()).toBeNull()
  cost = { pageMs: 1_000, renderMs: 2_000, isBroken: false }
  expect(await run()).toBeNull()
  expect(groups[0]).toBe(25)
  expect(groups.slice(1).every((size) => size <= 2)).toBe(true)
})

test('after each failed run a group has half as many pages, also in another process', async () => {
  cost = { pageMs: 1, renderMs: 0, isBroken: true }
  for (let i = 0; i < 5; i++) expect(await run()).toBe('failed')
  expect(groups).toEqual([25, 12, 6, 3, 1])
  cost = { pageMs: 1, renderMs: 0, isBroken: false }
  expect(await run()).toEqual([])
  expect(groups.slice(5)).toEqual([1, 2, 4, 8, 16, 29])
})
