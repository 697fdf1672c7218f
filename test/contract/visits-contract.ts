import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { MAX_NAMES_OF_DAY, type VisitCount } from '../../src/domain/visits.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const DAY = '2026-11-28'
const WHOLE = { from: '2026-01-01', to: '2026-12-31' }

/** Tests every promise of `VisitRepository`. */
export function testVisitsContract(
  create: () => Promise<{ readonly db: Database; readonly projectId: ProjectId }>,
): void {
  describe('counts of visits', () => {
    const count = (projectId: ProjectId, fields: Partial<VisitCount> = {}): VisitCount => ({
      projectId,
      day: DAY,
      kind: 'page',
      name: '/',
      people: 1,
      agents: 0,
      ...fields,
    })
    const add = (db: Database, ...counts: VisitCount[]) => db.write(({ visits }) => visits.add(counts))
    const prune = (db: Database, now: string) => db.write(({ visits }) => visits.prune(now))

    test('add up over writes, by day and by name', async () => {
      const { db, projectId } = await create()
      await add(db, count(projectId, { people: 2 }), count(projectId, { name: '/a', people: 0, agents: 5 }))
      await add(db, count(projectId, { people: 3, agents: 1 }), count(projectId, { day: '2026-11-30' }))
      await add(db, count(projectId, { kind: 'missing', name: '/gone' }), count(newId<'proj'>()))
      const report = await db.read.visits.report(projectId, WHOLE, 10)
      expect(report.days).toEqual([
        { day: DAY, people: 5, agents: 6 },
        { day: '2026-11-30', people: 1, agents: 0 },
      ])
      expect(report.totals).toEqual({
        page: { people: 6, agents: 6 },
        missing: { people: 1, agents: 0 },
        search: { people: 0, agents: 0 },
      })
      expect(report.names.page).toEqual([
        { name: '/', people: 6, agents: 1 },
        { name: '/a', people: 0, agents: 5 },
      ])
      expect(report.names.missing).toEqual([{ name: '/gone', people: 1, agents: 0 }])
    })

    test('add up within the limit of the day when several processes write at the same time', async () => {
      const { db, projectId } = await create()
      const half = MAX_NAMES_OF_DAY.missing / 2 + 10
      const waves = Array.from({ length: 6 }, (_, wave) =>
        Array.from({ length: half }, (_, index) =>
          count(projectId, { kind: 'missing', name: `/${wave % 3}-${index}` }),
        ),
      )
      await Promise.all(waves.map((wave) => db.write(({ visits }) => visits.add(wave), { alone: 'visits' })))
      const { totals, names } = await db.read.visits.report(projectId, WHOLE, 10_000)
      expect(totals.missing.people).toBe(6 * half)
      expect(names.missing).toHaveLength(MAX_NAMES_OF_DAY.missing + 1)
    })

    test('are those of the range, which includes both of its days, and of as many names as are wanted', async () => {
      const { db, projectId } = await create()
      const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']
      await add(db, ...days.map((day) => count(projectId, { day, name: `/${day}` })))
      const report = await db.read.visits.report(projectId, { from: '2026-11-02', to: '2026-11-03' }, 1)
      expect(report.days.map(({ day }) => day)).toEqual(['2026-11-02', '2026-11-03'])
      expect(report.names.page).toEqual([{ name: '/2026-11-02', people: 1, agents: 0 }])
    })

    test('a day has a row for each name up to its limit, and one for all others, so that sums are exact', async () => {
      const { db, projectId } = await create()
      const most = MAX_NAMES_OF_DAY.missing
      const wave = (first: number, length: number) =>
        Array.from({ length }, (_, index) =>
          count(projectId, { kind: 'missing', name: `/random-${first + index}` }),
        )
      await add(db, ...wave(0, most - 1))
      await add(db, ...wave(most - 10, 500))
      await add(db, ...wave(0, 3), ...wave(10_000, 7))
      const { totals, names } = await db.read.visits.report(projectId, WHOLE, 10_000)
      expect(totals.missing.people).toBe(most - 1 + 500 + 10)
      expect(names.missing).toHaveLength(most + 1)
      expect(names.missing.at(-1)).toEqual({ name: '', people: 500 - 10 + 7, agents: 0 })
      expect(names.missing).toContainEqual({ name: '/random-0', people: 2, agents: 0 })
      // Another day, and another kind, have room of their own.
      await add(
        db,
        count(projectId, { name: '/page' }),
        count(projectId, { kind: 'missing', day: '2026-11-29' }),
      )
      const after = await db.read.visits.report(projectId, WHOLE, 10_000)
      expect(after.names.page).toEqual([{ name: '/page', people: 1, agents: 0 }])
      expect(after.names.missing).toHaveLength(most + 2)
    })

    test('a term that was searched rarely is not shown, and deleted after a month', async () => {
      const { db, projectId } = await create()
      const term = (name: string, people: number, day = DAY) =>
        count(projectId, { kind: 'search', name, people, day })
      await add(db, term('often', 2), term('my name', 2), term('often', 1, '2026-12-01'))
      const shown = async () => (await db.read.visits.report(projectId, WHOLE, 10)).names.search
      const often = { name: 'often', people: 3, agents: 0 }
      expect(await shown()).toEqual([often])
      await prune(db, '2026-12-20T00:00:00.000Z')
      await add(db, term('my name', 1, '2026-12-20'))
      expect(await shown()).toEqual([{ name: 'my name', people: 3, agents: 0 }, often])
      await add(db, term('rare', 2))
      await prune(db, '2027-01-15T00:00:00.000Z')
      await add(db, term('rare', 1))
      expect((await shown()).map(({ name }) => name)).toEqual(['my name', 'often'])
    })

    test('are deleted after 400 days, and with their project', async () => {
      const { db, projectId } = await create()
      const other = newId<'proj'>()
      await add(db, count(projectId, { day: '2026-01-01' }), count(projectId), count(other))
      await prune(db, '2027-02-06T00:00:00.000Z')
      expect((await db.read.visits.report(projectId, WHOLE, 10)).days.map(({ day }) => day)).toEqual([DAY])
      await db.write(({ visits }) => visits.deleteOf(projectId))
      expect((await db.read.visits.report(projectId, WHOLE, 10)).days).toEqual([])
      expect((await db.read.visits.report(other, WHOLE, 10)).days).toHaveLength(1)
    })

    test('are wanted of projects whose setting says so, until they are deleted', async () => {
      const { db, projectId } = await create()
      const counting = () => db.read.visits.counting([projectId, newId<'proj'>()])
      expect(await counting()).toEqual([])
      const now = '2026-11-28T00:00:00.000Z'
      await db.write(({ settings }) => settings.update(projectId, { visits: 'count' }, now))
      expect(await counting()).toEqual([projectId])
      await db.write(({ projects }) => projects.markDeleted(projectId, now))
      expect(await counting()).toEqual([])
    })
  })
}
