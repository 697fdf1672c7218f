import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { PICTURE } from '../../../src/domain/job.ts'
import { createPictureJob, PICTURES_AT_ONCE } from '../../../src/services/media/picture-job.ts'
import { randomId as newId } from '../../../src/services/new-id.ts'
import { insertProject } from '../../support/insert-project.ts'
import { newDatabase } from '../../support/new-database.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const PICTURES = 2_000

test('a picture of one account is next although 2,000 of another one wait, which take one place', async () => {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const [busy, other] = [await insertProject(db), await insertProject(db)]
  const lane = createPictureJob({ db } as unknown as Parameters<typeof createPictureJob>[0])
  const aPicture = (projectId: ProjectId) => ({
    id: newId<'job'>(),
    projectId,
    kind: PICTURE,
    subject: newId<'org'>(),
    payload: { digest: 'd', width: 4_000, animated: false },
    total: 12,
    dueAt: NOW,
    createdAt: NOW,
  })
  const enqueue = (projectId: ProjectId, count: number) =>
    db.write(({ jobs }) => jobs.enqueueAll(Array.from({ length: count }, () => aPicture(projectId))))
  await enqueue(busy, 1)
  const calm = await lookTime()
  await enqueue(busy, PICTURES - 1)
  const crowded = await lookTime()
  await enqueue(other, 1)

  const claimed = await db.write(({ jobs }) => jobs.claim(lane, 'a', PICTURES_AT_ONCE, NOW))
  expect(claimed.map(({ job }) => job.projectId).sort()).toEqual([busy, other].sort())
  expect(await db.read.jobs.isDue(lane, 'a', NOW)).toBe(false)
  // Each look at the queue would otherwise take a step for each waiting picture.
  expect(crowded).toBeLessThan(10 * calm)

  /** The shortest of several looks at the queue, in milliseconds. */
  async function lookTime(): Promise<number> {
    const times: number[] = []
    for (let look = 0; look < 20; look++) {
      const start = performance.now()
      await db.read.jobs.isDue(lane, 'a', NOW)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
})
