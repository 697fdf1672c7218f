import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import type { Database } from '../../../src/db/repositories.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { MAX_NAMES_OF_DAY } from '../../../src/domain/visits.ts'
import { createVisitCounter } from '../../../src/services/visits/visit-counter.ts'
import { insertProject } from '../../support/insert-project.ts'
import { newDatabase } from '../../support/new-database.ts'

const NOW = '2026-11-28T12:00:00.000Z'
const DAY = { from: '2026-11-28', to: '2026-11-28' }

interface Failing {
  writes: boolean
}

async function countingProject() {
  const stored = createDatabase(await newDatabase())
  onTestFinished(() => stored.close())
  const newProject = async (): Promise<ProjectId> => {
    const id = await insertProject(stored)
    await stored.write(({ settings }) => settings.update(id, { visits: 'count' }, NOW))
    return id
  }
  const failing: Failing = { writes: false }
  const db: Pick<Database, 'read' | 'write'> = {
    read: stored.read,
    write: (work, options) => {
      if (failing.writes) throw new Error('The disk is full.')
      return stored.write(work, options)
    },
  }
  const counter = createVisitCounter({ db, now: () => NOW, onFailure: () => {} })
  const report = (id: ProjectId) => stored.read.visits.report(id, DAY, 100_000)
  return { stored, counter, failing, newProject, report }
}

test('every visit is stored once, however counts are gathered, and also after writes that failed', async () => {
  const { counter, failing, newProject, report } = await countingProject()
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.record({ path: fc.constantFrom('/', '/a', '/b'), isAgent: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constantFrom('search' as const) },
    { weight: 1, arbitrary: fc.constantFrom('store' as const, 'fail' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const project = await newProject()
      for (const one of acts) {
        if (one === 'search') counter.searched(project, 'sso')
        else if (one === 'store') await counter.flush()
        else if (one === 'fail') {
          failing.writes = true
          await counter.flush().catch(() => {})
          failing.writes = false
        } else counter.read(project, one.path, one.isAgent ? 'agent' : 'person')
      }
      await counter.flush()
      const reads = acts.filter((one) => typeof one === 'object')
      const { totals } = await report(project)
      // No page is published, so that all of these are addresses without one.
      expect(totals.missing).toEqual({
        people: reads.filter(({ isAgent }) => !isAgent).length,
        agents: reads.filter(({ isAgent }) => isAgent).length,
      })
      expect(totals.search.people).toBe(acts.filter((one) => one === 'search').length)
    }),
    { numRuns: 30 },
  )
})

test('100,000 invented addresses fill neither memory nor the table, and other projects are counted', async () => {
  const { stored, counter, newProject, report } = await countingProject()
  const [attacked, other] = [await newProject(), await newProject()]
  for (let round = 0; round < 4; round++) {
    for (let index = 0; index < 25_000; index++) {
      counter.read(attacked, `/random/${round}/${index}`, 'person')
      counter.searched(attacked, `random ${round} ${index}`)
    }
    counter.read(other, '/', 'person')
    await counter.flush()
  }
  const { names, totals } = await report(attacked)
  expect(names.missing.length).toBe(MAX_NAMES_OF_DAY.missing + 1)
  // Of each round, as many names as are gathered for a project; half of them are terms.
  expect(totals.missing.people).toBe(4 * 500)
  expect(totals.search.people).toBe(4 * 500)
  expect((await report(other)).totals.missing.people).toBe(4)
  const next = await newProject()
  counter.read(next, '/', 'person')
  await counter.flush()
  expect((await report(next)).totals.missing.people).toBe(1)
  expect(await stored.read.visits.counting([attacked, other, next])).toHaveLength(3)
})

test('projects that do not count, or do not exist, get no rows', async () => {
  const { stored, counter, newProject, report } = await countingProject()
  const project = await newProject()
  await stored.write(({ settings }) => settings.update(project, { visits: 'none' }, NOW))
  counter.read(project, '/', 'person')
  counter.read('a'.repeat(16) as ProjectId, '/', 'person')
  await counter.flush()
  expect((await report(project)).days).toEqual([])
  expect((await report('a'.repeat(16) as ProjectId)).totals.missing.people).toBe(0)
})
