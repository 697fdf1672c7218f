import { join } from 'node:path'
import type { Connections } from '../../src/db/connections.ts'
import { createLedger } from '../../src/db/ledger.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { readId } from '../../src/domain/ids.ts'
import { systemTime } from '../../src/platform/clock.ts'
import { compare } from '../../src/publish/recovery/compare.ts'
import { loadOrCreateMasterKey } from '../../src/secrets/master-key-file.ts'
import { randomId } from '../../src/services/new-id.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'

/**
 * Differences between the database of a data folder and its store, as `quoin verify` finds them.
 *
 * @param project its prefixed id.
 * @param open opens another database than the file in the folder.
 */
export async function storeDifferences(
  data: string,
  project: string,
  open: () => Promise<Connections> = async () => openSqlite(join(data, 'quoin.db')),
): Promise<readonly string[]> {
  const id = readId('proj', project)
  if (id === null) throw new Error(`${project} is no project's id.`)
  const connections = await open()
  try {
    const ledger = createLedger(connections, { now: systemTime, newId: randomId })
    const storage = createLocalFolderStorage({ root: join(data, 'cdn') })
    const masterKey = await loadOrCreateMasterKey(join(data, 'master.key'))
    const found = await compare(id, { ...ledger, storage, masterKey }, null)
    return found.map(({ kind, key, message }) => `${kind} ${key}: ${message}`)
  } finally {
    await connections.close()
  }
}
