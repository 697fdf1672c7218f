import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../src/db/database.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { PLAN_LIMITS, type PlanLimits } from '../../src/domain/account-limits.ts'
import { type Caller, DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { allowanceOf } from '../../src/domain/plan-allowance.ts'
import type { LiveState } from '../../src/publish/ledger/live-state.ts'
import type { AwaitedRelease, Publisher } from '../../src/publish/queue/publisher.ts'
import type { Renderer } from '../../src/renderer/renderer.ts'
import { createAccountLimits } from '../../src/services/accounts/account-limits.ts'
import { createAccountService } from '../../src/services/accounts/accounts.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import type { PagePorts } from '../../src/services/pages/pages.ts'
import { createPageService } from '../../src/services/pages/pages.ts'
import { createProjectService } from '../../src/services/projects/projects.ts'
import { NO_TEXTS, type PreparedTexts } from '../../src/services/publishing/page-texts.ts'
import { putNewDatabase } from '../support/new-database.ts'

const PREPARED: PreparedTexts = { ...NO_TEXTS, mayPrepare: () => false, prepare: async () => {} }

export type ServiceFixture = Awaited<ReturnType<typeof createServiceFixture>>

/** Services on a migrated SQLite database of their own. The publisher records releases and publishes nothing. */
export async function createServiceFixture(planLimits: PlanLimits = PLAN_LIMITS) {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-services-'))
  await putNewDatabase(join(folder, 'quoin.db'))
  const connections = openSqlite(join(folder, 'quoin.db'))
  const db = createDatabase(connections)
  const clock = { now: '2026-01-02T03:04:05.678Z' }
  const now = () => clock.now
  const finished: AwaitedRelease[] = []
  const publisher = {
    async finish(release: AwaitedRelease) {
      finished.push(release)
      return { outcome: null, finishedAt: clock.now, times: null, waitedMs: 0 }
    },
  } as unknown as Publisher
  const accountLimits = createAccountLimits({ planLimits, now })
  const context: PagePorts = {
    db,
    publisher,
    renderer: { themes: ['default'] } as unknown as Renderer,
    addresses: { contentUrl: 'https://cdn.example.com', sitesDomain: null },
    accountLimits,
    socialPictures: {
      accept: (_, work) =>
        db.write((within) => work(within, async (_within, snapshots) => snapshots, PREPARED)),
      planned: async (snapshot) => snapshot,
    },
    pageTexts: { direct: () => NO_TEXTS },
    newId,
    now,
    staleness: async (pages) =>
      new Map(pages.map(({ id }) => [id, { hasUnpublishedChanges: true, stale: [] }] as const)),
    liveState: {} as LiveState,
  }
  const accounts = createAccountService({ db, accountLimits, newId, now })
  const projects = createProjectService({ db, accountLimits, newId, now, needsProof: false, hasCdn: false })
  const pages = createPageService(context)

  async function newCaller(changes: Partial<Caller> = {}): Promise<Caller> {
    const user = await accounts.createUser(`${newId()}@example.com`, changes.canCreateProjects ?? true)
    return {
      userId: user.id,
      via: { kind: 'key', id: newId<'key'>() },
      email: user.email,
      projectScope: null,
      permissions: DEFAULT_PERMISSIONS,
      plan: 'standard',
      allowance: allowanceOf('standard', null),
      accountAllowance: allowanceOf('standard', null),
      canCreateProjects: true,
      idempotentRequest: null,
      ...changes,
    }
  }

  return {
    db,
    context,
    accounts,
    projects,
    pages,
    /** Releases that services waited for. */
    finished,
    /** The time that services see. */
    clock,
    newCaller,
    /** A caller with an API key that is stored, for records that reference the key. */
    async newCallerWithKey(idempotencyKey: string, path: string): Promise<Caller> {
      const caller = await newCaller()
      const { record } = await accounts.createKey({
        userId: caller.userId,
        projectScope: null,
        name: 'test',
        plan: 'standard',
        permissions: DEFAULT_PERMISSIONS,
        expiresAt: null,
      })
      const request = { keyId: record.id, path, idempotencyKey, bodyDigest: 'digest' }
      return { ...caller, via: { kind: 'key', id: record.id }, idempotentRequest: request }
    },
    async close() {
      await db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The name of the error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: Error) => error.name,
  )
}
