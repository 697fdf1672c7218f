import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { createAuditRepository } from '../../src/db/audit.ts'
import { createChangeRepository } from '../../src/db/changes.ts'
import { createJobQueue } from '../../src/db/jobs.ts'
import { createKeyRepository } from '../../src/db/keys.ts'
import { createLiveState } from '../../src/db/ledger/live-state.ts'
import { createMemberRepository } from '../../src/db/members.ts'
import { createPageRepository } from '../../src/db/pages.ts'
import { createProjectRepository } from '../../src/db/projects.ts'
import type { AuditFilter } from '../../src/db/repositories/audit.ts'
import type { PageFilter, PageSort } from '../../src/db/repositories/pages.ts'
import { createSecondFactorRepository } from '../../src/db/second-factors.ts'
import { createSessionRepository } from '../../src/db/sessions.ts'
import { createSetUpLinkRepository } from '../../src/db/set-up-links.ts'
import { createSignInAttemptRepository } from '../../src/db/sign-in-attempts.ts'
import { createUserRepository } from '../../src/db/users.ts'
import { createWebhookRepository } from '../../src/db/webhooks.ts'
import type { PageId, ProjectId, ReleaseId, UserId } from '../../src/domain/ids.ts'
import type { Paging } from '../../src/domain/paging.ts'
import { randomId } from '../../src/services/new-id.ts'
import { newDatabase } from '../support/new-database.ts'

const ANY: PageFilter = {
  projectId: 'aaaaaaaaaaaaaaaa' as ProjectId,
  type: null,
  status: null,
  subroute: null,
  slug: null,
  tag: null,
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
}
const WHEN = '2026-01-01T00:00:00.000Z'
const filters: readonly Partial<PageFilter>[] = [
  {},
  { type: 'docs' },
  { status: 'draft' },
  { type: 'docs', status: 'published' },
  { subroute: 'docs' },
  { slug: 'install' },
  { slug: 'inst*' },
  { createdAfter: WHEN },
  { createdBefore: WHEN },
  { updatedAfter: WHEN },
  { updatedBefore: WHEN },
]
const sorts: readonly PageSort[] = ['created_at', 'updated_at', 'page_name', 'slug']
const cases = filters.flatMap((filter) => sorts.map((sort) => ({ filter, sort })))

test.each(cases)('a list filtered by $filter and sorted by $sort uses an index', async ({ filter, sort }) => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))

  const paging: Paging<PageSort> = { sort, order: 'desc', limit: 25, offset: 99_000 }
  await createPageRepository(reader).list({ ...ANY, ...filter }, paging)
  expect(queries).toHaveLength(2)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    const [search] = plan.map(({ detail }) => detail)
    expect(search).toMatch(/^SEARCH pages USING (COVERING )?INDEX pages_project_id_\w+ \(project_id=\?/)
  }
})

test('a list of projects follows the order of an index for own ones, and looks up shared ones one by one', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const filter = { only: null, status: null, domain: null, createdAfter: null, createdBefore: null }
  await createProjectRepository(reader).list(
    { ...filter, userId: 'uuuuuuuuuuuuuuuu' as UserId },
    { sort: 'created_at', order: 'desc', limit: 25, offset: 9_000 },
  )
  expect(queries).toHaveLength(2)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    const looks = plan.map(({ detail }) => detail).filter((detail) => /(projects|members) USING/.test(detail))
    expect(looks).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SEARCH projects USING INDEX projects_\w+ \(user_id=\?/),
        expect.stringMatching(/^SEARCH projects USING INDEX sqlite_autoindex_projects_1 \(id=\?\)/),
        expect.stringMatching(/^SEARCH members USING COVERING INDEX members_user_id_\w+ \(user_id=\?/),
      ]),
    )
    expect(looks.filter((detail) => !detail.startsWith('SEARCH'))).toEqual([])
    expect(plan.filter(({ detail }) => /^SCAN (projects|members|settings)/.test(detail))).toEqual([])
  }
})

test('a page with its schedule and the versions of its project is read with one statement that uses indexes', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: string[] = []
  reader.on('query', ({ sql }) => queries.push(sql))
  await createPageRepository(reader).findScheduled('bbbbbbbbbbbbbbbb' as PageId)
  expect(queries).toHaveLength(1)
  const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${queries[0]}`, [
    'bbbbbbbbbbbbbbbb',
  ])
  expect(plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'))).toEqual([])
  expect(plan.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^SEARCH pages USING INDEX \S+ \(id=\?\)/),
      expect.stringMatching(/^SEARCH jobs USING .*INDEX \S+ \(kind=\? AND .*subject=\?/),
    ]),
  )
})

test('the role of a member is looked up in an index', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  await createMemberRepository(reader).roleOf(ANY.projectId, 'uuuuuuuuuuuuuuuu' as UserId)
  const [{ sql, bindings } = expect.unreachable()] = [...queries]
  const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
    ...bindings,
  ])
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH members USING .*INDEX .*project_id=\?.*user_id=\?/),
  ])
})

test('the statistics of a project are counted in an index', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: string[] = []
  reader.on('query', ({ sql }) => queries.push(sql))
  await createPageRepository(reader).stats(ANY.projectId)
  expect(queries).toHaveLength(1)
  const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${queries[0]}`, [
    ANY.projectId,
  ])
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH pages USING COVERING INDEX pages_project_id_status_type_word_count_published_at_index (project_id=?)',
  ])
})

test('the listing queries of a publish use indexes', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const rows = createLiveState({ reader }, noTransactions, {
    now: () => '2026-01-01T00:00:00.000Z',
    newId: randomId,
  })
  await rows.slotsOf(ANY.projectId, ['bbbbbbbbbbbbbbbb' as PageId])
  await rows.nextSlots(ANY.projectId, ['blog'])
  await rows.objectsClaimedBy(['cccccccccccccccc' as ReleaseId])
  await rows.objectsAt(ANY.projectId, ['blog/index.html', 'blog/page/1/index.html'])
  expect(queries).toHaveLength(4)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH .* USING .*INDEX/)])
  }
})

test('the webhook queries of a publish and of the job runner use indexes', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const event = { type: 'page.published', timestamp: WHEN, data: {} } as const
  await createWebhookRepository(reader).enqueueEvents(ANY.projectId, [event], { newId: randomId, now: WHEN })
  expect(queries).toHaveLength(1)
  await createJobQueue(reader).isDue({ name: 'delivery', perSubject: 8 }, 'us', WHEN)
  await createJobQueue(reader).isDue({ name: 'publish-pages' }, 'us', WHEN)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    const looks = plan.map(({ detail }) => detail).filter((detail) => /(webhooks|jobs)/.test(detail))
    expect(looks.length).toBeGreaterThan(0)
    expect(looks.filter((detail) => !/^SEARCH .* USING .*INDEX/.test(detail))).toEqual([])
  }
})

function noTransactions(): never {
  throw new Error('The test only reads.')
}

test('a list filtered by a tag reads only the pages that have it', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const paging: Paging<PageSort> = { sort: 'updated_at', order: 'desc', limit: 25, offset: 0 }
  await createPageRepository(reader).list({ ...ANY, tag: 'trains' }, paging)
  expect(queries).toHaveLength(2)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    const details = plan.map(({ detail }) => detail).join('\n')
    expect(details).toMatch(/SEARCH pages USING INDEX sqlite_autoindex_pages_1 \(id=\?\)/)
    expect(details).toMatch(/SEARCH page_tags USING .*\(project_id=\? AND address=\?\)/)
  }
})

test('jobs that are due later cost the poll of a lane one look into an index', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  expect(await createJobQueue(reader).isDue({ name: 'domain-check' }, 'me', WHEN)).toBe(false)
  expect(queries).toHaveLength(1)
  const [{ sql, bindings } = expect.unreachable()] = [...queries]
  const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
    ...bindings,
  ])
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH jobs USING INDEX jobs_state_kind_due_at_seq_index (state=? AND kind=? AND due_at<?)',
  ])
})

const ACCOUNTS: readonly AuditFilter['of'][] = [
  { userId: 'aaaaaaaaaaaaaaaa' as UserId },
  { projectId: ANY.projectId },
]
const narrowed: readonly Partial<AuditFilter>[] = [
  {},
  { act: 'page.publish' },
  { createdAfter: WHEN },
  { createdBefore: WHEN, act: 'key.create' },
]

test.each(ACCOUNTS.flatMap((of) => narrowed.map((filter) => ({ of, filter }))))(
  'the audit log of $of, filtered by $filter, is read and counted in an index, without sorting',
  async ({ of, filter }) => {
    const { reader, writer } = await newDatabase()
    onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
    const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
    reader.on('query', (query) => queries.push(query))
    const all = { of, act: null, createdAfter: null, createdBefore: null }
    await createAuditRepository(reader).list({ ...all, ...filter }, { limit: 25, offset: 500 })
    expect(queries).toHaveLength(2)
    for (const [i, { sql, bindings }] of [...queries].entries()) {
      const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
        ...bindings,
      ])
      const covering = i === 0 ? '' : 'COVERING '
      const index = /audit_log_(user|project)_id_created_at_seq_act_index \((user|project)_id=\?/
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(new RegExp(`^SEARCH audit_log USING ${covering}INDEX ${index.source}`)),
      ])
    }
  },
)

test('pruning the audit log reads its oldest rows only', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: string[] = []
  reader.on('query', ({ sql }) => queries.push(sql))
  expect(await createAuditRepository(reader).prune(WHEN)).toBe(false)
  expect(queries).toHaveLength(1)
  const plan: readonly { readonly detail: string }[] = await reader.raw(
    `EXPLAIN QUERY PLAN ${queries[0]}`,
    [500],
  )
  // In the order of the table itself, so that the limit ends it.
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN audit_log'])
})

test('the look-up of a key reads no keys of other users', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))

  await createKeyRepository(reader).findByHash('hash', WHEN)
  await createKeyRepository(reader).plansOf('aaaaaaaaaaaaaaaa' as UserId, WHEN)
  const ofValid = queries.filter(({ sql }) => sql.includes('valid'))
  expect(ofValid.length).toBeGreaterThan(1)
  for (const { sql, bindings } of [...ofValid]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    const details = plan.map(({ detail }) => detail)
    expect(details.join()).toMatch(/SEARCH valid USING INDEX \w+ \(user_id=\?\)/)
    expect(details.filter((detail) => detail.startsWith('SCAN'))).toEqual([])
  }
})

test('each look-up of a request with a session, and of a sign-in, uses an index', async () => {
  const { reader, writer } = await newDatabase()
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))

  const userId = 'aaaaaaaaaaaaaaaa' as UserId
  await createSessionRepository(reader).findByHash('hash')
  await createSessionRepository(reader).list(userId)
  await createUserRepository(reader).credentials('ada@example.com')
  await createSetUpLinkRepository(reader).findByHash('hash', WHEN)
  await createSignInAttemptRepository(reader).nthNewest({ address: '192.0.2.1' }, 20, WHEN)
  await createSignInAttemptRepository(reader).nthNewest({ accountHash: 'hash' }, 20, WHEN)
  await createSecondFactorRepository(reader).find(userId)
  expect(queries).toHaveLength(7)
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    expect(plan.map(({ detail }) => detail).join()).toMatch(/^SEARCH \w+ USING /)
  }
})

test('a host is looked up in an index, by both names of a site at once', async () => {
  const { reader, close } = await newDatabase()
  onTestFinished(close)
  const queries: Knex.Sql[] = []
  reader.on('query', (query) => queries.push(query))
  await createProjectRepository(reader).findByHost({ customDomain: 'www.acme.com' })
  expect(queries).toHaveLength(1)
  const [{ sql, bindings }] = queries as [Knex.Sql]
  const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
    ...bindings,
  ])
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH projects USING INDEX projects_served_domain (domain_key=?)',
  ])
})

test('changes of a project, and those without a number, are looked up in indexes of their own', async () => {
  const { reader, close } = await newDatabase()
  onTestFinished(close)
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const changes = createChangeRepository(reader)
  await changes.state(ANY.projectId)
  await changes.list(ANY.projectId, { after: 7, records: ['page'], limit: 100 })
  await changes.pending(10)
  expect(queries).toHaveLength(3)
  const details: string[] = []
  for (const { sql, bindings } of [...queries]) {
    const plan: readonly { readonly detail: string }[] = await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [
      ...bindings,
    ])
    details.push(...plan.map(({ detail }) => detail).filter((detail) => detail.includes('changes')))
  }
  expect(details).toEqual([
    'SEARCH changes USING COVERING INDEX changes_numbered (project_id=? AND seq>?)',
    'SEARCH changes USING INDEX changes_pending (project_id=?)',
    'SEARCH changes USING INDEX changes_numbered (project_id=? AND seq>?)',
    'SCAN changes USING INDEX changes_pending',
  ])
})
