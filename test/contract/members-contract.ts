import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { type Member, NO_MAIL } from '../../src/domain/member.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'
/** When invitations end. */
const END = '2026-01-16T03:04:05.678Z'

/** Tests what `db/repositories/members.ts` promises, with the lists of projects and the users that members belong to. */
export function testMembersContract(
  create: () => Promise<{ readonly projectId: ProjectId; readonly db: Database }>,
): void {
  describe('members', () => {
    const memberOf = (projectId: ProjectId, fields: Partial<Member> = {}): Member => ({
      id: newId<'mem'>(),
      projectId,
      email: 'eve@example.com',
      userId: null,
      role: 'author',
      state: 'invited',
      invitedAt: NOW,
      invitedBy: null,
      expiresAt: END,
      source: 'hand',
      mail: NO_MAIL,
      createdAt: NOW,
      updatedAt: NOW,
      version: 1,
      ...fields,
    })
    const newUser = async (db: Database, email: string): Promise<UserId> => {
      const id = newId<'usr'>()
      await db.write(({ users }) => users.insert({ id, email, canCreateProjects: true, createdAt: NOW }))
      return id
    }

    test('the owner is listed first and found by the id of the project, without a row', async () => {
      const { db, projectId } = await create()
      const member = memberOf(projectId)
      await db.write(({ members }) => members.insert(member))
      const [owner, ...others] = await db.read.members.list(projectId)
      expect(others).toEqual([member])
      expect(owner).toMatchObject({ id: projectId, role: 'owner', email: 'ada@example.com' })
      if (owner === undefined) return expect.unreachable()
      expect(await db.read.members.find(projectId, owner.id)).toEqual(owner)
      expect(await db.read.members.roleOf(projectId, owner.userId ?? newId())).toBeNull()
    })

    test('an invitation waits for its address in any spelling until it ends, and gives no role before it is accepted', async () => {
      const { db, projectId } = await create()
      const member = memberOf(projectId)
      await db.write(({ members }) => members.insert(member))
      const userId = await newUser(db, 'EVE@Example.com')
      const waiting = (now: string) => db.read.members.invitationsTo('Eve@example.com', now, 10)
      expect(await waiting(NOW)).toEqual([member])
      expect(await waiting(END)).toEqual([])
      expect(await db.read.members.roleOf(projectId, userId)).toBeNull()
      const active: Member = { ...member, state: 'active', userId, expiresAt: null, version: 2 }
      await db.write(({ members }) => members.update(active))
      expect(await db.read.members.findById(member.id)).toEqual(active)
      expect(await db.read.members.roleOf(projectId, userId)).toBe('author')
      expect(await waiting(NOW)).toEqual([])
    })

    test('an invitation has one link that is shown and one that is mailed, and a new one ends both', async () => {
      const { db, projectId } = await create()
      const mailId = newId<'mail'>()
      const mail = { id: mailId, status: 'queued', at: NOW, problem: null } as const
      const member = memberOf(projectId, { mail })
      await db.write(({ members }) => members.insert(member))
      const show = (hash: string | null, staysMailed = false) =>
        db.write(({ members }) => members.setShownLink(member.id, hash, staysMailed))
      const found = (hash: string) => db.read.members.findByLink(hash)
      await show('a'.repeat(64))
      expect(await db.write(({ members }) => members.setMailedLink(member.id, mailId, 'b'.repeat(64)))).toBe(
        true,
      )
      const other = newId<'mail'>()
      expect(await db.write(({ members }) => members.setMailedLink(member.id, other, 'c'.repeat(64)))).toBe(
        false,
      )
      expect(await found('a'.repeat(64))).toEqual({ member, isMailed: false })
      expect(await found('b'.repeat(64))).toEqual({ member, isMailed: true })
      await show('d'.repeat(64), true)
      expect([await found('a'.repeat(64)), (await found('b'.repeat(64)))?.isMailed]).toEqual([null, true])
      await show(null)
      for (const hash of ['a', 'b', 'd']) expect(await found(hash.repeat(64))).toBeNull()
      await db.write(({ members }) => members.update({ ...member, state: 'declined' }))
      expect(await db.write(({ members }) => members.setMailedLink(member.id, mailId, 'e'.repeat(64)))).toBe(
        false,
      )
    })

    test('what became of a mail is recorded for the last one only', async () => {
      const { db, projectId } = await create()
      const id = newId<'mail'>()
      const member = memberOf(projectId, { mail: { id, status: 'queued', at: NOW, problem: null } })
      const failed = { id, status: 'failed', at: END, problem: 'address_refused' } as const
      await db.write(async ({ members }) => {
        await members.insert(member)
        await members.recordMail(member.id, { ...failed, id: newId<'mail'>() })
      })
      expect((await db.read.members.findById(member.id))?.mail).toEqual(member.mail)
      await db.write(({ members }) => members.recordMail(member.id, failed))
      expect((await db.read.members.findById(member.id))?.mail).toEqual(failed)
    })

    test('a project is offered to one address at a time, until the offer ends or the project changes hands', async () => {
      const { db, projectId } = await create()
      const offerTo = (email: string) => ({
        ...{ id: newId<'off'>(), projectId, email, createdAt: NOW, expiresAt: END },
      })
      const [first, second] = [offerTo('eve@example.com'), offerTo('bob@example.com')]
      await db.write(({ transferOffers }) => transferOffers.put(first))
      await db.write(({ transferOffers }) => transferOffers.put(second))
      const { transferOffers } = db.read
      expect(await transferOffers.offersTo('eve@example.com', NOW, 10)).toEqual([])
      expect(await transferOffers.offersTo('bob@example.com', NOW, 10)).toEqual([second])
      expect(await transferOffers.offersTo('bob@example.com', END, 10)).toEqual([])
      expect([await transferOffers.find(first.id), await transferOffers.ofProject(projectId)]).toEqual([
        null,
        second,
      ])
      const to = await newUser(db, 'bob@example.com')
      await db.write(({ projects }) => projects.transfer(projectId, to))
      expect(await transferOffers.find(second.id)).toBeNull()
      await db.write(({ transferOffers }) => transferOffers.put(first))
      await db.write(({ transferOffers }) => transferOffers.prune(NOW))
      expect(await transferOffers.find(first.id)).toEqual(first)
      await db.write(({ transferOffers }) => transferOffers.prune(END))
      expect(await db.write(({ transferOffers }) => transferOffers.delete(first.id))).toBe(false)
    })

    test('an address is a member of a project once', async () => {
      const { db, projectId } = await create()
      await db.write(({ members }) => members.insert(memberOf(projectId)))
      const again = db.write(({ members }) => members.insert(memberOf(projectId)))
      await expect(again).rejects.toMatchObject({ name: 'conflict' })
    })

    test('a role changes, and a member that is removed has none', async () => {
      const { db, projectId } = await create()
      const userId = await newUser(db, 'eve@example.com')
      const member = memberOf(projectId, { userId, state: 'active' })
      const changed: Member = { ...member, role: 'viewer', version: 2 }
      await db.write(async ({ members }) => {
        await members.insert(member)
        await members.update(changed)
      })
      expect(await db.read.members.find(projectId, member.id)).toEqual(changed)
      expect(await db.read.members.find(newId<'proj'>(), member.id)).toBeNull()
      await db.write(({ members }) => members.delete(member.id))
      expect(await db.read.members.roleOf(projectId, userId)).toBeNull()
    })

    test('members are counted for the account of their project, and go with it', async () => {
      const { db, projectId } = await create()
      const owner = (await db.read.projects.ownerOf(projectId)) ?? expect.unreachable()
      const counted = async () => (await db.read.accounts.ofUser(owner))?.usage.members
      const [first, second] = [memberOf(projectId), memberOf(projectId, { email: 'bob@example.com' })]
      await db.write(async ({ members }) => {
        await members.insert(first)
        await members.insert(second)
      })
      expect(await counted()).toBe(2)
      await db.write(({ members }) => members.delete(first.id))
      expect(await counted()).toBe(1)
      await db.write(({ projects }) => projects.markDeleted(projectId, NOW))
      expect(await counted()).toBe(0)
      expect(await db.read.members.find(projectId, second.id)).toBeNull()
    })

    test('a list of projects has own and shared ones in one order, page by page', async () => {
      const { db } = await create()
      const [ada, eve] = [await newUser(db, 'own@example.com'), await newUser(db, 'eve@example.com')]
      const names: string[] = []
      for (let n = 0; n < 12; n++) {
        const isShared = n % 3 === 0
        const createdAt = new Date(Date.parse(NOW) + n * 1000).toISOString()
        names.push(`Site ${n}`)
        await db.write(async ({ projects, members }) => {
          const { id } = await projects.insert({
            id: newId<'proj'>(),
            userId: isShared ? eve : ada,
            name: `Site ${n}`,
            slug: 'site',
            status: 'active',
            context: '',
            legacySettings: {},
            hosting: DEFAULT_HOSTING,
            dataModeEnabledAt: null,
            createdAt,
            updatedAt: createdAt,
            version: 1,
          })
          if (isShared) await members.insert(memberOf(id, { email: 'own@example.com', userId: ada }))
        })
      }
      const filter = { only: null, status: null, domain: null, createdAfter: null, createdBefore: null }
      const listed: string[] = []
      for (let offset = 0; offset < 15; offset += 5) {
        const { items, total } = await db.read.projects.list(
          { ...filter, userId: ada },
          { sort: 'created_at', order: 'desc', limit: 5, offset },
        )
        expect(total).toBe(12)
        listed.push(...items.map(({ project }) => project.name))
      }
      expect(listed).toEqual(names.reverse())
      const others = await db.read.projects.list(
        { ...filter, userId: eve },
        { sort: 'name', order: 'asc', limit: 25, offset: 0 },
      )
      expect(others.total).toBe(4)
    })
  })
}
