import type { Stats } from 'node:fs'
import { lstat, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textIfReadable } from '../../content-folder/file-text.ts'
import type { SiteAsset } from '../../content-folder/site.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { type FileBody, openFile, readFileBody } from '../../platform/file-body.ts'
import {
  fingerprintOf,
  isKnown,
  isSameFingerprint,
  STATE_FOLDER,
  UNKNOWN,
} from '../incremental/file-fingerprints.ts'

/** SHA-256, hex, of files that builds have read, with their fingerprints, by path in the content folder. */
export type FileDigests = ReadonlyMap<string, FileDigest>

interface FileDigest {
  readonly digest: string
  /** The result of `fingerprintOf`; its first number is the size in bytes. */
  readonly fingerprint: readonly number[]
}

export const NO_DIGESTS: FileDigests = new Map()

/** Counted up with every change of the format. */
const VERSION = 1
const FILE = `${STATE_FOLDER}/digests.json`
/** Number of files read concurrently. The disk answers some while others are hashed. */
const READS_AT_ONCE = 4

/** The digests that the previous build stored; none where they cannot be read. */
export function readFileDigests(out: string): FileDigests {
  try {
    const stored = JSON.parse(textIfReadable(join(out, FILE)) ?? 'null') as Stored | null
    return stored?.version === VERSION ? new Map(stored.files) : NO_DIGESTS
  } catch (error) {
    if (error instanceof SyntaxError) return NO_DIGESTS
    throw error
  }
}

/**
 * Looks at the files of assets. Reads a file only if its fingerprint differs from the recorded one. A file that changed
 * in the last two seconds gets no fingerprint, so the next build reads it again.
 *
 * @param now a time before the call, in milliseconds since 1970.
 * @returns the files by path on the site, and the digests to store for the next build.
 * @throws the system's error if a file cannot be read.
 */
export async function readAssetBodies(
  assets: readonly SiteAsset[],
  { folder, known, now }: { readonly folder: string; readonly known: FileDigests; readonly now: number },
): Promise<AssetBodies> {
  const read = await mapConcurrently(assets, READS_AT_ONCE, async ({ path, source }) => {
    const file = join(folder, source)
    // Before the file is read: a write meanwhile gives it a later time than this.
    const fingerprint = fingerprintIn(await lstat(file), now)
    const before = known.get(source)
    const isSame = before !== undefined && isSameFingerprint(fingerprint, 0, before.fingerprint, 0)
    const body = isSame ? knownBody(file, before) : await readFileBody(file)
    return { path, source, body, fingerprint }
  })
  const lasting = read.filter(({ fingerprint }) => isKnown(fingerprint, 0))
  return {
    bodies: new Map(read.map(({ path, body }) => [path, body])),
    digests: new Map(
      lasting.map(({ source, body: { digest }, fingerprint }) => [source, { digest, fingerprint }]),
    ),
  }
}

export interface AssetBodies {
  readonly bodies: ReadonlyMap<string, FileBody>
  readonly digests: FileDigests
}

/** Stores the digests for the next build. The state folder has to exist. */
export async function storeFileDigests(out: string, digests: FileDigests): Promise<void> {
  const file = join(out, FILE)
  const files = [...digests].sort(([one], [other]) => (one < other ? -1 : 1))
  const stored: Stored = { version: VERSION, files }
  await writeFile(`${file}.tmp`, JSON.stringify(stored))
  await rename(`${file}.tmp`, file)
}

/** Also where there are none. */
export async function removeFileDigests(out: string): Promise<void> {
  await rm(join(out, FILE), { force: true })
}

interface Stored {
  readonly version: number
  readonly files: readonly (readonly [string, FileDigest])[]
}

/** A link has no fingerprint, so it is read, which fails. */
function fingerprintIn(stats: Stats, now: number): readonly number[] {
  return stats.isFile() ? fingerprintOf(stats, now) : UNKNOWN
}

function knownBody(file: string, { digest, fingerprint: [size = 0] }: FileDigest): FileBody {
  return { size, digest, open: () => openFile(file) }
}
