import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { some } from '../support/long-form.ts'
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())

describe('an unusable bucket stops the start with one line', () => {
  test.each(
    some(
      [
        ['serve', 's3://Sites', 'has the bucket "Sites"'],
        ['serve', 's3://quoin?endpoint=http://127.0.0.1:1', 'cannot be reached, the connection was refused.'],
        ['demo', 's3://quoin?endpoint=http://127.0.0.1:1', 'cannot be reached, the connection was refused.'],
        ['serve', 's3://not-there?endpoint=$', 'there is no such bucket at http://127.0.0.1:'],
      ],
      2,
    ),
  )('quoin %s on %s', async (command, url, reason) => {
    const { code, err, out } = await startCommand([command, '--port', '0'], {
      ...S3_CREDENTIALS,
      QUOIN_DATA: await temporaryFolder(),
      QUOIN_STORAGE_URL: url.replace('$', server.endpoint),
    }).ended
    expect(err).toMatch(/^[^\n]*QUOIN_STORAGE_URL: [^\n]*\n$/)
    expect(err).toContain(reason)
    expect([code, out]).toEqual([2, ''])
  })
})
