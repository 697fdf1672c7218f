import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import { createSealStream, newIv, SEALED_FILE_OVERHEAD } from '../../secrets/seal-stream.ts'
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
  // The error of the plaintext becomes that of the stream, which its reader gets.
  const open = () => pipeline(verifiedStream(plaintext), createSealStream(key, iv), () => {})
  const hash = createHash('sha256')
  try {
    await finished(open(), hash, { ...(signal && { signal }) })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
  return { size: plaintext.size + SEALED_FILE_OVERHEAD, digest: hash.digest('hex'), open }
}
