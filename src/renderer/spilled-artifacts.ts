import { hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Artifact, type SpooledBody, type Stage, spooledFile } from '../domain/artifact.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { hasCode, isSystemError } from '../platform/fs-errors.ts'
import type { TimedPage } from './renderer.ts'

/** An artifact of which the body lies in a file, without it: so one thread tells another, which knows the folder. */
export type Spooled = Omit<Artifact, 'body' | 'spooled'> & { readonly spooled: Omit<SpooledBody, 'folder'> }

/**
 * Writes the pages of a site to files as they are rendered, so that they need not all be in memory until
 * everything about the site is decided. Where that cannot be, on a full disk, they stay in memory: whoever
 * puts them in their place meets the same, and says so.
 *
 * @param folder that is there. Files lie in it as their keys say, so that whole folders of them can be
 *   moved to their place; one that lies there is never written over.
 * @param stages of what is written there; all else stays as it is.
 */
export function createSpool(
  folder: string,
  stages: readonly Stage[] = ['page'],
): (artifact: Artifact) => Artifact | Spooled {
  const made = new Set([folder])
  let isUsable = true

  return (artifact) => {
    const spooled = stages.includes(artifact.stage) && isUsable ? write(artifact) : null
    if (spooled === null) return artifact
    const { key, stage, owner } = artifact
    return { key, stage, owner, spooled }
  }

  function write({ key, body }: Artifact): Spooled['spooled'] | null {
    if (!isSafeKey(key)) return null
    const file = spooledFile({ key }, { folder })
    try {
      make(dirname(file))
      writeNew(file, body)
      return { digest: hash('sha256', body), size: body.byteLength }
    } catch (error) {
      if (!isSystemError(error)) throw error
      isUsable = isThere(error)
      return null
    }
  }

  /** Another thread may have made it; nobody removes one. */
  function make(path: string): void {
    if (made.has(path)) return
    make(dirname(path))
    try {
      mkdirSync(path)
    } catch (error) {
      if (!isThere(error)) throw error
    }
    made.add(path)
  }
}

function isThere(error: unknown): boolean {
  return hasCode(error, ['EEXIST'])
}

function writeNew(file: string, body: Uint8Array): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, body)
  } catch (error) {
    // Half of it may be there, on a disk that is full.
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Pages that are rendered before the files of all of them are written. What the system does to make a file takes
 * less than half the time where it has just made another, and rendering a page puts all of that out of its caches.
 */
export const SPOOLED_AT_ONCE = 8

/** A rendered page; the artifacts that were written to files are without their bodies. */
export interface ThreadPage extends Omit<TimedPage, 'artifacts'> {
  readonly artifacts: readonly (Artifact | Spooled)[]
}

/** @param spool see `createSpool`. */
export function spooledPage(page: TimedPage, spool: (artifact: Artifact) => Artifact | Spooled): ThreadPage {
  return { ...page, artifacts: page.artifacts.map(spool) }
}

/** With its body, which is read each time that somebody asks for it. @param folder in which it was spooled. */
export function withBody(artifact: Artifact | Spooled, folder: string): Artifact {
  if ('body' in artifact) return artifact
  const { key, stage, owner } = artifact
  const { digest, size } = artifact.spooled
  const lying: Omit<Artifact, 'body'> = { key, stage, owner, spooled: { folder, digest, size } }
  return Object.defineProperty(lying as Artifact, 'body', BODY)
}

/** The same for all, so that thousands of them are objects of one shape. */
const BODY: PropertyDescriptor & ThisType<Artifact & { readonly spooled: SpooledBody }> = {
  enumerable: true,
  get() {
    return readFileSync(spooledFile(this, this.spooled))
  },
}
