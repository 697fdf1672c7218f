import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Database } from '../../../src/db/repositories.ts'
import type { Job } from '../../../src/domain/job.ts'
import { createPictureJob, type PictureJobPorts } from '../../../src/services/media/picture-job.ts'
import { randomId } from '../../../src/services/new-id.ts'

test('an original that cannot be written to the disk is closed', async () => {
  const stream = Readable.from([Buffer.alloc(10)])
  const job = createPictureJob({
    db: { read: { variants: { storedDigest: async () => 'd' } } } as unknown as Database,
    mediaStore: { open: async () => ({ stream: () => stream }) } as unknown as PictureJobPorts['mediaStore'],
    images: {
      decodes: async () => true,
      inspect: async () => Promise.reject(new Error('Not reached.')),
      derive: async () => Promise.reject(new Error('Not reached.')),
    },
    newId: randomId,
    now: () => '2026-01-02T03:04:05.678Z',
    incoming: {
      receive: async () => {
        throw new Error('The disk is full.')
      },
      remove: async () => {},
    },
  })
  const claimed = {
    projectId: 'p'.repeat(16),
    subject: 'o'.repeat(16),
    payload: { digest: '0'.repeat(64), width: 1_000, animated: false },
    attempts: 1,
    done: 0,
  } as unknown as Job
  await expect(job.run(claimed, {} as never, new AbortController().signal)).rejects.toThrow('disk is full')
  expect(stream.destroyed).toBe(true)
})
