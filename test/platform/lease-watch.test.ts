import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLeaseWatch, type ObservedLease } from '../../src/platform/lease-watch.ts'

const TIMEOUT_MS = 4_000

function start() {
  const clock = { ms: 0 }
  return { clock, watch: createLeaseWatch<string>(() => clock.ms) }
}

test('a lease is abandoned when it was observed unchanged for four seconds, and only then', () => {
  const observation = fc.record({
    id: fc.constantFrom('a', 'b'),
    fence: fc.integer({ min: 1, max: 2 }),
    beat: fc.integer({ min: 0, max: 2 }),
    waitMs: fc.integer({ min: 0, max: 5_000 }),
  })
  fc.assert(
    fc.property(fc.array(observation), (observations) => {
      const { clock, watch } = start()
      const history: (ObservedLease & { readonly id: string; readonly at: number })[] = []
      for (const { waitMs, ...lease } of observations) {
        clock.ms += waitMs
        history.push({ ...lease, at: clock.ms })
        const own = history.filter(({ id }) => id === lease.id)
        const changed = own.findLastIndex(({ fence, beat }) => fence !== lease.fence || beat !== lease.beat)
        const since = own[changed + 1]?.at ?? clock.ms
        expect(watch.isAbandoned(lease.id, lease)).toBe(clock.ms - since >= TIMEOUT_MS)
      }
    }),
  )
})

test('a lease that was forgotten is observed from the start', () => {
  const { clock, watch } = start()
  const lease = { fence: 1, beat: 0 }
  for (const id of ['kept', 'forgotten', 'ended']) watch.isAbandoned(id, lease)
  watch.forget('forgotten')
  watch.retain(new Set(['kept', 'forgotten']))
  clock.ms = TIMEOUT_MS
  const abandoned = ['kept', 'forgotten', 'ended'].filter((id) => watch.isAbandoned(id, lease))
  expect(abandoned).toEqual(['kept'])
})
