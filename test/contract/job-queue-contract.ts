import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/repositories.ts'
import type { JobId, PageId, ProjectId } from '../../src/domain/ids.ts'
import type { Job, NewJob, PageFailure } from '../../src/domain/job.ts'
import { type JobLease, JobLeaseLost } from '../../src/jobs/job-queue.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const LATER = '2026-01-02T04:00:00.000Z'
const FAULT = { pageId: 'bbbbbbbbbbbbbbbb' as PageId, message: 'No.' }

/**
 * Every promise `jobs/job-queue.ts` makes. Call it once per database.
 *
 * @param create returns an empty, migrated database; called once per test.
 */
export function testJobQueueContract(create: () => Promise<Database>): void {
  let db: Database
  let projectId: ProjectId
  afterEach(() => db.close())

  async function start(): Promise<void> {
    db = await create()
    projectId = await insertProject(db)
  }

  const enqueue = async (given: Partial<NewJob> = {}): Promise<JobId> => {
    const job = aJob(projectId, given)
    await db.write(({ jobs }) => jobs.enqueue(job))
    return job.id
  }
  const take = (holder: string, limit = 1, now = NOW) =>
    db.write(({ jobs }) => jobs.claim({ name: 'test' }, holder, limit, now))
  const takeOne = async (holder: string, now = NOW) => (await take(holder, 1, now))[0] ?? expect.unreachable()
  const find = async (id: JobId): Promise<Job> => (await db.read.jobs.find(id)) ?? expect.unreachable()
  const cancel = (subject: string, faultOf: () => PageFailure | null = () => FAULT) =>
    db.write(({ jobs }) => jobs.cancel('test', [subject], faultOf, LATER))

  test('a job reads back as it was enqueued', async () => {
    await start()
    const actor = { via: { kind: 'key', id: newId<'key'>() }, userId: newId<'usr'>() } as const
    const fields = { subject: 'cccccccccccccccc', payload: { pages: ['a', 'b'] }, total: 2, actor }
    const job = aJob(projectId, fields)
    await db.write(({ jobs }) => jobs.enqueue(job))
    expect(await find(job.id)).toEqual({
      ...job,
      state: 'queued',
      done: 0,
      failed: [],
      warnings: { total: 0, told: [] },
      checkpoint: null,
      attempts: 0,
      finishedAt: null,
    })
    expect(await db.read.jobs.find(newId<'job'>())).toBeNull()
  })

  test('a job that a rolled-back transaction enqueued does not exist', async () => {
    await start()
    const job = aJob(projectId, {})
    const failing = db.write(async ({ jobs }) => {
      await jobs.enqueue(job)
      throw new Error('No.')
    })
    await expect(failing).rejects.toThrow('No.')
    expect(await db.read.jobs.find(job.id)).toBeNull()
  })

  test('jobs are claimed in the order in which they became due, and none before it is due', async () => {
    await start()
    const second = await enqueue({ dueAt: '2026-01-02T03:00:00.000Z' })
    const first = await enqueue({ dueAt: '2026-01-02T02:00:00.000Z' })
    const third = await enqueue({ dueAt: '2026-01-02T03:00:00.000Z' })
    const late = await enqueue({ dueAt: LATER })
    await enqueue({ kind: 'another' })
    expect((await take('a', 2)).map(({ job }) => job.id)).toEqual([first, second])
    expect((await take('b', 9)).map(({ job }) => job.id)).toEqual([third])
    expect(await db.read.jobs.isDue({ name: 'test' }, 'a', NOW)).toBe(false)
    expect(await db.read.jobs.isDue({ name: 'test' }, 'a', LATER)).toBe(true)
    expect((await take('b', 9, LATER)).map(({ job }) => job.id)).toEqual([late])
  })

  test('a lane with a limit per subject never exceeds it, and claims subjects with the fewest running jobs first', async () => {
    await start()
    const lane = { name: 'test', perSubject: 2 }
    const takeOf = (limit: number) => db.write(({ jobs }) => jobs.claim(lane, 'a', limit, NOW))
    const subjects = async (limit: number) => (await takeOf(limit)).map(({ job }) => job.subject)
    await db.write(({ jobs }) =>
      jobs.enqueueAll(
        [...'aaaaa', 'b', 'c'].map((subject, i) =>
          aJob(projectId, { subject, dueAt: `2026-01-02T01:00:0${i}.000Z` }),
        ),
      ),
    )
    const [first = expect.unreachable(), second] = await takeOf(2)
    expect([first.job.subject, second?.job.subject]).toEqual(['a', 'b'])
    expect(await db.read.jobs.isDue(lane, 'a', NOW)).toBe(true)
    await enqueue({ subject: 'b', dueAt: '2026-01-02T00:00:00.000Z' })
    expect(await subjects(9)).toEqual(['c', 'b', 'a'])
    expect(await db.read.jobs.isDue(lane, 'a', NOW)).toBe(false)
    await db.write(({ jobs }) => jobs.delete(first.lease))
    expect(await db.read.jobs.find(first.job.id)).toBeNull()
    await expect(db.write(({ jobs }) => jobs.delete(first.lease))).rejects.toThrow(JobLeaseLost)
    expect(await subjects(9)).toEqual(['a'])
  })

  test('a lane behind another kind starts no job of a project while one of that kind runs or is due', async () => {
    await start()
    const other = await insertProject(db)
    const lane = { name: 'late', behind: ['first'] }
    await enqueue({ kind: 'late' })
    const running = await enqueue({ kind: 'first' })
    await enqueue({ kind: 'first', dueAt: LATER })
    await db.write(({ jobs }) => jobs.enqueue(aJob(other, { kind: 'late' })))
    const takeLate = (now: string) => db.write(({ jobs }) => jobs.claim(lane, 'a', 9, now))
    expect((await takeLate(NOW)).map(({ job }) => job.projectId)).toEqual([other])
    const [claimed = expect.unreachable()] = await db.write(({ jobs }) =>
      jobs.claim({ name: 'first' }, 'a', 1, NOW),
    )
    expect(claimed.job.id).toBe(running)
    expect(await db.read.jobs.hasDue(projectId, lane.behind, NOW)).toBe(true)
    expect([await takeLate(NOW), await db.read.jobs.isDue(lane, 'a', NOW)]).toEqual([[], false])
    await db.write(({ jobs }) => jobs.finish(claimed.lease, [], NOW))
    // One that is due later holds nothing up.
    expect(await db.read.jobs.hasDue(projectId, lane.behind, NOW)).toBe(false)
    expect(await takeLate(LATER)).toEqual([])
    expect(await takeLate(NOW)).toHaveLength(1)
  })

  test('a job that is enqueued once is there once, at the earlier time, until it runs', async () => {
    await start()
    const once = async (dueAt: string, payload: string) => {
      const job = aJob(projectId, { subject: 'cccccccccccccccc', dueAt, payload })
      await db.write(({ jobs }) => jobs.enqueueOnce(job))
      return job.id
    }
    const id = await once(LATER, 'first')
    for (const dueAt of [NOW, LATER]) await once(dueAt, 'again')
    expect(await find(id)).toMatchObject({ dueAt: NOW, payload: 'first' })
    expect((await take('a', 9)).map(({ job }) => job.id)).toEqual([id])
    const next = await once(LATER, 'while it runs')
    expect((await take('a', 9, LATER)).map(({ job }) => job.id)).toEqual([next])
  })

  test('accounts take turns, then the projects of an account, and no account has more than its limit', async () => {
    await start()
    const owner = (await db.read.projects.ownerOf(projectId)) ?? expect.unreachable()
    const [second, stranger] = [await insertProject(db, owner), await insertProject(db)]
    const names = new Map([
      [projectId, 'P'],
      [second, 'Q'],
      [stranger, 'other'],
    ])
    // The busy account has been waiting the longest.
    for (let i = 0; i < 20; i++) await enqueue({ dueAt: `2026-01-02T01:00:${10 + i}.000Z` })
    await db.write(({ jobs }) => jobs.enqueue(aJob(second, { dueAt: '2026-01-02T02:00:00.000Z' })))
    await db.write(({ jobs }) => jobs.enqueueAll([aJob(stranger, {}), aJob(stranger, {})]))

    const lane = { name: 'test', perAccount: 3 }
    const turns = async (holder: string, limit: number) =>
      (await db.write(({ jobs }) => jobs.claim(lane, holder, limit, NOW))).map(({ job }) =>
        names.get(job.projectId),
      )
    expect(await turns('a', 2)).toEqual(['P', 'other'])
    expect(await turns('a', 9)).toEqual(['Q', 'other', 'P'])
    expect(await db.read.jobs.isDue(lane, 'a', NOW)).toBe(false)
    // Another process has its own limit.
    expect(await db.read.jobs.isDue(lane, 'b', NOW)).toBe(true)
    expect(await turns('b', 9)).toEqual(['P', 'P', 'P'])
  })

  test('a job can be postponed as a job of another kind', async () => {
    await start()
    const id = await enqueue()
    const { lease } = await takeOne('a')
    await db.write(({ jobs }) => jobs.postpone(lease, NOW, 'another'))
    expect(await take('a')).toEqual([])
    const [moved] = await db.write(({ jobs }) => jobs.claim({ name: 'another' }, 'a', 1, NOW))
    expect(moved?.job.id).toBe(id)
  })

  test('a job is leased to one holder at a time, however many claim it', async () => {
    await start()
    for (let i = 0; i < 20; i++) await enqueue()
    const taken = (await Promise.all(['a', 'b', 'c', 'd'].map((holder) => take(holder, 7)))).flat()
    expect(taken).toHaveLength(20)
    expect(new Set(taken.map(({ job }) => job.id)).size).toBe(20)
  })

  test('progress is stored, and restarts the count of attempts when more is done', async () => {
    await start()
    const id = await enqueue({ total: 9 })
    await db.write(async ({ jobs }) => {
      const [held = expect.unreachable()] = await jobs.claim({ name: 'test' }, 'a', 1, NOW)
      await jobs.postpone(held.lease, NOW)
    })
    const { job, lease } = await takeOne('a')
    expect(job.attempts).toBe(2)
    const progress = { done: 0, failed: [], checkpoint: { waiting: ['x'] } }
    await db.write(({ jobs }) => jobs.recordProgress(lease, progress))
    expect(await find(id)).toMatchObject({ ...progress, state: 'running', attempts: 2 })
    await db.write(({ jobs }) => jobs.recordProgress(lease, { ...progress, done: 4, failed: [FAULT] }))
    expect(await find(id)).toMatchObject({ done: 4, failed: [FAULT], attempts: 1 })
  })

  test('warnings remain after the end, and progress without warnings leaves them', async () => {
    await start()
    const id = await enqueue({ total: 2 })
    const { lease } = await takeOne('a')
    const warnings = {
      total: 7,
      told: [{ pageId: newId<'page'>(), code: 'QN-DEADLINK' as const, at: null, message: 'Odd.' }],
    }
    const progress = { done: 1, failed: [], checkpoint: null }
    await db.write(({ jobs }) => jobs.recordProgress(lease, { ...progress, warnings }))
    await db.write(({ jobs }) => jobs.recordProgress(lease, progress))
    await db.write(({ jobs }) => jobs.finish(lease, [FAULT], LATER))
    expect(await find(id)).toMatchObject({ state: 'failed', warnings })
    await db.write(({ jobs }) => jobs.retry(id, LATER))
    expect(await find(id)).toMatchObject({ state: 'queued', warnings: { total: 0, told: [] } })
  })

  test('a job that ends has succeeded unless a part of it failed', async () => {
    await start()
    for (const [failed, state] of [
      [[], 'succeeded'],
      [[FAULT], 'failed'],
    ] as const) {
      const id = await enqueue({ total: 3 })
      const { lease } = await takeOne('a')
      await db.write(({ jobs }) => jobs.finish(lease, failed, LATER))
      expect(await find(id)).toMatchObject({ state, failed, done: 3, finishedAt: LATER })
    }
    expect(await take('a', 9, LATER)).toEqual([])
  })

  test('a postponed job waits until it is due, and a requeued one does not count the run', async () => {
    await start()
    await enqueue()
    const first = await takeOne('a')
    await db.write(({ jobs }) => jobs.postpone(first.lease, LATER))
    expect(await take('a')).toEqual([])
    const second = await takeOne('a', LATER)
    expect(second.job.attempts).toBe(2)
    const other = await enqueue()
    await db.write(({ jobs }) => jobs.requeue(second.lease, LATER))
    expect((await takeOne('a', LATER)).job.id).toBe(other)
    expect((await takeOne('a', LATER)).job.attempts).toBe(2)
  })

  test('a lease that is not renewed expires, and one that is renewed does not', async () => {
    await start()
    const id = await enqueue()
    const { lease } = await takeOne('a')
    const seen = async () => (await db.read.jobs.running()).find((state) => state.id === id)
    const before = (await seen()) ?? expect.unreachable()
    await db.write(({ jobs }) => jobs.renew('a', [id]))
    expect(await db.write(({ jobs }) => jobs.expire(before))).toBe(false)
    const after = (await seen()) ?? expect.unreachable()
    expect(await db.write(({ jobs }) => jobs.expire(after))).toBe(true)
    expect(await seen()).toBeUndefined()

    const next = await takeOne('b')
    expect(next.job.attempts).toBe(2)
    const zombie: readonly ((jobs: Database['read']['jobs']) => Promise<void>)[] = [
      (jobs) => jobs.recordProgress(lease, { done: 1, failed: [], checkpoint: null }),
      (jobs) => jobs.finish(lease, [], NOW),
      (jobs) => jobs.postpone(lease, NOW),
      (jobs) => jobs.requeue(lease, NOW),
    ]
    for (const write of zombie)
      await expect(db.write(({ jobs }) => write(jobs))).rejects.toThrow(JobLeaseLost)
    expect(await find(id)).toMatchObject({ state: 'running', done: 0 })
  })

  test('a job is cancelled by its subject until its first effect, even while it runs', async () => {
    await start()
    const subject = 'dddddddddddddddd'
    const waiting = await enqueue({ subject, total: 1 })
    const effective = await enqueue({ subject })
    const held = await enqueue({ subject })
    await enqueue({ subject: 'eeeeeeeeeeeeeeee' })
    const [first = expect.unreachable(), second = expect.unreachable()] = await db.write(async ({ jobs }) => {
      const taken = await jobs.claim({ name: 'test' }, 'a', 3, NOW)
      await jobs.requeue(taken.find(({ job }) => job.id === waiting)?.lease ?? expect.unreachable(), NOW)
      return [effective, held].map((id) => taken.find(({ job }) => job.id === id)?.lease)
    })
    await db.write(({ jobs }) => jobs.recordProgress(first, { done: 0, failed: [], checkpoint: 1 }))

    await cancel(subject, () => null)
    expect([(await find(waiting)).state, (await find(held)).state]).toEqual(['queued', 'running'])
    await cancel(subject)
    expect([(await find(effective)).state, (await find(held)).state]).toEqual(['running', 'cancelled'])
    expect(await find(waiting)).toMatchObject({
      state: 'cancelled',
      failed: [FAULT],
      done: 1,
      finishedAt: LATER,
    })
    await expect(db.write(({ jobs }) => jobs.finish(second, [], NOW))).rejects.toThrow(JobLeaseLost)
    await db.write(({ jobs }) => jobs.finish(first, [], NOW))
    expect((await take('b', 9)).map(({ job }) => job.subject)).toEqual(['eeeeeeeeeeeeeeee'])
  })

  test('an unfinished job is cancelled whatever it has done, and a run of it loses its lease', async () => {
    await start()
    const id = await enqueue({ total: 3 })
    const { lease } = await takeOne('a')
    await db.write(({ jobs }) => jobs.recordProgress(lease, { done: 1, failed: [], checkpoint: ['x'] }))
    await db.write(({ jobs }) => jobs.cancelJob(id, [FAULT], LATER))
    const cancelled = { state: 'cancelled', done: 3, failed: [FAULT], checkpoint: null, finishedAt: LATER }
    expect(await find(id)).toMatchObject(cancelled)
    await expect(db.write(({ jobs }) => jobs.finish(lease, [], LATER))).rejects.toThrow(JobLeaseLost)
    await db.write(({ jobs }) => jobs.cancelJob(id, [], NOW))
    expect(await find(id)).toMatchObject(cancelled)
  })

  test('jobs are listed newest first by project, kind and state, and fewer at a time when they are large', async () => {
    await start()
    const other = await insertProject(db)
    const first = await enqueue()
    const second = await enqueue({ kind: 'another' })
    await takeOne('a')
    await db.write(({ jobs }) => jobs.enqueue(aJob(other, {})))
    const any = { projectId: null, kinds: null, states: null }
    const ids = async (filter: object, limit = 9, offset = 0) => {
      const { items, total } = await db.read.jobs.list({ ...any, ...filter }, { limit, offset })
      return [items.map(({ id }) => id), total]
    }
    expect((await ids({}))[1]).toBe(3)
    expect(await ids({ projectId })).toEqual([[second, first], 2])
    expect(await ids({ projectId }, 1, 1)).toEqual([[first], 2])
    expect(await ids({ projectId, kinds: ['test'] })).toEqual([[first], 1])
    expect(await ids({ projectId, states: ['running'] })).toEqual([[first], 1])
    const large = [await enqueue({ payload: 'x'.repeat(3 * 2 ** 20) })]
    for (let i = 0; i < 2; i++) large.unshift(await enqueue({ payload: 'x'.repeat(3 * 2 ** 20) }))
    expect(await ids({ projectId })).toEqual([large.slice(0, 1), 5])
    expect(await ids({ projectId }, 9, 2)).toEqual([[large[2], second, first], 5])
  })

  test('unfinished jobs are counted by project and kind, and old ended jobs are deleted', async () => {
    await start()
    const ended = await enqueue()
    const { lease } = await takeOne('a')
    await enqueue()
    await enqueue({ kind: 'another' })
    expect(await db.read.jobs.countUnfinished(projectId, 'test')).toBe(2)
    await db.write(({ jobs }) => jobs.finish(lease, [], NOW))
    expect(await db.read.jobs.countUnfinished(projectId, 'test')).toBe(1)
    await db.write(({ jobs }) => jobs.prune(NOW))
    expect(await find(ended)).toMatchObject({ state: 'succeeded' })
    await db.write(({ jobs }) => jobs.prune(LATER))
    expect(await db.read.jobs.find(ended)).toBeNull()
    expect(await db.read.jobs.countUnfinished(projectId, 'test')).toBe(1)
  })

  test('deleting the queued jobs of a project and kind leaves all others, and a running one', async () => {
    await start()
    await enqueue()
    const { job: running } = await takeOne('a')
    const [queued, other] = [await enqueue(), await enqueue({ kind: 'other' })]
    await db.write(({ jobs }) => jobs.deleteQueued(newId<'proj'>(), 'test'))
    expect(await db.read.jobs.find(queued)).not.toBeNull()
    await db.write(({ jobs }) => jobs.deleteQueued(projectId, 'test'))
    expect(await db.read.jobs.find(queued)).toBeNull()
    expect([(await find(running.id)).state, (await find(other)).state]).toEqual(['running', 'queued'])
  })

  test('queued jobs are listed by project and kind, earliest due first', async () => {
    await start()
    const later = await enqueue({ dueAt: LATER })
    const sooner = await enqueue()
    await enqueue({ kind: 'another' })
    const ids = async (limit: number, offset = 0) => {
      const { items, total } = await db.read.jobs.listQueued(projectId, 'test', { limit, offset })
      return [items.map(({ id }) => id), total]
    }
    expect(await ids(10)).toEqual([[sooner, later], 2])
    expect(await ids(1, 1)).toEqual([[later], 2])
    expect(await db.read.jobs.listQueued(newId<'proj'>(), 'test', { limit: 9, offset: 0 })).toMatchObject({
      total: 0,
    })
    await takeOne('a')
    expect(await ids(10)).toEqual([[later], 1])
  })

  describe('law', () => {
    const holder = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ do: fc.constant('enqueue' as const) }),
      fc.record({ do: fc.constant('take' as const), holder, limit: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        do: fc.constantFrom('progress', 'finish', 'postpone', 'giveBack', 'free', 'beat'),
        which: fc.nat(),
      }),
    )

    test('no job is lost, none has two holders, and every run is counted', async () => {
      await start()
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const model = new Map<
            JobId,
            { lease: JobLease | null; ended: boolean; attempts: number; done: number }
          >()
          /** Every lease that was ever granted; most of them are lost by now. */
          const leases: JobLease[] = []
          for (const one of steps) {
            if (one.do === 'enqueue') {
              model.set(await enqueue(), { lease: null, ended: false, attempts: 0, done: 0 })
            } else if (one.do === 'take') {
              for (const { job, lease } of await take(one.holder, one.limit)) {
                const known = model.get(job.id) ?? expect.unreachable()
                expect([known.lease, known.ended]).toEqual([null, false])
                Object.assign(known, { lease, attempts: known.attempts + 1 })
                expect(job.attempts).toBe(known.attempts)
                leases.push(lease)
              }
            } else if (leases.length > 0) {
              const lease = leases[one.which % leases.length] ?? expect.unreachable()
              const known = model.get(lease.id) ?? expect.unreachable()
              await tryOn(known, lease, one.do)
            }
          }
          for (const [id, known] of model) {
            const job = await find(id)
            const state = known.ended ? 'succeeded' : known.lease === null ? 'queued' : 'running'
            expect([job.state, job.attempts]).toEqual([state, known.attempts])
          }
          const left = [...model].filter(([, { lease, ended }]) => lease === null && !ended)
          expect((await take('last', 100)).map(({ job }) => job.id).sort()).toEqual(
            left.map(([id]) => id).sort(),
          )
          for (const { id, fence, beat } of await db.read.jobs.running())
            await db.write(({ jobs }) => jobs.expire({ id, fence, beat }))
          for (const { lease } of await take('last', 100))
            await db.write(({ jobs }) => jobs.finish(lease, [], NOW))
        }),
        { numRuns: 25 },
      )
    })

    async function tryOn(
      known: { lease: JobLease | null; ended: boolean; attempts: number; done: number },
      lease: JobLease,
      what: 'progress' | 'finish' | 'postpone' | 'giveBack' | 'free' | 'beat',
    ): Promise<void> {
      if (what === 'beat') return db.write(({ jobs }) => jobs.renew(lease.holder, [lease.id]))
      if (what === 'free') {
        const seen = (await db.read.jobs.running()).find(({ id }) => id === lease.id)
        expect(seen === undefined).toBe(known.lease === null)
        if (seen !== undefined) expect(await db.write(({ jobs }) => jobs.expire(seen))).toBe(true)
        known.lease = null
        return
      }
      const done = known.done + 1
      const doing = db.write(({ jobs }) => {
        if (what === 'progress') return jobs.recordProgress(lease, { done, failed: [], checkpoint: done })
        if (what === 'finish') return jobs.finish(lease, [], NOW)
        if (what === 'postpone') return jobs.postpone(lease, NOW)
        return jobs.requeue(lease, NOW)
      })
      if (known.lease?.fence !== lease.fence) {
        await expect(doing).rejects.toThrow(JobLeaseLost)
        return
      }
      await doing
      if (what === 'progress') Object.assign(known, { done, attempts: 1 })
      if (what === 'finish') Object.assign(known, { lease: null, ended: true })
      if (what === 'postpone') known.lease = null
      if (what === 'giveBack') Object.assign(known, { lease: null, attempts: known.attempts - 1 })
    }
  })
}

function aJob(projectId: ProjectId, given: Partial<NewJob>): NewJob {
  return {
    id: newId<'job'>(),
    projectId,
    kind: 'test',
    subject: null,
    payload: null,
    total: 0,
    dueAt: NOW,
    createdAt: NOW,
    ...given,
  }
}
