import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { parseMetrics } from '../support/prometheus.ts'
import { createRandom } from '../support/random.ts'
import { type Got, type Receiver, startReceiver, verified } from '../support/receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LONG, LONG_TIMEOUT_MS, SEED } from './long-form.ts'
import { callApi } from './site-client.ts'
import { startVictim, type Victim } from './victim.ts'

/** Pages of each of the two projects, each published once between two deaths. */
const PAGES = LONG === null ? 4 : 250
const KILLS = LONG === null ? 1 : 20
/** A clock that has gone on for so long has every try due that was put off. */
const DAY_MS = 24 * 60 * 60 * 1000
/** A receiver fails half the time, but no message oftener than it is tried. */
const MOST_FAILURES = 4

interface Site {
  readonly project: string
  readonly receiver: Receiver
  readonly hook: string
  readonly secret: string
  readonly pages: readonly string[]
  /** Ids of the messages that were answered with 2xx. */
  readonly arrived: Set<string>
}

test.runIf(LONG_FORM)(
  'each event arrives at least once, complete, signed and with one id, at its own receiver only, however often the service is killed',
  async () => {
    const data = await temporaryFolder()
    const random = createRandom(SEED)
    let deaths = 0
    let victim = await startVictim(data, 'lean')
    onTestFinished(() => victim.kill())
    const sites = [await newSite(), await newSite()]
    for (let kill = 1; kill <= KILLS; kill++) {
      const jobs = await Promise.all(sites.map(({ project, pages }) => publishAll(victim, project, pages)))
      const moment = 1 + random.below(PAGES)
      await Promise.race([arrivals(sites, moment * kill), sleep(5_000)])
      victim.kill()
      await victim.ended
      deaths += 1
      victim = await startVictim(data, 'lean', kill * DAY_MS)
      for (const job of jobs) await finished(victim, job)
    }
    await everythingTried()
    for (const site of sites) await expectAllArrived(victim, site)

    async function newSite(): Promise<Site> {
      const { body: made } = await callApi(victim, 'POST', '/projects', { name: 'Site' })
      const project = made.data.id
      const arrived = new Set<string>()
      const failures = new Map<string, number>()
      const receiver = await startReceiver(({ id }, response) => {
        const failed = failures.get(id) ?? 0
        // In the short form the receiver recovers with the service, so that no retry is due a day later.
        const fails = (LONG !== null || deaths === 0) && failed < MOST_FAILURES && random.below(2) === 0
        if (fails) failures.set(id, failed + 1)
        else arrived.add(id)
        response.writeHead(fails ? 500 : 200).end()
      })
      onTestFinished(() => receiver.close())
      const { body } = await callApi(victim, 'POST', `/projects/${project}/webhooks`, { url: receiver.url })
      const pages = []
      for (let i = 0; i < PAGES; i++) pages.push(await newPage(victim, project, i))
      const hook = `/projects/${project}/webhooks/${body.data.id}`
      return { project, receiver, hook, secret: body.data.secret, pages, arrived }
    }

    /** Lets days pass until nothing waits any more. */
    async function everythingTried(): Promise<void> {
      for (let days = KILLS; ; days++) {
        await untilTried(victim)
        const waiting = await Promise.all(sites.map(({ hook }) => count(victim, hook, 'pending')))
        if (waiting.every((left) => left === 0)) return
        expect(days).toBeLessThan(KILLS + 12)
        victim.kill()
        await victim.ended
        victim = await startVictim(data, 'lean', (days + 1) * DAY_MS)
      }
    }
  },
  LONG_TIMEOUT_MS,
)

async function newPage(victim: Victim, project: string, i: number): Promise<string> {
  const page = { project_id: project, title: `Page ${i}`, slug: `page-${i}`, subroute: '', type: 'article' }
  return (await callApi(victim, 'POST', '/pages', page)).body.data.id
}

async function publishAll(victim: Victim, project: string, pages: readonly string[]): Promise<string> {
  return (await callApi(victim, 'POST', `/projects/${project}/publish`, { pages })).body.data.id
}

async function finished(victim: Victim, job: string): Promise<void> {
  const status = async () => (await callApi(victim, 'GET', `/jobs/${job}`)).body.data.status
  await expect.poll(status, { timeout: 120_000, interval: 50 }).toBe('succeeded')
}

/** Resolves once so many messages have come altogether. */
async function arrivals(sites: readonly Site[], wanted: number): Promise<void> {
  while (sites.reduce((sum, { receiver }) => sum + receiver.got.length, 0) < wanted) await sleep(5)
}

/** Resolves once every message that waits does so for a later time. */
async function untilTried(victim: Victim): Promise<void> {
  const underWay = async () => {
    const metrics = parseMetrics(await (await fetch(`${victim.url}/metrics`)).text())
    const jobs = metrics.get('quoin_jobs')?.samples ?? []
    return jobs.filter(
      ({ labels: { kind, state }, value }) => kind?.endsWith('delivery') && state !== 'waiting' && value > 0,
    )
  }
  await expect.poll(underWay, { timeout: 600_000, interval: 100 }).toEqual([])
}

async function count(victim: Victim, hook: string, status: string): Promise<number> {
  return (await callApi(victim, 'GET', `${hook}/deliveries?status=${status}&limit=1`)).body.meta.total
}

async function expectAllArrived(victim: Victim, site: Site): Promise<void> {
  const expected = PAGES * KILLS
  const counts = ['delivered', 'failed', 'pending'].map((status) => count(victim, site.hook, status))
  expect(await Promise.all(counts)).toEqual([expected, 0, 0])
  for (let offset = 0; offset < expected; offset += 100) {
    const { body } = await callApi(victim, 'GET', `${site.hook}/deliveries?limit=100&offset=${offset}`)
    for (const { event_id } of body.data) expect(site.arrived.has(event_id)).toBe(true)
  }
  const texts = new Map<string, string>()
  for (const got of site.receiver.got) {
    expect(texts.get(got.id) ?? got.text).toBe(got.text)
    texts.set(got.id, got.text)
    expect(verifiedThen(got, site.secret).data.project_id).toBe(site.project)
  }
  expect(texts.size).toBe(expected)
  // Half of the answers were failures, so that each message came about twice.
  if (LONG !== null) expect(site.receiver.got.length).toBeGreaterThan(expected * 1.5)
}

/** At the moment of the signature: the service's clock runs ahead by days. */
function verifiedThen(got: Got, secret: string) {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Number(got.headers['webhook-timestamp']) * 1000)
  try {
    return verified(got, secret)
  } finally {
    clock.mockRestore()
  }
}
