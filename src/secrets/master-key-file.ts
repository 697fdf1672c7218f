import { readFile } from 'node:fs/promises'
import { createDurably, replaceDurably } from '../platform/durable-file.ts'
import { fallbackOn } from '../platform/fs-errors.ts'
import { type MasterKey, newMasterKey, parseMasterKey } from './master-key.ts'

/* The file of the master key in the data folder of an embedded installation. Only its user can read it. */

/**
 * Reads the file, and creates it on the first run. Durable when it resolves, because everything sealed from then on
 * needs it.
 *
 * @throws {RangeError} if the file holds something else.
 */
export async function loadOrCreateMasterKey(file: string): Promise<MasterKey> {
  const existing = await readMasterKey(file)
  if (existing !== null) return existing
  await createDurably(file, `${newMasterKey()}\n`)
  // Another process may have created it first.
  return parseMasterKey(await readFile(file, 'utf8'))
}

/** Reads the master key; null if there is no file. @throws {RangeError} if it holds something else. */
export async function readMasterKey(file: string): Promise<MasterKey | null> {
  const text = await fallbackOn(['ENOENT'], readFile(file, 'utf8'), null)
  return text === null ? null : parseMasterKey(text)
}

/** Adds a new key before the keys in a file. Servers use it after their next start. */
export async function prependMasterKey(file: string): Promise<void> {
  const previous = await loadOrCreateMasterKey(file)
  await replaceDurably(file, `${newMasterKey()}\n${previous.reveal()}\n`)
}
