import { promisify } from 'node:util'
import { constants, deflate, inflate } from 'node:zlib'

/** Shorter snapshots are stored as they are: compressing them saves less than a page of the database. */
const MIN_COMPRESSED = 16_384

const compress = promisify(deflate)
const decompress = promisify(inflate)

/**
 * Compresses the snapshot of an ended release; null when it is too short. Unfinished releases have text, because
 * claiming reads many of them in one transaction.
 */
export async function compressSnapshot(text: string): Promise<Uint8Array | null> {
  return Buffer.byteLength(text) < MIN_COMPRESSED ? null : compress(text, { level: constants.Z_BEST_SPEED })
}

/** Rows of releases whose snapshots are text. */
export async function withSnapshotTexts<Row extends { readonly snapshot: string | Uint8Array }>(
  rows: readonly Row[],
): Promise<readonly (Omit<Row, 'snapshot'> & { readonly snapshot: string })[]> {
  return Promise.all(
    rows.map(async ({ snapshot, ...row }) => ({
      ...row,
      snapshot: typeof snapshot === 'string' ? snapshot : (await decompress(snapshot)).toString(),
    })),
  )
}
