import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newIv, SEALED_FILE_OVERHEAD, sealChunks } from '../../secrets/seal-stream.ts'
import type { StreamedBody } from '../../storage/storage.ts'
import { verifiedStream } from '../../storage/streamed-body.ts'

/**
 * The sealed form of a body. It is never whole in memory or on disk: it is sealed once to learn its digest, and again,
 * with the same iv, when it is stored. Both read the same plaintext: what differs from its digest fails before its last
 * chunk is sealed.
 *
 * @throws the reason of the signal when that is aborted.
 */
export async function sealMedia(
  plaintext: StreamedBody,
  key: Uint8Array,
  signal?: AbortSignal,
): Promise<StreamedBody> {
  const iv = newIv()
  const open = () => Readable.from(sealChunks(verifiedStream(plaintext), key, iv), { objectMode: false })
  const hash = createHash('sha256')
  try {
    await pipeline(open(), hash, { ...(signal && { signal }) })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
  return { size: plaintext.size + SEALED_FILE_OVERHEAD, digest: hash.digest('hex'), open }
}
