import { join } from 'node:path'
import { createLedger } from '../../src/db/ledger.ts'
import { readId } from '../../src/domain/ids.ts'
import { systemTime } from '../../src/platform/clock.ts'
import { compare } from '../../src/publish/recovery/compare.ts'
import { randomId } from '../../src/services/new-id.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { openServiceDatabase, serviceMasterKey } from '../support/test-database.ts'

/**
 * Differences between the database of a data folder and its store, as `quoin verify` finds them.
 *
 * @param project its prefixed id.
 */
export async function storeDifferences(data: string, project: string): Promise<readonly string[]> {
  const id = readId('proj', project)
  if (id === null) throw new Error(`${project} is no project's id.`)
  const connections = await openServiceDatabase(data)
  try {
    const ledger = createLedger(connections, { now: systemTime, newId: randomId })
    const storage = createLocalFolderStorage({ root: join(data, 'cdn') })
    const masterKey = await serviceMasterKey(data)
    const found = await compare(id, { ...ledger, storage, masterKey }, null)
    return found.map(({ kind, key, message }) => `${kind} ${key}: ${message}`)
  } finally {
    await connections.close()
  }
}
