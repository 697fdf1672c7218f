import { randomBytes } from 'node:crypto'
import type { ProjectId } from '../domain/ids.ts'
import type { MasterKey, Wrapped } from './master-key.ts'

/** Of how a key is wrapped. */
const FORM = 1

/** A key of a project as it is kept. */
export interface WrappedContentKey extends Wrapped {
  /** Counts the project's keys. Content keys begin with 1; 0 is the key of what the database keeps of them. */
  readonly version: number
}

/** What `_index.json` calls the key. */
export function keyIdOf(version: number): string {
  return `k${version}`
}

/** A new key, which nobody has seen. */
export function newContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  version: number,
): WrappedContentKey {
  return wrapContentKey(masterKey, projectId, version, randomBytes(32))
}

/** A key that somebody has, as it is kept. */
export function wrapContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  version: number,
  key: Uint8Array,
): WrappedContentKey {
  return { version, ...masterKey.wrap(key, contextOf(projectId, version)) }
}

/** @throws {RangeError} when no master key of ours wrapped it for this project and version. */
export function unwrapContentKey(
  masterKey: MasterKey,
  projectId: ProjectId,
  kept: WrappedContentKey,
): Uint8Array {
  return masterKey.unwrap(kept, contextOf(projectId, kept.version))
}

/** The same key under the newest master key. */
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
