import { hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Artifact, type SpilledBody, spillFile } from '../domain/artifact.ts'
import { isSafeKey } from '../domain/storage-key.ts'
import { hasCode, isSystemError } from '../platform/fs-errors.ts'

/** Writes the body of a page's artifact to a spill file. Returns any other artifact unchanged. */
export type Spill = (artifact: Artifact) => Artifact

/**
 * Writes rendered pages to temporary files, so that they are not all in memory until the site is written. Where a file
 * cannot be written, the body stays in memory: the step that writes the site meets the same error and reports it.
 *
 * @param folder an existing folder. Files are named by their keys, so that whole folders can be moved into place.
 *   Existing files are never overwritten.
 */
export function createSpill(folder: string): Spill {
  const folders = new Set([folder])
  let isUsable = true

  return (artifact) => {
    const spilled = artifact.stage === 'page' && isUsable ? write(artifact) : null
    return spilled === null ? artifact : { ...artifact, body: NO_BODY, spilled }
  }

  function write({ key, body }: Artifact): SpilledBody | null {
    if (!isSafeKey(key)) return null
    const file = spillFile({ key }, { folder })
    try {
      createFolder(dirname(file))
      writeNew(file, body)
      return { folder, digest: hash('sha256', body), size: body.byteLength }
    } catch (error) {
      if (!isSystemError(error)) throw error
      isUsable = isExisting(error)
      return null
    }
  }

  /** Creates the folder without checking first: another thread may create it meanwhile, and no thread removes one. */
  function createFolder(path: string): void {
    if (folders.has(path)) return
    createFolder(dirname(path))
    try {
      mkdirSync(path)
    } catch (error) {
      if (!isExisting(error)) throw error
    }
    folders.add(path)
  }
}

const NO_BODY = new Uint8Array(0)

function isExisting(error: unknown): boolean {
  return hasCode(error, ['EEXIST'])
}

function writeNew(file: string, body: Uint8Array): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, body)
  } catch (error) {
    // The file may be incomplete, for example on a full disk.
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The number of pages that a thread renders before it writes their files. Creating a file right after another takes
 * less than half the time: rendering evicts the system's data for creating files from the processor's caches.
 */
export const BATCH_SIZE = 8

export function spillPage<Page extends { readonly artifacts: readonly Artifact[] }>(
  page: Page,
  spill: Spill,
): Page {
  return { ...page, artifacts: page.artifacts.map(spill) }
}
