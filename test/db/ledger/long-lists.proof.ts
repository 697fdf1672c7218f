import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { createLedger } from '../../../src/db/ledger.ts'
import type { PageId, ProjectId, ReleaseId } from '../../../src/domain/ids.ts'
import type { Lease } from '../../../src/publish/ledger/leases.ts'
import type { Ledger } from '../../../src/publish/ledger/ledger.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { insertProject } from '../../support/insert-project.ts'
import { newDatabase } from '../../support/new-database.ts'

/** SQLite accepts at most 32,766 values in a statement. */
const MANY = 40_000
const numbered = <Id extends string>(prefix: string) =>
  Array.from({ length: MANY }, (_, n) => `${prefix}${n}` as Id)

type Use = (ledger: Ledger, project: ProjectId, lease: Lease) => Promise<unknown>

const USES: readonly (readonly [string, Use])[] = [
  ['link targets', ({ liveState }, project) => liveState.linkTargets(project, numbered('page/'))],
  ['objects to compare', ({ liveState }, project) => liveState.objectsAt(project, numbered('page/'))],
  ['objects to measure', ({ liveState }, project) => liveState.sizesOf(project, numbered('page/'))],
  [
    'pages with objects',
    ({ liveState }, project) => liveState.objectsOfPages(project, numbered<PageId>('p')),
  ],
  ['pages with slots', ({ liveState }, project) => liveState.slotsOf(project, numbered<PageId>('p'))],
  ['claiming releases', ({ liveState }) => liveState.objectsClaimedBy(numbered<ReleaseId>('r'))],
  [
    'abandoned claims',
    ({ liveState }, _, lease) => liveState.recordRepair(lease, [], numbered<ReleaseId>('r')),
  ],
  [
    'failed releases',
    ({ releaseQueue }, _, lease) =>
      releaseQueue.startReverting(lease, numbered<ReleaseId>('r'), { name: 'internal_error', message: '' }),
  ],
  [
    'reverted releases',
    ({ releaseQueue }, _, lease) => releaseQueue.finishReverting(lease, numbered<ReleaseId>('r'), []),
  ],
  ['search entries', ({ searchRows }, project) => searchRows.entries(project, numbered<PageId>('p'))],
]

test.each(USES)(`a batch may have ${MANY} %s`, async (_, use) => {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const project = await insertProject(db)
  const ledger = createLedger(connections, { now: () => '2026-01-01T00:00:00.000Z', newId: randomId })
  const lease = await ledger.leases.take(project, randomId(), await ledger.leases.find(project))
  await use(ledger, project, lease ?? expect.unreachable())
})
