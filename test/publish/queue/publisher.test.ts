import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createLedger } from '../../../src/db/ledger.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { createPublisher } from '../../../src/publish/queue/publisher.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { createTestTimers } from '../../support/test-timers.ts'

test('a stopped publisher sends no more queries, even when it stops right after the start', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  await migrate(connections.writer)
  const now = () => '2026-01-01T00:00:00.000Z'
  const ledger = createLedger(connections, { now, newId: randomId })
  let asking = 0
  const publisher = createPublisher({
    ...ledger,
    releaseQueue: {
      ...ledger.releaseQueue,
      async listTombstones() {
        asking += 1
        const found = await ledger.releaseQueue.listTombstones()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return found
      },
      async unfinishedProjects() {
        const found = await ledger.releaseQueue.unfinishedProjects()
        asking -= 1
        return found
      },
    },
    storage: createMemoryStorage(),
    renderer: { themes: [], render: neverAsked, renderIndex: neverAsked } as never,
    masterKey: parseMasterKey(newMasterKey()),
    holder: 'me',
    monotonic: () => performance.now(),
    timers: createTestTimers(),
    log: pino({ level: 'silent' }),
    now,
  })

  publisher.start()
  expect(asking).toBe(1)
  await publisher.stop()
  expect(asking).toBe(0)
  await Promise.all([connections.reader.destroy(), connections.writer.destroy()])
})

function neverAsked(): never {
  throw new Error('Nothing is to be rendered here.')
}
