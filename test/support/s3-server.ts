import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver, { type S3Store } from 's3rver'
import { type BucketTarget, parseStorageUrl } from '../../src/storage/storage-url.ts'

/** The credentials that s3rver accepts. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export interface S3Server {
  readonly endpoint: string
  /** The URL of an empty prefix in the server's bucket, a new one for each call. */
  url(): string
  close(): Promise<void>
}

/** An S3 server in this process, with one bucket named `quoin`. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'quoin-s3-'))
  const server = new S3rver({
    directory,
    address: '127.0.0.1',
    port: 0,
    silent: true,
    configureBuckets: [{ name: 'quoin' }],
  })
  mendStore(server.store)
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  let places = 0
  return {
    endpoint,
    url: () => `s3://quoin/place-${++places}?endpoint=${encodeURIComponent(endpoint)}`,
    async close() {
      const closed = server.close()
      if ('closeAllConnections' in server.httpServer) (server.httpServer.closeAllConnections as () => void)()
      await closed
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export function bucketOf(url: string): BucketTarget {
  const target = parseStorageUrl(url)
  if (target.kind !== 'bucket') throw new Error(`${url} is no bucket.`)
  return target
}

/**
 * Makes the writes of s3rver atomic: it replaces objects by renaming and runs one operation at a time. By itself,
 * s3rver writes in place, answers before a write is complete, and walks folders that another request removes.
 */
function mendStore(store: S3Store): void {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const done = last.then(() => operation.apply(store, args))
      last = done.catch(() => {})
      return done
    }

  const replace = inTurn(
    async ({ bucket, key, metadata }: Parameters<S3Store['putObject']>[0], body: Buffer) => {
      const path = store.getResourcePath(bucket, key, 'object')
      const md5 = createHash('md5').update(body).digest('hex')
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, body)
      await rename(`${path}.new`, path)
      await store.putMetadata(bucket, key, metadata, md5)
      return { size: body.length, md5 }
    },
  )
  store.putObject = async (object) => replace(object, await buffer(object.content))
  store.getObject = inTurn(store.getObject)
  store.deleteObject = inTurn(store.deleteObject)
  store.listObjects = inTurn(store.listObjects)
}
