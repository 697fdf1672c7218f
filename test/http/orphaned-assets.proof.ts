import { afterEach, beforeEach, expect, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { LeaseLost } from '../../src/publish/ledger/leases.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { serviceConfig } from '../support/test-database.ts'

const HOUR_MS = 60 * 60 * 1000

let service: TestService
let project: string
let time: number
let breaksOff: boolean

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00.000Z')
  breaksOff = false
  service = await startService({
    now: () => new Date(time).toISOString(),
    ledger: (ledger) => ({
      ...ledger,
      liveState: {
        ...ledger.liveState,
        deleteObjects: async (...args) => {
          if (breaksOff) throw new LeaseLost()
          return ledger.liveState.deleteObjects(...args)
        },
      },
    }),
  })
  project = await service.newProject()
})
afterEach(() => service.close())

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = async (id: string) => (await service.call('POST', `/pages/${id}/publish`)).body.data
const unpublish = (id: string) => service.call('POST', `/pages/${id}/unpublish`)
const useTheme = (theme: string) => service.call('PUT', `/projects/${project}/settings`, { theme })
const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
const stylesOf = async (path: string): Promise<readonly string[]> =>
  [...new Set<string>((await visit(path)).body.match(/_assets\/theme\.[\w.-]+\.css/g))].sort()
const isThere = async (key: string | undefined) => (await visit(String(key))).status === 200
const tidyAfterHours = async (hours: number) => {
  time += hours * HOUR_MS
  await service.server.service.runHousekeeping()
}

async function differences(): Promise<readonly unknown[]> {
  const open = await openVerification(await serviceConfig(service.data), {
    recover: false,
  })
  try {
    const wanted = {
      project: project.slice(5) as ProjectId,
      repair: false,
      media: true,
      onProgress: () => {},
    }
    return (await open.verification.verify(wanted)).findings
  } finally {
    await open.close()
  }
}

test('an asset goes a day after the last page that named it, and comes back with the next one', async () => {
  const id = await create()
  await publish(id)
  const [former] = await stylesOf('a-page/')
  await useTheme('dark')
  await publish(id)
  const [present] = await stylesOf('a-page/')
  await tidyAfterHours(0)
  await tidyAfterHours(23)
  expect([await isThere(former), await isThere(present)]).toEqual([true, true])
  expect(await differences()).toEqual([])
  await tidyAfterHours(2)
  expect([await isThere(former), await isThere(present)]).toEqual([false, true])
  expect(await differences()).toEqual([])

  await useTheme('default')
  await publish(id)
  expect(await isThere(former)).toBe(true)
  await tidyAfterHours(1)
  expect(await isThere(former)).toBe(true)
})

test('an asset that another page names stays, and so does one that only the navigation names', async () => {
  const docs = await create({ slug: 'start', subroute: 'docs', type: 'docs' })
  const other = await create({ slug: 'other' })
  await publish(other)
  const { release_id } = await publish(docs)
  const [light] = await stylesOf('docs/start/')
  await useTheme('dark')
  await publish(docs)
  const [dark] = await stylesOf('docs/start/')
  // The page is as it was, and the site keeps the settings it has.
  await service.call('POST', `/pages/${docs}/rollback`, { release_id })
  expect(await stylesOf('docs/start/')).toEqual([light])
  expect(await stylesOf('_nav/docs/')).toEqual([dark])
  await tidyAfterHours(0)
  await tidyAfterHours(25)
  expect([await isThere(light), await isThere(dark)]).toEqual([true, true])
})

test('the day restarts when a page references the asset in between', async () => {
  const id = await create()
  await publish(id)
  const [style] = await stylesOf('a-page/')
  await unpublish(id)
  await tidyAfterHours(0)
  time += 23 * HOUR_MS
  await publish(id)
  await unpublish(id)
  await tidyAfterHours(2)
  expect(await isThere(style)).toBe(true)
  await tidyAfterHours(25)
  expect(await isThere(style)).toBe(false)
})

test('broken off after the removal it is finished the next time, and nothing is missed meanwhile', async () => {
  const id = await create()
  await publish(id)
  const [style] = await stylesOf('a-page/')
  await unpublish(id)
  await tidyAfterHours(0)
  breaksOff = true
  await tidyAfterHours(25)
  expect(await isThere(style)).toBe(false)
  expect(await differences()).toEqual([])
  await publish(id)
  expect(await isThere(style)).toBe(true)
  await unpublish(id)
  breaksOff = false
  await tidyAfterHours(0)
  await tidyAfterHours(25)
  expect(await isThere(style)).toBe(false)
  expect(await differences()).toEqual([])
})

test('a publish at the very moment of the removal has its assets', async () => {
  const id = await create()
  for (let round = 0; round < 3; round++) {
    await publish(id)
    await unpublish(id)
    await tidyAfterHours(0)
    time += 25 * HOUR_MS
    const { runHousekeeping: tidy } = service.server.service
    await Promise.all([tidy(), publish(id), tidy()])
    const styles = await stylesOf('a-page/')
    expect(styles).not.toEqual([])
    for (const style of styles) expect(await isThere(style)).toBe(true)
    expect(await differences()).toEqual([])
    await unpublish(id)
  }
})
