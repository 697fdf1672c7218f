import { expect, test } from 'vitest'
import { createContinuedPublishJob } from '../../../src/services/publishing/continued-publish-job.ts'
import { createRecheckJob } from '../../../src/services/publishing/recheck-job.ts'
import { createScheduledPublishJob } from '../../../src/services/publishing/scheduled-publish-job.ts'
import { createSearchIndexJob } from '../../../src/services/publishing/search-index-job.ts'

const HOUR_MS = 60 * 60 * 1000

test.each([
  ['recheck', createRecheckJob({} as never)],
  ['search index', createSearchIndexJob({} as never)],
])('a %s is tried for about a day, because no request starts it again', (_, { attempts, backoff }) => {
  const delays = Array.from({ length: attempts - 1 }, (_, run) => backoff(run + 1))
  expect(delays[0]).toBeLessThanOrEqual(2_000)
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(20 * HOUR_MS)
})

test.each([
  ['continued publish', createContinuedPublishJob({} as never)],
  ['scheduled publish', createScheduledPublishJob({} as never)],
])('a %s that is given up says of its page what happened and where to look', (_, { faultsOf }) => {
  const [fault] = faultsOf({ subject: 'a-page' } as never)
  expect(fault).toMatchObject({ pageId: 'a-page', message: expect.stringMatching(/. .+\.$/) })
})
