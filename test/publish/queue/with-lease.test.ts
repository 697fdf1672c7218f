import { expect, test } from 'vitest'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { withLease } from '../../../src/publish/queue/with-lease.ts'

test('a process that stops no longer waits for the lease of a project', async () => {
  const stopping = new AbortController()
  let attempts = 0
  const leaseHolder = {
    async take() {
      attempts += 1
      if (attempts === 3) stopping.abort()
      return null
    },
    holdDuring: () => expect.unreachable(),
  }
  const work = () => expect.unreachable()
  expect(await withLease('proj' as ProjectId, leaseHolder, work, stopping.signal)).toBe(null)
  expect(attempts).toBe(3)
})
