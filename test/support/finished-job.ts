import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestService } from './service.ts'

const POLL_MS = 20
/** Answers without any progress, after which the job hangs. Counted, because a busy machine answers and works more slowly. */
const MAX_ANSWERS = 2_000

/** Waits for a job to end and returns it. */
export async function finishedJob({ call }: TestService, id: string) {
  let last = ''
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const { data } = (await call('GET', `/jobs/${id}`)).body
    if (data.finished_at !== null) return data
    const progress = JSON.stringify(data)
    if (progress !== last) answers = 0
    last = progress
    await sleep(POLL_MS)
  }
  return expect.fail(`The job makes no progress: ${last}`)
}
