import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { createRetryingStorage } from '../../src/storage/retrying-storage.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { createFaultyStorage, FAULTS, type Fault, type StorageCall } from '../support/faulty-storage.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { createRandom } from '../support/random.ts'
import { type Answer, pageBody, startService } from '../support/service.ts'
import { createTestTimers, timeless } from '../support/test-timers.ts'
import { LONG, LONG_TIMEOUT_MS, SEED } from './long-form.ts'

/** Minimum number of injected faults. */
const WANTED = LONG === null ? (LONG_FORM ? 60 : 12) : 1_500
const PAGES = ['one', 'two', 'three', 'four']
/** Approximate calls of one kind per publish; the fault starts at one of them. */
const CALLS = 8
/** The publisher's deadline for each awaited release. */
const DEADLINE_MS = 12_000
const ANSWER_MS = 15_000

describe('a faulty store without injected faults passes the storage contract', () => {
  testStorageContract(async () => createFaultyStorage(createMemoryStorage(), createTestTimers()))
})

test(
  `a store that fails in ${WANTED} ways leaves each site as acknowledged, and answers in time`,
  async () => {
    const random = createRandom(SEED)
    const world = await startWorld()
    const met = new Map<Fault, number>()
    const answers = { live: 0, failed: 0 }
    try {
      for (let version = 1; total(met) < WANTED || met.size < FAULTS.length; version += 1) {
        const slugs = PAGES.filter(() => random.chance(0.4))
        if (slugs.length === 0) continue
        const fault = random.pick(FAULTS)
        const kind = random.pick(['put', 'put', 'delete', 'list', 'open', null] as const)
        const from = random.below(CALLS)
        const times = random.pick([1, 1, 2, 4, Number.POSITIVE_INFINITY])
        const story = `fault ${total(met)}: ${fault} on ${kind ?? 'any call'} ${from}, ${times} times, version ${version}`

        const acts = slugs.map((slug) => world.prepare(slug, version, random.chance(0.25)))
        const ready = await Promise.all(acts)
        let seen = 0
        world.storage.fault = (call: StorageCall) => {
          if (kind !== null && call !== kind) return null
          seen += 1
          if (seen <= from || seen > from + times) return null
          met.set(fault, (met.get(fault) ?? 0) + 1)
          return fault
        }
        const ended = await world.askAtOnce(ready)
        for (const slug of slugs) expect(await world.visit(slug), story).toBe(true)
        world.storage.fault = () => null

        for (const { status } of ended) {
          expect([200, 500], story).toContain(status)
          answers[status === 200 ? 'live' : 'failed'] += 1
        }
        expect(world.longestAnswer(), story).toBeLessThanOrEqual(ANSWER_MS)
        // It is published once everything that failed has been reverted.
        const [helped] = await world.askAtOnce([world.publishHelper])
        expect(helped?.status, story).toBe(200)
        expect(await world.lying(), story).toEqual(world.told())
      }
      expect([...met.keys()].sort()).toEqual([...FAULTS].sort())
      expect(Math.min(answers.live, answers.failed)).toBeGreaterThan(0)
      if (LONG !== null)
        console.log(
          `store: ${total(met)} faults, ${answers.live} releases went live and ${answers.failed} were answered 500, ` +
            `the longest after ${(world.longestAnswer() / 1000).toFixed(1)} s.`,
          Object.fromEntries(met),
        )
    } finally {
      await world.close()
    }
  },
  LONG_TIMEOUT_MS,
)

function total(met: ReadonlyMap<Fault, number>): number {
  return [...met.values()].reduce((sum, count) => sum + count, 0)
}

/** A project whose pages contain their version, with the acknowledged version of each. */
async function startWorld() {
  const timers = createTestTimers()
  const memory = createMemoryStorage()
  const storage = createFaultyStorage(memory, timers)
  let watched = 0
  const service = await startService({
    storage: createRetryingStorage(storage, { timers, random: Math.random }),
    timers: {
      ...timers,
      after(ms, act) {
        // The clock has fractions, so that differences of its times are rounded.
        if (Math.round(ms) === DEADLINE_MS) watched += 1
        return timers.after(ms, act)
      },
    },
    monotonic: timers.now,
    ledger: (ledger) => timeless(ledger, timers),
    renderer: createInProcessRenderer,
  })
  const clock = watchAnswers(timers.now)
  const project = await service.newProject()
  const create = async (slug: string): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id
  const ids = new Map<string, string>()
  for (const slug of PAGES) ids.set(slug, await create(slug))
  const helper = await create('helper')
  const visitor = visitors()
  const nextVisitor = () => visitor.next().value
  /** Null: not live. */
  const live = new Map<string, number | null>(PAGES.map((slug) => [slug, null]))

  return {
    storage,
    longestAnswer: clock.longest,

    /** Edits the page. The returned function publishes it, or unpublishes it if requested and possible. */
    async prepare(slug: string, version: number, takeOff: boolean) {
      const page = `/pages/${ids.get(slug)}`
      await service.call('PUT', page, { markdown_content: `Version ${version}.` })
      const off = takeOff && live.get(slug) !== null
      return async () => {
        const answer = await service.call('POST', `${page}/${off ? 'unpublish' : 'publish'}`)
        if (answer.status === 200) live.set(slug, off ? null : version)
        return answer
      }
    },

    /** The test clock stops until all requests are accepted or refused, because it does not measure the database. */
    async askAtOnce(acts: readonly (() => Promise<Answer>)[]): Promise<readonly Answer[]> {
      const enough = watched + acts.length
      let refused = 0
      const answerOf = async (act: () => Promise<Answer>) => {
        let status = 0
        try {
          const answer = await act()
          status = answer.status
          return answer
        } finally {
          if (![200, 500].includes(status)) refused += 1
        }
      }
      const letPass = timers.hold()
      const answers = Promise.all(acts.map(answerOf))
      while (watched + refused < enough) await new Promise(setImmediate)
      letPass()
      return answers
    },

    /** Whether a visitor gets the live page or an error status. */
    async visit(slug: string): Promise<boolean> {
      const status = await statusOf(`${service.url}/public/${project}/${slug}/`, nextVisitor())
      return [200, 404, 500, 502, 503].includes(status)
    },

    publishHelper: () => service.call('POST', `/pages/${helper}/publish`),

    told: () => Object.fromEntries(live),

    /** The version of each page on the store. Checks that the manifest names exactly the existing pages. */
    async lying(): Promise<Record<string, number | null>> {
      const text = async (key: string) => {
        const body = await memory.get(`${project}/${key}`)
        return body === null ? null : Buffer.from(body).toString()
      }
      const manifest = JSON.parse((await text('_index.json')) ?? '{"pages":[]}')
      const named: string[] = manifest.pages.map(({ slug }: { slug: string }) => slug).sort()
      const there: Record<string, number | null> = {}
      for (const slug of PAGES) {
        const html = await text(`${slug}/index.html`)
        there[slug] = html === null ? null : Number(/Version (\d+)\./.exec(html)?.[1])
        for (const file of html?.match(/_assets\/[\w.-]+/g) ?? [])
          expect(await text(file), `${slug} needs ${file}`).not.toBeNull()
      }
      expect(named).toEqual([...PAGES.filter((slug) => there[slug] !== null), 'helper'].sort())
      return there
    },

    async close() {
      clock.stop()
      await service.close()
    },
  }
}

/** One address per visit, because each has a rate limit per minute. */
function* visitors(): Generator<string, never> {
  for (let n = 0; ; n++) yield `127.0.1.${1 + (n % 250)}`
}

function statusOf(url: string, visitor: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { localAddress: visitor, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', reject)
  })
}

/** Measures the answers of this process by the given clock. */
function watchAnswers(now: () => number) {
  const asked = new WeakMap<object, number>()
  let longest = 0
  const start = (message: unknown) => {
    const { request } = message as { request: { method: string } }
    if (request.method === 'POST') asked.set(request, now())
  }
  const finish = (message: unknown) => {
    const since = asked.get((message as { request: object }).request)
    if (since !== undefined) longest = Math.max(longest, now() - since)
  }
  subscribe('http.server.request.start', start)
  subscribe('http.server.response.finish', finish)
  return {
    longest: () => longest,
    stop() {
      unsubscribe('http.server.request.start', start)
      unsubscribe('http.server.response.finish', finish)
    },
  }
}
