import { afterAll, beforeAll, expect, test } from 'vitest'
import { finishedJob } from '../support/finished-job.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let clock = '2026-12-01T12:00:00.000Z'

beforeAll(async () => {
  service = await startService({ now: () => clock })
})
afterAll(() => service.close())

test('an announcement ends without an edit: live pages become stale, and what is published, in bulk too, has none', async () => {
  const project = await service.newProject()
  const announcement = { text: 'Sale', href: '/sale', until: '2026-12-24T18:00+01:00' }
  await service.call('PUT', `/projects/${project}/settings`, { announcement })
  const stored = async () =>
    (await service.call('GET', `/projects/${project}/settings`)).body.data.announcement
  expect(await stored()).toEqual({ text: 'Sale', href: '/sale', until: '2026-12-24T17:00:00.000Z' })
  const create = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
  const [one, two] = [await create('one'), await create('two')]
  for (const id of [one, two]) await service.call('POST', `/pages/${id}/publish`)
  const html = async (path: string) =>
    (await service.call('GET', `/public/${project}/${path}/`, undefined, { key: null })).body as string
  const staleOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.stale
  expect(await html('one')).toContain('data-until="2026-12-24T17:00:00.000Z"')
  expect(await staleOf(one)).toEqual([])

  clock = '2026-12-24T17:00:00.000Z'
  expect(await staleOf(one)).toEqual(['settings'])
  await service.call('POST', `/pages/${one}/publish`)
  expect([await staleOf(one), await html('one')]).toEqual([[], expect.not.stringContaining('Sale')])
  const { body: job } = await service.call('POST', `/projects/${project}/publish`, { pages: 'stale' })
  expect(await finishedJob(service, job.data.id)).toMatchObject({ status: 'succeeded', total: 1 })
  expect(await staleOf(two)).toEqual([])
  expect(await html('two')).not.toContain('Sale')
  expect(await stored()).toMatchObject({ text: 'Sale' })
})

test('the end of an announcement needs a time zone', async () => {
  const project = await service.newProject()
  const { status, body } = await service.call('PUT', `/projects/${project}/settings`, {
    announcement: { text: 'Sale', until: '2026-12-24T18:00' },
  })
  expect([status, body.message]).toEqual([
    422,
    expect.stringContaining('announcement.until: must have a time zone'),
  ])
})
