import { expect, onTestFinished, test } from 'vitest'
import type { PageId } from '../../../src/domain/ids.ts'
import { prefixed } from '../../../src/domain/ids.ts'
import type { PageContent } from '../../../src/domain/page.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { createBulkPublishingService } from '../../../src/services/publishing/bulk-publishing.ts'
import { insertProject } from '../../support/insert-project.ts'
import { createServiceFixture } from '../service-fixture.ts'

const DRAFT: PageContent = {
  title: 'A page',
  slug: 'a-page',
  subroute: 'docs',
  type: 'docs',
  description: '',
  ogImageUrl: null,
  meta: {},
  config: {},
  markdown: 'Text.',
  ownFields: {},
}

test('a publish of stale pages has each of them, also when pages are removed while they are compared', async () => {
  const { db, context, pages, newCaller, close } = await createServiceFixture()
  onTestFinished(close)
  const caller = await newCaller({ plan: 'enterprise' })
  const projectId = await insertProject(db, caller.userId)
  const { page } = await pages.create(caller, prefixed('proj', projectId), () => DRAFT)
  const live: PageId[] = Array.from({ length: 1_010 }, () => randomId<'page'>())
  await db.write(async (repositories) => {
    for (const [n, id] of live.entries())
      await repositories.pages.insert({ ...page, id, slug: `page-${n}`, status: 'published' }, caller.userId)
  })
  let compared = 0
  const bulk = createBulkPublishingService({
    ...context,
    wake: () => {},
    async staleness(some) {
      compared += 1
      const removed = compared === 1 ? some.slice(0, 5).map(({ id }) => id) : []
      for (const id of removed) await db.write((repositories) => repositories.pages.delete(id))
      return new Map(some.map(({ id }) => [id, { hasUnpublishedChanges: true, stale: ['theme'] }] as const))
    },
  })

  const { payload } = await bulk.publish(caller, prefixed('proj', projectId), () => ({
    selection: 'stale',
    strict: false,
  }))
  expect(compared).toBeGreaterThan(1)
  expect([...(payload as readonly string[])].sort()).toEqual([...live].sort())
})
