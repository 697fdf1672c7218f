import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import type { Database } from '../../src/db/repositories.ts'
import type { JobId, PageId, ProjectId } from '../../src/domain/ids.ts'
import type { Job } from '../../src/domain/job.ts'
import type { JobKind } from '../../src/jobs/job-kind.ts'
import type { JobLease } from '../../src/jobs/job-queue.ts'
import { createJobRunner, type JobRunner } from '../../src/jobs/runner.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { newDatabase } from '../support/new-database.ts'

const OFTEN = { interval: 10 }
const START = Date.parse('2026-01-02T03:00:00.000Z')
const FAULT = { pageId: 'bbbbbbbbbbbbbbbb' as PageId, message: 'Given up.' }

/** A queue with clocks that the test advances. */
async function begin() {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  const projectId = await insertProject(db)
  const clock = { wall: START, monotonic: 0 }
  const runners: JobRunner[] = []
  onTestFinished(async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    await db.close()
  })
  return {
    db,
    clock,
    enqueue: (payload: Job['payload'] = null) => enqueue(db, projectId, clock.wall, payload),
    find: async (id: JobId) => (await db.read.jobs.find(id)) ?? expect.unreachable(),
    run(kind: Partial<JobKind>, holder = 'us') {
      const runner = createJobRunner({
        db,
        kinds: [{ ...QUIET, ...kind }],
        holder,
        now: () => new Date(clock.wall).toISOString(),
        monotonic: () => clock.monotonic,
        log: pino({ level: 'silent' }),
      })
      runners.push(runner)
      runner.start()
      return runner
    },
  }
}

const QUIET: JobKind = {
  name: 'test',
  concurrency: 2,
  attempts: 3,
  backoff: (failed) => failed * 1_000,
  run: async () => [],
  faultsOf: () => [FAULT],
}

async function enqueue(
  db: Database,
  projectId: ProjectId,
  wall: number,
  payload: Job['payload'],
): Promise<JobId> {
  const id = newId<'job'>()
  const now = new Date(wall).toISOString()
  await db.write(({ jobs }) =>
    jobs.enqueue({
      id,
      projectId,
      kind: 'test',
      subject: null,
      payload,
      total: 1,
      dueAt: now,
      createdAt: now,
    }),
  )
  return id
}

test('a job runs when it is due, and immediately when the runner is woken', async () => {
  const { enqueue, find, run } = await begin()
  const seen: unknown[] = []
  const runner = run({
    run: async ({ payload }) => {
      seen.push(payload)
      return []
    },
  })
  const id = await enqueue('hello')
  runner.wake()
  await expect.poll(async () => (await find(id)).state, OFTEN).toBe('succeeded')
  expect(seen).toEqual(['hello'])
})

test('no more jobs of a kind run concurrently than its limit', async () => {
  const { enqueue, find, run } = await begin()
  const ids = await Promise.all(Array.from({ length: 7 }, () => enqueue()))
  let now = 0
  let most = 0
  run({
    run: async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now -= 1
      return []
    },
  })
  await expect
    .poll(async () => new Set((await Promise.all(ids.map(find))).map(({ state }) => state)), OFTEN)
    .toEqual(new Set(['succeeded']))
  expect(most).toBe(2)
})

describe('a job that fails', () => {
  test('is retried after the backoff of its kind, and marked as failed after the last attempt', async () => {
    const { clock, enqueue, find, run } = await begin()
    const waits: number[] = []
    let began = clock.wall
    const runner = run({
      run: async () => {
        waits.push(clock.wall - began)
        began = clock.wall
        throw new Error('No.')
      },
    })
    const id = await enqueue()
    runner.wake()
    await expect
      .poll(async () => {
        clock.wall += 100
        runner.wake()
        return find(id)
      }, OFTEN)
      .toMatchObject({ state: 'failed', failed: [FAULT], attempts: 3 })
    const [, second = 0, third = 0] = waits
    expect(waits).toHaveLength(3)
    expect(second).toBeGreaterThanOrEqual(1_000)
    expect(third).toBeGreaterThanOrEqual(2_000)
  })

  test('because the process ends in every attempt is marked as failed as well', async () => {
    const { db, enqueue, find, run } = await begin()
    const id = await enqueue()
    for (let death = 0; death < 3; death++) await takeAndDie(db)
    let runs = 0
    run({
      run: async () => {
        runs += 1
        return []
      },
    }).wake()
    await expect.poll(() => find(id), OFTEN).toMatchObject({ state: 'failed', failed: [FAULT] })
    expect(runs).toBe(0)

    async function takeAndDie(db: Database): Promise<void> {
      const now = new Date(START).toISOString()
      await db.write(({ jobs }) => jobs.claim({ name: 'test' }, 'dead', 1, now))
      for (const seen of await db.read.jobs.running()) await db.write(({ jobs }) => jobs.expire(seen))
    }
  })
})

describe('a job whose holder died', () => {
  test('is expired when its lease is not renewed by the monotonic clock, whatever the wall clock does', async () => {
    const { db, clock, enqueue, find, run } = await begin()
    const id = await enqueue()
    const now = new Date(START).toISOString()
    await db.write(({ jobs }) => jobs.claim({ name: 'test' }, 'dead', 1, now))
    const runner = run({})
    const look = async () => {
      runner.wake()
      await new Promise((resolve) => setTimeout(resolve, 80))
    }
    await look()
    clock.wall += 24 * 3_600_000
    await look()
    clock.monotonic = 3_999
    await look()
    await db.write(({ jobs }) => jobs.renew('dead', [id]))
    clock.monotonic = 5_000
    await look()
    clock.monotonic = 8_999
    await look()
    expect((await find(id)).state).toBe('running')
    await expect
      .poll(() => {
        // On a busy machine the runner may see the renewal only now.
        clock.monotonic += 1_001
        runner.wake()
        return find(id)
      }, OFTEN)
      .toMatchObject({ state: 'succeeded' })
  })
})

describe('a runner that is stopped', () => {
  test('waits for running jobs, requeues those that stopped early, and claims no more', async () => {
    const { db, enqueue, find, run } = await begin()
    const ends = await enqueue('ends')
    const rests = await enqueue('rests')
    const waits = await enqueue('waits')
    let began = 0
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const runner = run({
      run: async ({ payload }, _, stopping) => {
        began += 1
        if (payload === 'ends') await ended
        else await new Promise((resolve) => stopping.addEventListener('abort', resolve))
        return payload === 'ends' ? [] : null
      },
    })
    runner.wake()
    await expect.poll(() => began, OFTEN).toBe(2)
    const stopped = runner.stop()
    await expect.poll(async () => (await find(rests)).state, OFTEN).toBe('queued')
    expect((await find(ends)).state).toBe('running')
    end()
    await stopped
    expect((await find(ends)).state).toBe('succeeded')
    expect(await find(rests)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await find(waits)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(await db.read.jobs.running()).toEqual([])
  })

  test('sends no more queries', async () => {
    const { db, run, clock } = await begin()
    const runner = run({})
    await runner.stop()
    let asked = 0
    const counting: Database = {
      ...db,
      get read() {
        asked += 1
        return db.read
      },
    }
    const other = createJobRunner({
      db: counting,
      kinds: [QUIET],
      holder: 'other',
      now: () => new Date(clock.wall).toISOString(),
      monotonic: () => 0,
      log: pino({ level: 'silent' }),
    })
    other.start()
    await other.stop()
    const before = asked
    other.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asked).toBe(before)
  })
})

describe('law', () => {
  const run = fc.constantFrom('succeed', 'fail', 'progress and fail', 'rest')

  test.runIf(LONG_FORM)(
    'several runners end every job, never run one twice concurrently, and never exceed its attempts',
    async () => {
      const { db, clock, enqueue, find, run: start } = await begin()
      const scripts = new Map<JobId, { readonly steps: string[]; sinceProgress: number }>()
      const busy = new Set<JobId>()
      const breaches: string[] = []
      const kind: Partial<JobKind> = {
        run: async (job: Job, lease: JobLease) => {
          const script = scripts.get(job.id) ?? expect.unreachable()
          if (busy.has(job.id)) breaches.push(`${job.id} is run by two`)
          busy.add(job.id)
          await new Promise((resolve) => setTimeout(resolve, 1))
          busy.delete(job.id)
          const step = script.steps.shift() ?? 'succeed'
          script.sinceProgress += 1
          if (script.sinceProgress > 3) breaches.push(`${job.id} is run too often`)
          if (step === 'succeed') return []
          if (step === 'rest') {
            script.sinceProgress -= 1
            return null
          }
          if (step === 'progress and fail') {
            script.sinceProgress = 1
            await db.write(({ jobs }) =>
              jobs.recordProgress(lease, { done: job.done + 1, failed: [], checkpoint: null }),
            )
          }
          throw new Error('No.')
        },
      }
      const runners = ['a', 'b', 'c'].map((holder) => start(kind, holder))
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(run, { maxLength: 6 }), { minLength: 1, maxLength: 8 }),
          async (jobs) => {
            const ids: JobId[] = []
            for (const steps of jobs) {
              const id = await enqueue()
              scripts.set(id, { steps: [...steps], sinceProgress: 0 })
              ids.push(id)
            }
            await expect
              .poll(async () => {
                clock.wall += 10_000
                for (const runner of runners) runner.wake()
                const states = (await Promise.all(ids.map(find))).map(({ state }) => state)
                return states.filter((state) => state !== 'succeeded' && state !== 'failed')
              }, OFTEN)
              .toEqual([])
            expect(breaches).toEqual([])
          },
        ),
        { numRuns: 12 },
      )
    },
  )
})
