import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barChart } from '../../../src/dashboard/views/visit-chart.ts'
import { type DashboardClient, signedIn } from '../../support/dashboard.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

describe('visits', () => {
  test('are switched on and off by a form, and shown by page, address and term', async () => {
    const project = await service.newProject('Read')
    const path = `/dashboard/projects/${project}/visits`
    expect((await owner.get(path)).html).toContain('Visits are not counted')
    const { location } = await owner.submit(path, path, { visits: 'count' })
    expect(location).toBe(`${path}?done=settingsSaved`)
    expect((await owner.get(path)).html).toContain('No visits yet')

    const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'one' }))).body.data
    await service.call('POST', `/pages/${id}/publish`)
    const reports = [{ path: '/one/' }, { path: '/one/' }, { path: '/<b>gone</b>/' }]
    const searches = Array.from({ length: 3 }, () => ({ search: '<i>sso</i>' }))
    for (const report of [...reports, ...searches])
      await fetch(`${service.url}/public/${project}/_visits`, {
        method: 'POST',
        headers: { 'User-Agent': BROWSER },
        body: JSON.stringify(report),
      })
    await service.server.service.storeVisits()
    const { html } = await owner.get(path)
    expect(html).toMatch(/<a href="[^"]*\/one" rel="noopener">\/one<\/a><\/th><td class="number">2</)
    expect(html).toContain('/&lt;b&gt;gone&lt;/b&gt;')
    expect(html).toContain('&lt;i&gt;sso&lt;/i&gt;')
    expect(html).toContain(': 2 by people, 0 by agents</title>')
    expect((await owner.get(`${path}?days=7`)).html.match(/<g>/g)).toHaveLength(7)
    expect((await owner.get(`${path}?days=nonsense`)).html.match(/<g>/g)).toHaveLength(30)

    await owner.submit(path, path, { visits: 'none' })
    const off = (await owner.get(path)).html
    expect(off).toContain('Visits are not counted')
    // What was counted stays.
    expect(off).toContain('/one</a>')
  })

  test('are refused by the name of the field when a form names them otherwise', async () => {
    const project = await service.newProject('Refused')
    const path = `/dashboard/projects/${project}/visits`
    const { status, html } = await owner.post(path, { visits: 'everything' })
    expect(status).toBe(422)
    expect(html).toContain('must be none or count')
  })
})

describe('the bars of a chart', () => {
  const day = (people: number, agents: number) => ({ day: '2026-11-28', people, agents })

  test('stand on the ground, people below agents, and reach the top at the number that it names', () => {
    const { bars, most, width } = barChart([day(30, 20), day(0, 0), day(1, 0)])
    expect([most, width]).toEqual([50, 30])
    expect(bars.map(({ parts }) => parts)).toEqual([
      [
        { kind: 'people', y: 40, height: 60 },
        { kind: 'agents', y: 0, height: 40 },
      ],
      [],
      [{ kind: 'people', y: 98, height: 2 }],
    ])
  })

  test.each([
    [0, 1],
    [1, 1],
    [3, 3],
    [7, 8],
    [275, 300],
    [10, 10],
    [11, 20],
    [4_999, 5_000],
  ])('end, for at most %i visits a day, at %i', (count, most) => {
    expect(barChart([day(count, 0)]).most).toBe(most)
  })

  test('are there for one visit next to thousands', () => {
    expect(barChart([day(5_000, 0), day(1, 0)]).bars[1]?.parts[0]?.height).toBe(1)
  })
})
