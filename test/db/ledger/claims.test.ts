import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { createLedger } from '../../../src/db/ledger.ts'
import { SERVICE } from '../../../src/domain/audit.ts'
import type { Snapshot } from '../../../src/domain/live-page.ts'
import type { Release } from '../../../src/domain/release.ts'
import { pageKeys, redirectPaths } from '../../../src/publish/pipeline/page-keys.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { insertProject } from '../../support/insert-project.ts'
import { snapshotFor } from '../../support/live-site.ts'
import { newDatabase } from '../../support/new-database.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const LIMITS = { awaited: 500, background: 500, isRecovery: false }
const PORTS = {
  keysOf: ({ snapshot }: Release) => pageKeys(snapshot),
  redirectFrom: ({ snapshot }: Release) => redirectPaths(snapshot),
  newKey: () => expect.unreachable(),
  keyIdOf: () => expect.unreachable(),
}

/** A project with these pages, whose publishes wait in its queue, and a lease of it. */
async function queueOf(slugs: readonly string[], redirectFrom: readonly string[] = []) {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const projectId = await insertProject(db)
  const { releaseQueue, leases } = createLedger(connections, { now: () => NOW, newId: randomId })
  const snapshots = slugs.map((slug) =>
    snapshotFor('', { id: randomId<'page'>(), projectId, slug }, { redirectFrom: [...redirectFrom] }),
  )
  const releases = snapshots.map((snapshot) => ({ id: randomId<'rel'>(), snapshot }))
  const settings = snapshots[0]?.settings ?? expect.unreachable()
  await db.write(async ({ pages, projects, releases: queue }) => {
    const project = await projects.find(projectId)
    // Its edits came after the publish, so that two snapshots can have one address.
    for (const { page } of snapshots)
      await pages.insert({ ...page, slug: page.id }, project?.project.userId ?? expect.unreachable())
    await queue.acceptAll(projectId, settings, releases.map(acceptedOf))
  })
  const lease = await leases.take(projectId, randomId(), await leases.find(projectId))
  return { connections, releaseQueue, releases, lease: lease ?? expect.unreachable() }
}

function acceptedOf({ id, snapshot }: { readonly id: Release['id']; readonly snapshot: Snapshot }) {
  return {
    id,
    pageId: snapshot.page.id,
    op: 'publish' as const,
    snapshot,
    statusAfter: 'published' as const,
    lenient: false,
    strict: false,
    restores: null,
    actor: SERVICE,
    undo: null,
    createdAt: NOW,
    deadlineAt: null,
  }
}

async function statementsOfClaim(slugs: readonly string[]): Promise<readonly string[]> {
  const { connections, releaseQueue, lease } = await queueOf(slugs, ['/old', '/older'])
  const statements: string[] = []
  connections.writer.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql))
  expect((await releaseQueue.claim(lease, LIMITS, PORTS)).releases).toHaveLength(slugs.length)
  return statements
}

test('a claim of 50 pages takes as many statements as a claim of one', async () => {
  const one = await statementsOfClaim(['a'])
  const many = await statementsOfClaim(Array.from({ length: 50 }, (_, n) => `page-${n}`))
  expect(many).toHaveLength(one.length)
})

test('a dry run has the decision of the claim that follows it', async () => {
  const { releaseQueue, releases, lease } = await queueOf(['same', 'same'], ['/old'])
  const checks = await Promise.all(releases.map((one) => releaseQueue.checkClaim(releaseFor(one), PORTS)))
  const claimed = await releaseQueue.claim(lease, LIMITS, PORTS)
  expect(claimed.releases.map(({ file, redirectFrom }) => ({ file, redirectFrom }))).toEqual([
    { file: 'same/index.html', redirectFrom: ['/old'] },
  ])
  // The second page waits for the first one, which is about to own its path.
  expect(checks).toMatchObject([
    { claimable: { file: 'same/index.html', redirectFrom: ['/old'] } },
    { claimable: { file: 'same/index.html', redirectFrom: ['/old'] } },
  ])
  const later = await releaseQueue.checkClaim(releaseFor(releases[1] ?? expect.unreachable()), PORTS)
  expect(later).toMatchObject({ failure: { name: 'conflict' } })
})

function releaseFor({ id, snapshot }: { readonly id: Release['id']; readonly snapshot: Snapshot }): Release {
  const { actor: _, undo: __, ...accepted } = acceptedOf({ id, snapshot })
  return {
    ...accepted,
    projectId: snapshot.page.projectId,
    seq: Number.MAX_SAFE_INTEGER,
    state: 'queued',
    outcome: null,
    failure: null,
    finishedAt: null,
  }
}
