import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { KILL_POINTS } from './kill-points.ts'
import { type Death, type Graveyard, openGraveyard } from './kills.ts'
import { LONG, LONG_TIMEOUT_MS, SEED } from './long-form.ts'

/** Deaths that between them pass each way of recovering; the two that matter most when time is short. */
const SHORT = [
  'publish: put manifest after',
  'put back: put page after',
  'publish: put media after',
  ...(LONG_FORM
    ? [
        'publish: COMMIT of commit after',
        'publish: unlink tag after',
        'take off: unlink page after',
        'take off: delete tag before',
        'put back: put tag after',
      ]
    : []),
]
const SHORT_KILLS = LONG_FORM ? [1, 2] : [1]

type Job = (graveyard: Graveyard) => Promise<Death>

describe('a service that is killed', () => {
  if (LONG === null) {
    test('at any point, or at any moment under load, loses and tears nothing', async () => {
      const points = KILL_POINTS.filter(({ scenario, point }) => SHORT.includes(`${scenario}: ${point}`))
      expect(points).toHaveLength(SHORT.length)
      const named = points.map(
        (point): Job =>
          (graveyard) =>
            graveyard.dieAt(point, false),
      )
      const any = SHORT_KILLS.map(
        (n): Job =>
          (graveyard) =>
            graveyard.dieUnderLoad(SEED + n),
      )
      const deaths = await all([...named, ...any], 'lean', 6)
      expect(deaths.flatMap(faults)).toEqual([])
    })
    return
  }
  const { runs, kills, atOnce } = LONG

  test(
    `at each of ${KILL_POINTS.length} points, ${runs} times each`,
    async () => {
      const jobs = Array.from({ length: runs }, (_, run) =>
        KILL_POINTS.map(
          (point): Job =>
            (graveyard) =>
              graveyard.dieAt(point, run % 2 === 0),
        ),
      ).flat()
      report('named points', await all(jobs, 'lean', atOnce))
    },
    LONG_TIMEOUT_MS,
  )

  test(
    `at ${kills} moments under load`,
    async () => {
      const jobs = Array.from(
        { length: kills },
        (_, n): Job =>
          (graveyard) =>
            graveyard.dieUnderLoad(SEED * 10_000 + n),
      )
      report('random moments', await all(jobs, 'whole', atOnce))
    },
    LONG_TIMEOUT_MS,
  )
})

/** Each graveyard takes the next job once its last one is over. */
async function all(jobs: readonly Job[], how: 'lean' | 'whole', atOnce: number): Promise<readonly Death[]> {
  const deaths: Death[] = []
  const queue = [...jobs]
  const work = Array.from({ length: Math.min(atOnce, jobs.length) }, async (_, n) => {
    // Not all at the same moment.
    await sleep(n * 50)
    const graveyard = await openGraveyard(await temporaryFolder(), how)
    onTestFinished(() => graveyard.close())
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) deaths.push(await job(graveyard))
  })
  await Promise.all(work)
  return deaths
}

function faults({ name, wrong }: Death): readonly string[] {
  return wrong.map((line) => `${name}: ${line}`)
}

function report(what: string, deaths: readonly Death[]): void {
  const times = deaths.map(({ recoveryMs }) => recoveryMs).sort((a, b) => a - b)
  const seconds = (share: number) => ((times[Math.ceil(times.length * share) - 1] ?? 0) / 1000).toFixed(1)
  const wrong = deaths.flatMap(faults)
  console.log(
    `${what}: ${deaths.length} deaths, ${wrong.length} faults; publishing again after ${seconds(0.5)} s (median), ${seconds(0.99)} s (p99), ${seconds(1)} s (longest).`,
  )
  expect(wrong).toEqual([])
  expect(times.filter((ms) => ms > 10_000)).toEqual([])
}
