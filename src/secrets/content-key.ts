import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { ProjectId } from '../domain/ids.ts'
import type { MasterKey, Wrapped } from './master-key.ts'

/** Version of the wrapping format. */
const FORM = 1

/** A project's key, encrypted with the master key, as the database stores it. */
export interface WrappedContentKey extends Wrapped {
  /** Number of the key within the project. Content keys start at 1; 0 is the key that seals their data in the database. */
  readonly version: number
}

/** The key's id in `_index.json`. */
export function keyIdOf(version: number): string {
  return `k${version}`
}

/** Hex digits of a sealed file's name: 128 bits, so that no two files share one. */
const NAME_LENGTH = 32
/** Bytes of the key that names files. */
const NAMING_BYTES = 32

/**
 * Returns the name of a sealed file. Only a holder of the content key can tell which bytes it stands for, or match
 * names of different keys for the same bytes. It follows from the plaintext: a publish knows it before it has read the
 * file, and pages that show the same file share it.
 *
 * @param digest of the plaintext.
 */
export function sealedFileName(contentKey: Uint8Array, digest: string): string {
  const naming = new Uint8Array(hkdfSync('sha256', contentKey, '', 'quoin file name', NAMING_BYTES))
  return createHmac('sha256', naming).update(digest).digest('hex').slice(0, NAME_LENGTH)
}

/** Creates a random key. */
export function newContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  version: number,
): WrappedContentKey {
  return wrapContentKey(masterKey, projectId, version, randomBytes(32))
}

/** Wraps an existing key. */
export function wrapContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  version: number,
  key: Uint8Array,
): WrappedContentKey {
  return { version, ...masterKey.wrap(key, contextOf(projectId, version)) }
}

/** @throws {RangeError} if no known master key wrapped it for this project and version. */
export function unwrapContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  kept: WrappedContentKey,
): Uint8Array {
  return masterKey.unwrap(kept, contextOf(projectId, kept.version))
}

/** Wraps the same key with the newest master key. */
export function rewrapContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  kept: WrappedContentKey,
): WrappedContentKey {
  const key = unwrapContentKey(masterKey, projectId, kept)
  return { version: kept.version, ...masterKey.wrap(key, contextOf(projectId, kept.version)) }
}

function contextOf(projectId: ProjectId, version: number): string {
  return JSON.stringify(['content key', FORM, projectId, version])
}
