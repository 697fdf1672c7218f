import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { type Caller, PERMISSIONS } from '../../src/domain/caller.ts'
import type { PageId, ProjectId, UserId } from '../../src/domain/ids.ts'
import { NEVER_INVITED } from '../../src/domain/member.ts'
import { newPage } from '../../src/domain/page.ts'
import { allowanceOf } from '../../src/domain/plan-allowance.ts'
import type { Role } from '../../src/domain/roles.ts'
import { accessAsset, accessJob, accessPage, accessProject } from '../../src/services/access.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'
import { newDatabase } from '../support/new-database.ts'

const NOW = '2026-01-02T03:04:05.678Z'

/** A project with a page and a member, and the statements that readers send. */
async function withMember(role: Role) {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const projectId = await insertProject(db)
  const home = (await db.read.projects.find(projectId)) ?? expect.unreachable()
  const member = newId<'usr'>()
  const page = newPage(
    {
      projectId,
      title: 'A page',
      slug: 'a-page',
      subroute: '',
      type: 'article',
      description: '',
      ogImageUrl: null,
      meta: {},
      config: {},
      markdown: '',
      ownFields: {},
    },
    {
      id: newId<'page'>(),
      now: NOW,
      derive: () => ({ wordCount: 0, tags: [], feedGuid: null, contentDigest: 'x' }),
    },
  )
  await db.write(async ({ users, pages, members }) => {
    await users.insert({ id: member, email: 'ada@example.com', canCreateProjects: true, createdAt: NOW })
    await pages.insert(page, home.project.userId)
    await members.insert({
      id: newId<'mem'>(),
      projectId,
      email: 'ada@example.com',
      userId: member,
      role,
      ...NEVER_INVITED,
      createdAt: NOW,
      updatedAt: NOW,
      version: 1,
    })
  })
  const statements: string[] = []
  connections.reader.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql))
  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    const before = statements.length
    await work().catch(() => {})
    return statements.length - before
  }
  // The cache of projects is warm.
  await db.read.pages.find(page.id)
  return { read: db.read, projectId, page: page.id, owner: home.project.userId, member, counted, statements }
}

function callerOf(userId: UserId): Caller {
  return {
    userId,
    via: { kind: 'key', id: newId<'key'>() },
    email: 'a@example.com',
    projectScope: null,
    permissions: PERMISSIONS,
    plan: 'standard',
    allowance: allowanceOf('standard', null),
    accountAllowance: allowanceOf('standard', null),
    canCreateProjects: true,
    idempotentRequest: null,
  }
}

test('the owner reaches a page with the statements that read it, and a member with one more', async () => {
  const { read, page, owner, member, counted } = await withMember('viewer')
  const reading = await counted(() => read.pages.find(page))
  expect(await counted(() => accessPage(read, callerOf(owner), page, ['read']))).toBe(reading)
  expect(await counted(() => accessPage(read, callerOf(member), page, ['read']))).toBe(reading + 1)
})

test('what a stranger may not see costs as many statements as what does not exist', async () => {
  const { read, projectId, page, counted } = await withMember('viewer')
  const stranger = callerOf(newId<'usr'>())
  const [noProject, noPage] = [newId<'proj'>() as ProjectId, newId<'page'>() as PageId]
  const ofProject = (id: string) => counted(() => accessProject(read, stranger, id, ['read']))
  const ofPage = (id: string) => counted(() => accessPage(read, stranger, id, ['read']))
  expect(await ofProject(projectId)).toBe(await ofProject(noProject))
  expect(await ofPage(page)).toBe(await ofPage(noPage))
  expect(await counted(() => accessAsset(read, stranger, newId(), ['read']))).toBe(3)
  expect(await counted(() => accessJob(read, stranger, newId(), ['read']))).toBe(4)
})

test.each(['asset', 'job'] as const)('so does a foreign %s', async (kind) => {
  const { read, counted, projectId } = await withMember('viewer')
  const found = { id: newId(), projectId }
  // A job may also be a release that goes on.
  const others = kind === 'asset' ? 2 : 3
  const looking = {
    ...read,
    assets: { ...read.assets, find: async () => found },
    jobs: { ...read.jobs, find: async () => found },
  } as unknown as typeof read
  const access = kind === 'asset' ? accessAsset : accessJob
  expect(await counted(() => access(looking, callerOf(newId<'usr'>()), found.id, ['read']))).toBe(others)
})

test('whether a page is an author’s own is asked only where it matters', async () => {
  for (const [role, asked] of [
    ['author', 1],
    ['editor', 0],
  ] as const) {
    const { read, page, member, statements } = await withMember(role)
    const access = accessPage(read, callerOf(member), page, ['share'])
    await (role === 'author' ? expect(access).rejects.toThrow('author') : access)
    expect(statements.filter((sql) => sql.includes('created_by'))).toHaveLength(asked)
  }
})
