import { describe, expect, test } from 'vitest'
import type { AuditFilter, NewAuditEntry } from '../../src/db/repositories/audit.ts'
import type { Database } from '../../src/db/repositories.ts'
import { ACT_NAMES, type Actor } from '../../src/domain/audit.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const YEAR_AND_DAY = '2027-01-03T03:04:05.678Z'
const ACTOR: Actor = {
  via: { kind: 'key', id: newId<'key'>() },
  userId: newId<'usr'>(),
  clientAddress: '192.0.2.7',
  requestId: 'request',
  jobId: newId<'job'>(),
}

/** Tests every promise of `AuditRepository`. */
export function testAuditContract(
  create: () => Promise<{ readonly db: Database; readonly projectId: ProjectId }>,
): void {
  describe('the audit log', () => {
    const entry = (of: NewAuditEntry['of'], fields: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
      id: newId<'aud'>(),
      createdAt: NOW,
      of,
      act: 'page.update',
      target: newId<'page'>(),
      actor: ACTOR,
      ...fields,
    })
    const insert = (db: Database, one: NewAuditEntry) => db.write(({ audit }) => audit.insert(one))
    const listed = (db: Database, filter: Partial<AuditFilter>, limit = 100) =>
      db.read.audit.list(
        { of: null, act: null, createdAfter: null, createdBefore: null, ...filter },
        { limit, offset: 0 },
      )

    test('reads a row back as it was written, in the account of the owner of its project', async () => {
      const { db, projectId } = await create()
      const state = { before: { version: 1 }, after: { version: 2, digest: 'd' }, fields: ['title'] }
      const { of: _, ...written } = entry({ projectId }, state)
      await insert(db, { ...written, of: { projectId } })
      const userId = await db.read.projects.ownerOf(projectId)
      const row = { ...written, userId, projectId, reason: null, count: null }
      expect(await listed(db, { of: { projectId } })).toMatchObject({ items: [row], total: 1 })
      if (userId === null) return expect.unreachable()
      expect((await listed(db, { of: { userId } })).items).toEqual([row])
      expect((await listed(db, {})).items).toEqual([row])
    })

    test('stores of the actor what it names, and nothing else that a caller has', async () => {
      const { db, projectId } = await create()
      const caller = { ...ACTOR, email: 'ada@example.com', permissions: ['read'] }
      await insert(db, entry({ projectId }, { actor: caller }))
      expect((await listed(db, {})).items[0]?.actor).toEqual(ACTOR)
    })

    test('forgets the network address of a person, and nothing else of what the person or others did', async () => {
      const { db, projectId } = await create()
      const other: Actor = { ...ACTOR, userId: newId<'usr'>() }
      await insert(db, entry({ projectId }))
      await insert(db, entry({ projectId }, { actor: other }))
      await db.write(({ audit }) => audit.blankAddresses(ACTOR.userId ?? newId()))
      const { clientAddress: _, ...blank } = ACTOR
      expect((await listed(db, {})).items.map(({ actor }) => actor)).toEqual([other, blank])
    })

    test('counts refused sign-ins in one row, whichever process adds it first', async () => {
      const { db } = await create()
      const [userId, id] = [newId<'usr'>(), newId<'aud'>()]
      const actor: Actor = { via: { kind: 'service' }, clientAddress: '192.0.2.7' }
      const row = { ...entry({ userId }), id, of: { userId }, act: 'session.refuse', actor } as const
      const add = (count: number) => db.write(({ audit }) => audit.addRefusals(id, count))
      const insert = (count: number) =>
        db.write(({ audit }) => audit.insertRefusals({ ...row, reason: 'password', count }))
      expect(await add(1)).toBe(false)
      await insert(2)
      await insert(3)
      expect(await add(4)).toBe(true)
      const { items } = await listed(db, { of: { userId }, act: 'session.refuse' })
      expect(items).toMatchObject([{ id, reason: 'password', count: 9, actor, createdAt: NOW }])
      expect(await db.read.audit.countRefusals(userId, NOW)).toBe(1)
      expect(await db.read.audit.countRefusals(userId, YEAR_AND_DAY)).toBe(0)
      expect(await db.read.audit.countRefusals(newId<'usr'>(), NOW)).toBe(0)
      await db.write(({ audit }) => audit.blankAddresses(userId))
      expect((await listed(db, { of: { userId } })).items[0]?.actor).toEqual({ via: { kind: 'service' } })
    })

    test('counts refused sign-ins in no row of another act', async () => {
      const { db, projectId } = await create()
      const one = entry({ projectId })
      await insert(db, one)
      expect(await db.write(({ audit }) => audit.addRefusals(one.id, 1))).toBe(false)
      expect((await listed(db, {})).items[0]?.count).toBeNull()
    })

    test('has room for the name of every act', async () => {
      const { db, projectId } = await create()
      for (const act of ACT_NAMES) await insert(db, entry({ projectId }, { act }))
      expect((await listed(db, {})).items.map(({ act }) => act).reverse()).toEqual(ACT_NAMES)
      expect((await listed(db, { act: 'data_mode.regenerate_key' })).total).toBe(1)
    })

    test('lists rows of one moment in the order of their insertion, newest first', async () => {
      const { db, projectId } = await create()
      const userId = (await db.read.projects.ownerOf(projectId)) ?? expect.unreachable()
      const all = Array.from({ length: 5 }, () => entry({ userId, projectId }))
      for (const one of all) await insert(db, one)
      for (const of of [{ userId }, { projectId }, null])
        expect((await listed(db, { of }, 3)).items.map(({ id }) => id)).toEqual(
          all
            .map(({ id }) => id)
            .reverse()
            .slice(0, 3),
        )
    })

    test('loses a row with the transaction that wrote it', async () => {
      const { db, projectId } = await create()
      const failed = db.write(async ({ audit }) => {
        await audit.insert(entry({ projectId }))
        throw new Error('later')
      })
      await expect(failed).rejects.toThrow('later')
      expect((await listed(db, {})).total).toBe(0)
    })

    test('is pruned after a year, in bounded steps, and not before', async () => {
      const { db, projectId } = await create()
      await db.write(async ({ audit }) => {
        for (let i = 0; i < 501; i++) await audit.insert(entry({ projectId }))
        await audit.insert(entry({ projectId }, { createdAt: YEAR_AND_DAY }))
      })
      expect(await db.write(({ audit }) => audit.prune(NOW))).toBe(false)
      expect((await listed(db, {})).total).toBe(502)
      expect(await db.write(({ audit }) => audit.prune(YEAR_AND_DAY))).toBe(true)
      expect((await listed(db, {})).total).toBe(2)
      expect(await db.write(({ audit }) => audit.prune(YEAR_AND_DAY))).toBe(false)
      expect((await listed(db, {})).items.map(({ createdAt }) => createdAt)).toEqual([YEAR_AND_DAY])
    })
  })
}
