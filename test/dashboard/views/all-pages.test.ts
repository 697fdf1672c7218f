import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { finishedJob } from '../../support/finished-job.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

/** How far the clock of the service is ahead, and how much each look at it takes. */
const clock = { ahead: 0, step: 0 }

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  const now = () => {
    clock.ahead += clock.step
    return new Date(Date.now() + clock.ahead).toISOString()
  }
  service = await startService({ now })
  owner = await signedIn(service)
})
afterAll(() => service?.close())

/** A project with pages of these titles. @returns the path of its list. */
async function projectWith(titles: readonly string[]): Promise<string> {
  const project = await service.newProject()
  for (const [index, title] of titles.entries())
    await service.call('POST', '/pages', pageBody(project, { title, slug: `page-${index}` }))
  return `/dashboard/projects/${project}/pages`
}

async function statusesOf(list: string): Promise<Record<string, string>> {
  const [, project] = /projects\/([^/]+)/.exec(list) ?? []
  const { data } = (await service.call('GET', `/pages?project_id=${project}&limit=100`)).body
  return Object.fromEntries(
    data.map(({ page_name, status }: Readonly<Record<string, string>>) => [page_name, status]),
  )
}

describe('all pages that match the filter of the list', () => {
  test('are published by one job, also those on its other pages', async () => {
    const breads = Array.from({ length: 52 }, (_, index) => `Bread ${index}`)
    const list = await projectWith([...breads, 'Cake'])
    const { html } = await owner.get(`${list}?q=bread`)
    expect(html).toContain('All 52 pages that match')
    const started = await owner.post(`${list}/publish?q=bread`, { which: 'matching', of: '52' })
    const [, job = ''] = /\/jobs\/(job_\w+)$/.exec(started.location ?? '') ?? []
    expect(await finishedJob(service, job)).toMatchObject({ total: 52, failed: [] })
    const statuses = await statusesOf(list)
    expect(breads.filter((title) => statuses[title] !== 'published')).toEqual([])
    expect(statuses['Cake']).toBe('draft')
  })

  test('are taken off, archived and deleted, and the filter stays', async () => {
    const list = await projectWith(['Bread 1', 'Bread 2', 'Cake'])
    const act = (name: string, of: string, more = {}) =>
      owner.post(`${list}/act?q=bread`, { which: 'matching', of, act: name, ...more })
    const { location } = await owner.post(`${list}/publish?q=bread+1`, { which: 'matching', of: '1' })
    await finishedJob(service, location?.split('/').at(-1) ?? '')
    expect((await act('unpublish', '2')).location).toBe(`${list}?q=bread&done=pagesChanged`)
    expect(await statusesOf(list)).toEqual({ 'Bread 1': 'draft', 'Bread 2': 'draft', Cake: 'draft' })
    await act('archive', '2')
    expect(await statusesOf(list)).toEqual({ 'Bread 1': 'archived', 'Bread 2': 'archived', Cake: 'draft' })
    expect((await act('delete', '2')).status).toBe(422)
    await act('delete', '2', { confirm: 'yes' })
    expect(await statusesOf(list)).toEqual({ Cake: 'draft' })
  })

  test('are left alone when another number of them matches than the list said', async () => {
    const list = await projectWith(['Bread', 'Bread with seeds'])
    const fields = { which: 'matching', of: '1', act: 'delete', confirm: 'yes' }
    const refused = await owner.post(`${list}/act?q=bread`, fields)
    expect([refused.status, refused.html.includes('2 pages match now')]).toEqual([412, true])
    expect((await owner.post(`${list}/publish?q=bread`, fields)).status).toBe(412)
    expect(Object.keys(await statusesOf(list))).toHaveLength(2)
  })

  test('are changed as far as the time of a request allows, and a button goes on with the others', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `Bread ${index}`)
    const list = await projectWith(titles)
    clock.step = 1_000
    let answer = await owner.post(`${list}/act`, { which: 'matching', of: '12', act: 'archive' })
    expect([answer.status, answer.html.includes('Go on with the others')]).toEqual([409, true])
    for (let turns = 0; answer.location === null && turns < titles.length; turns++)
      answer = await owner.post(`${list}/act`, {
        ...shownFields(answer.html, `${list}/act`),
        act: 'archive',
      })
    clock.step = 0
    expect(answer.location).toBe(`${list}?done=pagesChanged`)
    expect(new Set(Object.values(await statusesOf(list)))).toEqual(new Set(['archived']))
  })
})
