import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readConfig } from '../../src/app/config.ts'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { startCommand } from '../support/command.ts'
import { postgresPrograms } from '../support/postgres.ts'
import { createRandom } from '../support/random.ts'
import { pageBody } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'
import { LONG_TIMEOUT_MS, SEED } from './long-form.ts'
import { startDatabase, startProcess, startStore } from './processes.ts'

const WORKERS = 3
const PAGES = 20
const ROUNDS = 2
/** After a job has begun: within it. */
const LONGEST_WAIT_MS = 800

const programs = postgresPrograms()

describe.skipIf(programs === null)('workers that start at once after all of them were killed', () => {
  test(
    `finish what was under way once: each page has one release and one message of each job, seed ${SEED}`,
    recover,
    LONG_TIMEOUT_MS,
  )
})

async function recover(): Promise<void> {
  const random = createRandom(SEED)
  const database = await startDatabase(programs ?? '')
  const settings = {
    QUOIN_DATABASE_URL: database.url,
    QUOIN_DATABASE_DIRECT_URL: database.directUrl,
    QUOIN_MASTER_KEY: MASTER_KEY,
    QUOIN_BASE_URL: 'http://quoin.test',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'error',
    ...(await startStore(false)),
  }
  const admin = await openAdministration(readConfig({ ...settings, QUOIN_DATA: await temporaryFolder() }))
  onTestFinished(() => admin.close())
  const { key } = await admin.accounts.createKey({
    ...{ userId: null, projectScope: null, name: 'test', permissions: PERMISSIONS, expiresAt: null },
    plan: 'enterprise',
  })
  const api = await startProcess('serve', 'api', settings)
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startProcess('worker', 'worker', settings)),
  )
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(api.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered.
    return (await answer.json()) as any
  }
  const project = (await call('POST', '/projects', { name: 'Recovered' })).data.id
  // Nothing answers there: what counts are the messages that wait, one for each publish.
  const hook = { url: 'https://hooks.quoin.test/', events: ['page.published'] }
  const webhook = (await call('POST', `/projects/${project}/webhooks`, hook)).data.id
  const pages: string[] = []
  for (let n = 0; n < PAGES; n++)
    pages.push((await call('POST', '/pages', pageBody(project, { slug: `page-${n}` }))).data.id)

  for (let round = 1; round <= ROUNDS; round++) {
    for (const page of pages) await call('PUT', `/pages/${page}`, { title: `Round ${round}` })
    const { id } = (await call('POST', `/projects/${project}/publish`, { pages })).data
    const job = async () => (await call('GET', `/jobs/${id}`)).data
    await expect.poll(async () => (await job()).status, { interval: 20 }).not.toBe('queued')
    await sleep(random.below(LONGEST_WAIT_MS))
    await Promise.all(workers.map(({ replace }) => replace()))
    await expect.poll(async () => (await job()).finished_at).not.toBeNull()
    expect(await job()).toMatchObject({ status: 'succeeded', done: PAGES, failed: [] })
  }

  const releases = await Promise.all(
    pages.map(async (page) => (await call('GET', `/pages/${page}/releases`)).meta.total),
  )
  expect(releases).toEqual(pages.map(() => ROUNDS))
  const { meta } = await call('GET', `/projects/${project}/webhooks/${webhook}/deliveries?limit=1`)
  expect(meta.total).toBe(PAGES * ROUNDS)
  const acts = await call('GET', `/projects/${project}/audit?act=page.publish&limit=1`)
  expect(acts.meta.total).toBe(PAGES * ROUNDS)
  await Promise.all([api, ...workers].map(({ stop }) => stop()))
  const { code, out, err } = await startCommand(['verify'], {
    ...settings,
    QUOIN_DATA: await temporaryFolder(),
  }).ended
  expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining('agree') })
}
