import { describe, expect, test } from 'vitest'
import type { ChangeFilter } from '../../src/db/repositories/changes.ts'
import type { Database } from '../../src/db/repositories.ts'
import type { Act, AuditState } from '../../src/domain/audit.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const DAY_MS = 24 * 60 * 60 * 1000
const daysLater = (days: number) => new Date(Date.parse(NOW) + days * DAY_MS).toISOString()

/** Tests every promise of `ChangeRepository`. */
export function testChangesContract(
  create: () => Promise<{ readonly db: Database; readonly projectId: ProjectId }>,
): void {
  describe('changes', () => {
    const act = (
      db: Database,
      projectId: ProjectId,
      name: Act,
      target: string,
      more: { readonly after?: AuditState; readonly fields?: readonly string[]; readonly at?: string } = {},
    ) =>
      db.write(({ audit }) =>
        audit.insert({
          id: newId<'aud'>(),
          createdAt: more.at ?? NOW,
          of: { projectId },
          act: name,
          target,
          actor: { via: { kind: 'service' } },
          ...(more.after !== undefined && { after: more.after }),
          ...(more.fields !== undefined && { fields: more.fields }),
        }),
      )
    const number = (db: Database, projectId: ProjectId, limit = 100) =>
      db.write(({ changes }) => changes.number(projectId, limit), { alone: `changes of ${projectId}` })
    const listed = (db: Database, projectId: ProjectId, filter: Partial<ChangeFilter> = {}) =>
      db.read.changes.list(projectId, { after: 0, records: null, limit: 1_000, ...filter })

    test('an act is a change of its record, which has no number until a reader gives it one', async () => {
      const { db, projectId } = await create()
      const page = newId<'page'>()
      await act(db, projectId, 'page.update', page, { after: { version: 3 }, fields: ['title'] })
      expect(await db.read.changes.state(projectId)).toEqual({ history: null, newest: 0, isPending: true })
      expect(await db.read.changes.pending(10)).toEqual([projectId])
      expect(await listed(db, projectId)).toEqual([])
      expect(await number(db, projectId)).toBe(1)
      expect(await number(db, projectId)).toBe(0)
      expect(await db.read.changes.state(projectId)).toEqual({ history: null, newest: 1, isPending: false })
      expect(await db.read.changes.pending(10)).toEqual([])
      expect(await listed(db, projectId)).toEqual([
        {
          projectId,
          seq: 1,
          at: NOW,
          record: 'page',
          id: page,
          act: 'page.update',
          isDeleted: false,
          version: 3,
          status: null,
          releaseId: null,
          path: null,
          formerPath: null,
          fields: ['title'],
        },
      ])
    })

    test('acts of other records are no changes', async () => {
      const { db, projectId } = await create()
      for (const name of [
        'webhook.create',
        'member.invite',
        'preview.create',
        'job.start',
        'key.create',
      ] as const)
        await act(db, projectId, name, newId())
      expect(await number(db, projectId)).toBe(0)
    })

    test('many that number at once give each change one number, without gaps', async () => {
      const { db, projectId } = await create()
      const pages = Array.from({ length: 20 }, () => newId<'page'>())
      await Promise.all(
        pages.flatMap((page) => [
          act(db, projectId, 'page.create', page),
          number(db, projectId, 3),
          number(db, projectId, 2),
        ]),
      )
      while ((await number(db, projectId, 7)) > 0);
      const found = await listed(db, projectId)
      expect(found.map(({ seq }) => seq)).toEqual(pages.map((_, at) => at + 1))
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(pages))
    })

    test('lists changes after a number, of some records, and no more than asked for', async () => {
      const { db, projectId } = await create()
      for (const name of ['page.create', 'asset.create', 'settings.update', 'redirect.create'] as const)
        await act(db, projectId, name, newId())
      await number(db, projectId)
      const seqs = async (filter: Partial<ChangeFilter>) =>
        (await listed(db, projectId, filter)).map(({ seq }) => seq)
      expect(await seqs({ after: 2 })).toEqual([3, 4])
      expect(await seqs({ records: ['asset', 'redirect'] })).toEqual([2, 4])
      expect(await seqs({ records: [] })).toEqual([])
      expect(await seqs({ limit: 2 })).toEqual([1, 2])
    })

    test('the history has one name until it is forgotten', async () => {
      const { db, projectId } = await create()
      const history = async () => (await db.read.changes.state(projectId)).history
      const begin = (id: string) => db.write(({ changes }) => changes.beginHistory(id))
      await Promise.all(['one', 'other'].map(begin))
      const first = await history()
      expect(['one', 'other']).toContain(first)
      await begin('third')
      expect(await history()).toBe(first)
      await db.write(({ changes }) => changes.forgetHistory())
      expect(await history()).toBeNull()
      await begin('third')
      expect(await history()).toBe('third')
    })

    test('the newest change of a record stays, also its deletion; others go after 90 days', async () => {
      const { db, projectId } = await create()
      const [kept, gone] = [newId<'page'>(), newId<'page'>()]
      await act(db, projectId, 'page.create', kept)
      await act(db, projectId, 'page.create', gone)
      await act(db, projectId, 'page.update', kept)
      await act(db, projectId, 'page.delete', gone)
      await number(db, projectId)
      await act(db, projectId, 'page.update', kept, { at: daysLater(80) })
      const prune = (now: string) =>
        db.write(({ changes }) => changes.prune(now, null), { alone: 'prune changes' })
      expect(await prune(daysLater(89))).toBeNull()
      expect(await listed(db, projectId)).toHaveLength(4)
      expect(await prune(daysLater(91))).toBeNull()
      const seqs = async () => (await listed(db, projectId)).map(({ seq }) => seq)
      // What has no number yet follows nothing.
      expect(await seqs()).toEqual([3, 4])
      await number(db, projectId)
      await prune(daysLater(91))
      expect(await seqs()).toEqual([4, 5])
      await db.write(({ projects }) => projects.markDeleted(projectId, NOW))
      await prune(daysLater(91))
      expect(await seqs()).toEqual([5])
      await prune(daysLater(171))
      expect(await seqs()).toEqual([])
    })

    test('pruning continues where it stopped', async () => {
      const { db, projectId } = await create()
      const page = newId<'page'>()
      await db.write(async ({ audit }) => {
        for (let n = 0; n < 620; n++)
          await audit.insert({
            id: newId<'aud'>(),
            createdAt: NOW,
            of: { projectId },
            act: 'page.update',
            target: page,
            actor: { via: { kind: 'service' } },
          })
      })
      while ((await number(db, projectId)) > 0);
      const prune = (after: number | null) =>
        db.write(({ changes }) => changes.prune(daysLater(91), after), { alone: 'prune changes' })
      const reached = await prune(null)
      expect(reached).not.toBeNull()
      expect(await listed(db, projectId)).toHaveLength(120)
      expect(await prune(reached)).toBeNull()
      expect((await listed(db, projectId)).map(({ seq }) => seq)).toEqual([620])
    })
  })
}
