import { expect } from 'vitest'
import type { TestService } from './service.ts'

/** The job as the API shows it once it has ended. */
export async function finishedJob({ call }: TestService, id: string) {
  await expect
    .poll(async () => (await call('GET', `/jobs/${id}`)).body.data.finished_at, {
      interval: 20,
    })
    .not.toBeNull()
  return (await call('GET', `/jobs/${id}`)).body.data
}
