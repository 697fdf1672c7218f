import { promisify } from 'node:util'
import { constants, deflate, inflate } from 'node:zlib'
import type { Knex } from 'knex'
import { isPostgres } from './dialect.ts'

/** Shorter snapshots are stored as they are: compressing them saves less than a page of the database. */
const MIN_COMPRESSED = 16_384

const compress = promisify(deflate)
const decompress = promisify(inflate)

/**
 * Compresses the snapshot of an ended release; null when it is too short, and on PostgreSQL, which compresses long texts
 * itself. Unfinished releases have text, because claiming reads many of them in one transaction.
 */
export async function compressSnapshot(db: Knex, text: string): Promise<Uint8Array | null> {
  if (isPostgres(db) || Buffer.byteLength(text) < MIN_COMPRESSED) return null
  return compress(text, { level: constants.Z_BEST_SPEED })
}

/** Rows of releases whose snapshots are text. */
export async function withSnapshotTexts<Row extends { readonly snapshot: string | Uint8Array }>(
  rows: readonly Row[],
): Promise<readonly (Omit<Row, 'snapshot'> & { readonly snapshot: string })[]> {
  return Promise.all(
    rows.map(async ({ snapshot, ...row }) => ({ ...row, snapshot: await decompressSnapshot(snapshot) })),
  )
}

export async function decompressSnapshot(snapshot: string | Uint8Array): Promise<string> {
  return typeof snapshot === 'string' ? snapshot : (await decompress(snapshot)).toString()
}
