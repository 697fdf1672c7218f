import { afterAll, beforeAll, describe } from 'vitest'
import { createS3Storage } from '../../src/storage/s3.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { withEnvironment } from '../support/environment.ts'
import { bucketOf, S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts'

describe('a bucket', () => {
  let server: S3Server
  let restore: () => void
  beforeAll(async () => {
    restore = withEnvironment(S3_CREDENTIALS)
    server = await startS3Server()
  })
  afterAll(async () => {
    restore()
    await server.close()
  })

  testStorageContract(async () => createS3Storage(bucketOf(server.url())))
})
