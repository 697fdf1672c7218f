import { expect } from 'vitest'
import type { TestService } from './service.ts'

/** Waits for a job to end and returns it. */
export async function finishedJob({ call }: TestService, id: string) {
  await expect
    .poll(async () => (await call('GET', `/jobs/${id}`)).body.data.finished_at, {
      interval: 20,
    })
    .not.toBeNull()
  return (await call('GET', `/jobs/${id}`)).body.data
}
