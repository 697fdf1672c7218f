import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import type { Member } from '../../src/domain/member.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'

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

    test('an address waits until a user has it, in any capitals, and looks as before then', async () => {
      const { db, projectId } = await create()
      const member = memberOf(projectId, { email: 'zoë@example.com' })
      await db.write(({ members }) => members.insert(member))
      expect(await db.read.users.findByAddress(member.email)).toBeNull()
      const userId = await newUser(db, 'ZOË@Example.com')
      expect(await db.read.members.find(projectId, member.id)).toEqual({ ...member, userId })
      expect(await db.read.members.roleOf(projectId, userId)).toBe('author')
      expect(await db.read.users.findByAddress(member.email)).toMatchObject({ id: userId })
    })

    test('a user accepts what waits for an address, but not where the user is a member or the owner', async () => {
      const { db, projectId } = await create()
      const userId = await newUser(db, 'kai@example.com')
      const waiting = memberOf(projectId)
      await db.write(({ members }) => members.insert(waiting))
      const owner = (await db.read.members.list(projectId))[0]?.userId ?? expect.unreachable()
      await db.write(({ members }) => members.acceptInvitations(owner, waiting.email))
      expect(await db.read.members.find(projectId, waiting.id)).toEqual(waiting)
      const first = memberOf(projectId, { email: 'kai@example.com', userId })
      await db.write(({ members }) => members.insert(first))
      await db.write(({ members }) => members.acceptInvitations(userId, 'EVE@example.com'))
      expect(await db.read.members.find(projectId, waiting.id)).toEqual(waiting)
      await db.write(({ members }) => members.delete(first.id))
      await db.write(({ members }) => members.acceptInvitations(userId, 'EVE@example.com'))
      expect(await db.read.members.find(projectId, waiting.id)).toEqual({ ...waiting, userId })
    })

    test('a user whom an invitation created is deleted while no one has used the account, and the invitation waits again', async () => {
      const { db, projectId } = await create()
      const waiting = memberOf(projectId)
      await db.write(({ members }) => members.insert(waiting))
      const invited = async (email: string): Promise<UserId> => {
        const id = newId<'usr'>()
        await db.write(({ users }) => users.insert({ id, email, canCreateProjects: false, createdAt: NOW }))
        return id
      }
      const unused = await invited(waiting.email)
      expect(await db.read.members.roleOf(projectId, unused)).toBe('author')
      expect(await db.write(({ users }) => users.deleteUnused(unused))).toBe(true)
      expect(await db.read.users.find(unused)).toBeNull()
      expect(await db.read.members.find(projectId, waiting.id)).toEqual(waiting)
      const withPassword = await invited('lea@example.com')
      await db.write(({ users }) => users.setPasswordHash(withPassword, 'hash'))
      const ofOperator = await newUser(db, 'max@example.com')
      for (const id of [withPassword, ofOperator, unused])
        expect(await db.write(({ users }) => users.deleteUnused(id))).toBe(false)
      expect(await db.read.users.find(ofOperator)).not.toBeNull()
    })

    test('of two users whose addresses differ in capitals, the one that is spelled as asked is found', async () => {
      const { db } = await create()
      const lower = await newUser(db, 'kim@example.com')
      const upper = await newUser(db, 'KIM@example.com')
      expect((await db.read.users.findByAddress('KIM@example.com'))?.id).toBe(upper)
      expect((await db.read.users.findByAddress('kim@example.com'))?.id).toBe(lower)
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
      const member = memberOf(projectId, { userId })
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
