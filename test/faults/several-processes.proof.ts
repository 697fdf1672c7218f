import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readConfig } from '../../src/app/config.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { startCommand } from '../support/command.ts'
import { postgresPrograms } from '../support/postgres.ts'
import { createRandom, type Random } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'
import { linearize } from './linearizable.ts'
import { LONG_TIMEOUT_MS, SEED } from './long-form.ts'
import { modelKey, stepsOf } from './page-model.ts'
import { mostInBurst, revokeKeys, sendLimited } from './process-limits.ts'
import { type Process, startDatabase, startProcess, startStore } from './processes.ts'
import { createSharedSite, type SharedSite, withLimitedDoubt } from './shared-site.ts'

/** `QUOIN_FAULTS_SECONDS=600` runs the whole of it. */
const SECONDS = Number(process.env['QUOIN_FAULTS_SECONDS'] ?? 15)
const IS_LONG = SECONDS > 60
const WRITERS = IS_LONG ? 32 : 8
const PROJECTS = 4
/** Fewer than writers, so that they meet. */
const PAGES = WRITERS / 2
const APIS = IS_LONG ? 3 : 2
const WORKERS = 2
/** Between two faults. Longer than a process takes to start. */
const FAULT_MS = IS_LONG ? 8_000 : 5_000
/** Longer than it takes until a lease is taken over. */
const FROZEN_MS = 7_000

const programs = postgresPrograms()

describe.skipIf(programs === null)('API processes and workers that are killed and frozen', () => {
  test(
    `lose no acknowledged write or job, explain each page by one order, keep limits and revocations, and agree with the store: ${SECONDS} s, seed ${SEED}`,
    () => run(createRandom(SEED)),
    LONG_TIMEOUT_MS,
  )
})

async function run(random: Random): Promise<void> {
  const database = await startDatabase(programs ?? '')
  const settings = {
    QUOIN_DATABASE_URL: database.url,
    QUOIN_DATABASE_DIRECT_URL: database.directUrl,
    QUOIN_MASTER_KEY: MASTER_KEY,
    QUOIN_BASE_URL: 'http://quoin.test',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'error',
    ...(await startStore(IS_LONG)),
  }
  const admin = await openAdministration(readConfig({ ...settings, QUOIN_DATA: await temporaryFolder() }))
  onTestFinished(() => admin.close())
  const newKey = async (plan: 'enterprise' | 'free') =>
    admin.accounts.createKey({
      ...{ userId: null, projectScope: null, name: plan, permissions: DEFAULT_PERMISSIONS, expiresAt: null },
      plan,
    })
  const { key } = await newKey('enterprise')
  const apis = await Promise.all(Array.from({ length: APIS }, () => startProcess('serve', 'api', settings)))
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startProcess('worker', 'worker', settings)),
  )
  const site = await createSharedSite(apis, key, random, { projects: PROJECTS, pages: PAGES })

  const end = performance.now() + 1000 * SECONDS
  const isOver = () => performance.now() >= end
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const faults = breakProcesses([...apis, ...workers], random, isOver, count)
  const limited = sendLimited(apis, await newKey('free'), random, isOver)
  const revoked = revokeKeys(apis, admin.accounts, () => newKey('enterprise'), isOver)
  const jobs = site.publishByJobs(isOver, count)
  await Promise.all(Array.from({ length: WRITERS }, () => write(site, random, isOver, count)))
  await faults
  const [accepted, late] = await Promise.all([limited, revoked])

  expect(await jobs).toEqual([])
  // Each page is published once more, so that at least these publishes are acknowledged on a busy machine.
  for (const page of site.pages) await site.settle(page)
  console.info(`${SECONDS} s, ${WRITERS} writers, ${APIS} API processes, ${WORKERS} workers:`, counts, {
    limited: accepted,
  })
  for (const { first, history } of site.pages) {
    const steps = stepsOf(withLimitedDoubt(history))
    const verdict = linearize(steps, first, modelKey)
    expect(verdict, JSON.stringify(history)).toEqual({ isLinearizable: true, explained: steps.length })
  }
  expect(late).toEqual([])
  // The plan allows 10 in 10 s and 60 in a minute.
  expect(accepted).toBeLessThanOrEqual(60 * Math.ceil(SECONDS / 60) + 60 + 1)
  expect(accepted).toBeGreaterThan(0)
  expect(await mostInBurst(database.directUrl)).toBeLessThanOrEqual(10)
  await Promise.all([...apis, ...workers].map(({ stop }) => stop()))
  const { code, out, err } = await startCommand(['verify'], {
    ...settings,
    QUOIN_DATA: await temporaryFolder(),
  }).ended
  expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining('agree') })
}

/** Breaks one process after the other, and repairs it before the next. */
async function breakProcesses(
  processes: readonly Process[],
  random: Random,
  isOver: () => boolean,
  count: (name: string) => void,
): Promise<void> {
  while (!isOver()) {
    await sleep(FAULT_MS)
    const victim = random.pick(processes)
    const isKill = random.below(2) === 0
    count(isKill ? 'kills' : 'freezes')
    await (isKill ? victim.replace() : victim.freeze(FROZEN_MS))
  }
}

async function write(
  site: SharedSite,
  random: Random,
  isOver: () => boolean,
  count: (name: string) => void,
): Promise<void> {
  while (!isOver()) {
    const kind = random.pick(['edit', 'publish', 'publish', 'unpublish', 'read', 'read'] as const)
    const status = await site.perform(random.pick(site.pages), kind)
    count(`${kind} ${status ?? 'without an answer'}`)
  }
}
