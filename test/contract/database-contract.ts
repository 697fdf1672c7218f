import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { PageFilter, PageSort } from '../../src/db/repositories/pages.ts'
import type { Database } from '../../src/db/repositories.ts'
import { newDomainProof } from '../../src/domain/domain-proof.ts'
import type { KeyId, PageId, ProjectId, UserId } from '../../src/domain/ids.ts'
import { NEVER_INVITED } from '../../src/domain/member.ts'
import { newPage, type Page, type PageDraft } from '../../src/domain/page.ts'
import type { Paging } from '../../src/domain/paging.ts'
import { DEFAULT_HOSTING, type Project } from '../../src/domain/project.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts'
import { afterTry, cancelledDelivery, type NewEvent, type Webhook } from '../../src/domain/webhook.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { runs } from '../support/long-form.ts'
import { testAssetsContract } from './assets-contract.ts'
import { testAuditContract } from './audit-contract.ts'
import { testChangesContract } from './changes-contract.ts'
import { testMembersContract } from './members-contract.ts'
import { testSessionsContract } from './sessions-contract.ts'
import { testVisitsContract } from './visits-contract.ts'

const NOW = '2026-01-02T03:04:05.678Z'

/**
 * Tests every promise of `db/repositories.ts`. Call it once per database.
 *
 * @param create returns an empty, migrated database; called once per test.
 */
export function testDatabaseContract(create: () => Promise<Database>): void {
  let db: Database
  afterEach(() => db.close())

  async function withProject(): Promise<ProjectId> {
    db = await create()
    return db.write(async ({ users, projects }) => {
      const userId = newId<'usr'>()
      await users.insert({ id: userId, email: 'ada@example.com', canCreateProjects: true, createdAt: NOW })
      return (await projects.insert(project(userId))).id
    })
  }

  const insert = (page: Page) => db.write(({ pages }) => pages.insert(page, newId<'usr'>()))

  testMembersContract(async () => ({ projectId: await withProject(), db }))
  testAssetsContract(async () => ({ projectId: await withProject(), db }))
  testAuditContract(async () => ({ projectId: await withProject(), db }))
  testChangesContract(async () => ({ projectId: await withProject(), db }))
  testSessionsContract(async () => (db = await create()))
  testVisitsContract(async () => ({ projectId: await withProject(), db }))

  describe('webhooks', () => {
    const sealed = (text: string, masterKeyId = 'old') => ({ sealed: text, masterKeyId })
    const at = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString()
    const made = (now = NOW) => ({ newId, now })
    const published: NewEvent = { type: 'page.published', timestamp: NOW, data: { page_id: 'page_1' } }

    async function withWebhook(fields: Partial<Webhook> = {}): Promise<Webhook> {
      const projectId = await withProject()
      const webhook: Webhook = {
        id: newId<'whk'>(),
        projectId,
        url: 'https://example.com/',
        events: ['page.published'],
        description: '',
        active: true,
        coalesceSeconds: 0,
        failingSince: null,
        offReason: null,
        createdAt: NOW,
        version: 1,
        ...fields,
      }
      await db.write(({ webhooks }) => webhooks.insert(webhook, sealed('first')))
      return webhook
    }
    const announce = ({ projectId }: Webhook, events: readonly NewEvent[], now = NOW) =>
      db.write(({ webhooks }) => webhooks.enqueueEvents(projectId, events, made(now)))
    const sent = async ({ id }: Webhook) =>
      (await db.read.webhooks.deliveries(id, { state: null, limit: 100, offset: 0 })).items

    test('an event enqueues one delivery and one due job for each subscribed webhook', async () => {
      const webhook = await withWebhook()
      await announce(webhook, [published, { ...published, type: 'page.unpublished' }])
      const [delivery = expect.unreachable(), ...others] = await sent(webhook)
      expect(others).toEqual([])
      expect(delivery).toMatchObject({ state: 'pending', nextAt: NOW, type: 'page.published', tries: [] })
      expect(JSON.parse(delivery.body)).toEqual(published)
      const taken = await db.write(({ jobs }) =>
        jobs.claim({ name: 'delivery', perSubject: 1 }, 'us', 9, NOW),
      )
      expect(taken.map(({ job }) => [job.subject, job.payload])).toEqual([[webhook.id, delivery.id]])
    })

    test('a webhook that is disabled, deleted or of another project receives nothing', async () => {
      const webhook = await withWebhook({ active: false })
      await announce(webhook, [published])
      expect(await sent(webhook)).toEqual([])
      const on = { ...webhook, active: true }
      await db.write(({ webhooks }) => webhooks.update(on))
      await db.write(({ webhooks }) => webhooks.enqueueEvents(newId<'proj'>(), [published], made()))
      expect(await sent(webhook)).toEqual([])
      await announce(on, [published])
      const [delivery = expect.unreachable()] = await sent(on)
      expect(await db.read.webhooks.findSending(delivery.id)).toEqual({ webhook: on, delivery })
      await db.write(({ webhooks }) => webhooks.delete(on.id))
      expect(await db.read.webhooks.findSending(delivery.id)).toBeNull()
    })

    test('a batch collects events until its window closes, at most 100', async () => {
      const webhook = await withWebhook({ coalesceSeconds: 60 })
      await announce(webhook, Array(150).fill(published))
      await announce(webhook, Array(60).fill(published))
      await announce(webhook, [published], at(1))
      const sizes = (await sent(webhook)).map(({ body }) => JSON.parse(body).data.events.length)
      expect(sizes.sort()).toEqual([1, 10, 100, 100])
    })

    test('a batch that is closed collects no more events, whatever the clock says, and stays closed', async () => {
      const webhook = await withWebhook({ coalesceSeconds: 60 })
      await announce(webhook, [published, published])
      const [batch = expect.unreachable()] = await sent(webhook)
      const closed = await db.write(({ webhooks }) => webhooks.closeBatch(batch.id))
      expect(closed).toEqual({ webhook, delivery: batch })
      await announce(webhook, [published])
      const sizes = async () =>
        (await sent(webhook)).map(({ body }) => JSON.parse(body).data.events.length).sort()
      expect(await sizes()).toEqual([1, 2])
      const again = { ...batch, nextAt: at(1) }
      await db.write(({ webhooks }) => webhooks.enqueueAgain(webhook, again, made()))
      await announce(webhook, [published])
      expect(await sizes()).toEqual([2, 2])
      await db.write(({ webhooks }) => webhooks.delete(webhook.id))
      expect(await db.write(({ webhooks }) => webhooks.closeBatch(batch.id))).toBeNull()
    })

    test('an attempt is recorded once, however many processes report it', async () => {
      const webhook = await withWebhook()
      await announce(webhook, [published])
      const [delivery = expect.unreachable()] = await sent(webhook)
      const before = { webhook, delivery }
      const one = {
        at: NOW,
        ms: 1,
        status: 500,
        answer: '',
        error: 'The receiver answered 500.',
        retryAfter: null,
      }
      const after = afterTry(before, one, 0)
      expect(await db.write(({ webhooks }) => webhooks.recordTry(before, after))).toBe(true)
      expect(await db.write(({ webhooks }) => webhooks.recordTry(before, after))).toBe(false)
      expect(await db.read.webhooks.findSending(delivery.id)).toEqual(after)
    })

    test('a replaced secret is valid until it expires, and is resealed with the current one', async () => {
      const { id } = await withWebhook()
      await db.write(({ webhooks }) => webhooks.replaceSecret(id, sealed('second'), at(1), NOW))
      const secrets = async (now: string) =>
        (await db.read.webhooks.secrets(id, now)).map((one) => one.sealed)
      expect(await secrets(NOW)).toEqual(['second', 'first'])
      expect(await secrets(at(1))).toEqual(['second'])
      const old = await db.read.webhooks.findSecretsSealedByOther('new', 9)
      expect(old.map((one) => one.sealed).sort()).toEqual(['first', 'second'])
      for (const secret of old)
        await db.write(({ webhooks }) =>
          webhooks.resealSecret(secret, sealed(`${secret.sealed} resealed`, 'new')),
        )
      expect(await secrets(NOW)).toEqual(['second resealed', 'first resealed'])
      expect(await db.read.webhooks.findSecretsSealedByOther('new', 9)).toEqual([])
    })

    test('deliveries are deleted 30 days after their end, pending ones never', async () => {
      const webhook = await withWebhook()
      await announce(webhook, [published, published])
      const [delivery = expect.unreachable()] = await sent(webhook)
      await db.write(({ webhooks }) =>
        webhooks.recordTry({ webhook, delivery }, { webhook, delivery: cancelledDelivery(delivery, NOW) }),
      )
      const prune = (now: string) => db.write(({ webhooks }) => webhooks.prune(now))
      expect(await prune(at(30))).toBe(false)
      expect(await sent(webhook)).toHaveLength(2)
      await prune(at(31))
      expect((await sent(webhook)).map(({ state }) => state)).toEqual(['pending'])
    })
  })

  describe('users', () => {
    test('an e-mail address belongs to one user in every spelling, whichever writes came at once', async () => {
      db = await create()
      const spellings = [
        'ada@bücher.example',
        'Ada@BÜCHER.example',
        'ada@xn--bcher-kva.example',
        'ADA@bücher。example',
      ]
      const writes = await Promise.allSettled(
        spellings.map((email) =>
          db.write(({ users }) =>
            users.insert({ id: newId<'usr'>(), email, canCreateProjects: false, createdAt: NOW }),
          ),
        ),
      )
      const refused = writes.flatMap((write) => (write.status === 'rejected' ? [write.reason.name] : []))
      expect(refused).toEqual(['conflict', 'conflict', 'conflict'])
      expect(await db.read.users.list()).toHaveLength(1)
    })

    test('a user who is merged into another one leaves nothing but the id, and the other one has everything', async () => {
      const projectId = await withProject()
      const [into, from] = [newId<'usr'>(), newId<'usr'>()]
      await db.write(async ({ users, projects, members }) => {
        await users.insert({ id: into, email: 'kim@example.com', canCreateProjects: false, createdAt: NOW })
        await users.insert({ id: from, email: 'kai@example.com', canCreateProjects: false, createdAt: NOW })
        for (const [userId, role] of [
          [into, 'viewer'],
          [from, 'editor'],
        ] as const)
          await members.insert({
            ...{ id: newId<'mem'>(), projectId, email: `${role}@example.com`, userId, role },
            ...NEVER_INVITED,
            ...{ createdAt: NOW, updatedAt: NOW, version: 1 },
          })
        await users.move(from, into)
        await users.erase(from, NOW)
        expect(await members.roleOf(projectId, into)).toBe('editor')
        expect((await members.list(projectId)).map(({ email }) => email)).toEqual([
          'ada@example.com',
          'kim@example.com',
        ])
        expect(await users.find(from)).toBeNull()
        expect(await users.findByAddress('kai@example.com')).toBeNull()
        const before = (await projects.find(projectId))?.project.version ?? 0
        await projects.transfer(projectId, into)
        expect(await projects.find(projectId)).toMatchObject({
          project: { userId: into, version: before + 1 },
        })
        expect(await members.list(projectId)).toMatchObject([{ userId: into, role: 'owner' }])
      })
    })

    test('a user is found by the address and by the id', async () => {
      db = await create()
      const user = { id: newId<'usr'>(), email: 'ada@example.com', canCreateProjects: false, createdAt: NOW }
      await db.write(({ users }) => users.insert(user))
      const found = { ...user, verifiedAt: null, lockedAt: null, browsersKnownAfter: null }
      expect(await db.read.users.findByAddress('ADA@Example.com')).toEqual(found)
      expect(await db.read.users.first()).toEqual(found)
      expect(await db.read.users.find(newId())).toBeNull()
    })
  })

  describe('projects', () => {
    test('a slug is unique per owner, and free for other owners', async () => {
      const id = await withProject()
      const owner = (await db.read.projects.find(id))?.project.userId ?? expect.unreachable()
      const slugs = await db.write(async ({ users, projects }) => {
        const other = newId<'usr'>()
        await users.insert({ id: other, email: 'bob@example.com', canCreateProjects: true, createdAt: NOW })
        const made = []
        for (const userId of [owner, owner, other]) made.push((await projects.insert(project(userId))).slug)
        return made
      })
      expect(slugs).toEqual(['site-2', 'site-3', 'site'])
    })

    test('a domain, with or without www., and a subdomain belong to one project of a user', async () => {
      const id = await withProject()
      const owner = (await db.read.projects.find(id))?.project.userId ?? expect.unreachable()
      const second = await db.write(({ projects }) => projects.insert(project(owner)))
      const hosting = { customDomain: 'docs.example.com', subdomain: 'docs' }
      const domainProof = newDomainProof('pending', NOW)
      await db.write(({ projects }) => projects.update(id, { hosting, domainProof }, NOW))
      for (const [name, value] of Object.entries({ ...hosting, customDomain: 'www.docs.example.com' })) {
        const taking = db.write(({ projects }) =>
          projects.update(second.id, { hosting: { [name]: value }, domainProof }, NOW),
        )
        await expect(taking).rejects.toMatchObject({ name: 'conflict' })
      }
    })

    test('a host finds its project in any status until the project is deleted', async () => {
      const id = await withProject()
      const hosting = { customDomain: 'docs.example.com', subdomain: 'docs', basePath: '/help' }
      const domainProof = newDomainProof('active', NOW)
      await db.write(({ projects }) =>
        projects.update(id, { hosting, domainProof, status: 'suspended' }, NOW),
      )
      const hosts = [
        { customDomain: 'docs.example.com' },
        { customDomain: 'www.docs.example.com' },
        { subdomain: 'docs' },
      ]
      for (const host of hosts) {
        expect(await db.read.projects.findByHost(host)).toEqual({
          id,
          status: 'suspended',
          hosting: { mode: 'full_host', basePath: '/help', customDomain: 'docs.example.com' },
        })
      }
      for (const host of [{ customDomain: 'docs' }, { subdomain: 'docs.example.com' }, { subdomain: '' }])
        expect(await db.read.projects.findByHost(host)).toBeNull()
      await db.write(({ projects }) => projects.markDeleted(id, NOW))
      for (const host of hosts) expect(await db.read.projects.findByHost(host)).toBeNull()
    })

    test('a domain is served by the one project whose proof is active', async () => {
      const id = await withProject()
      const [hosting, customDomain] = [{ customDomain: 'docs.example.com' }, 'docs.example.com']
      const second = await db.write(async ({ users, projects }) => {
        const other = newId<'usr'>()
        await users.insert({ id: other, email: 'eve@example.com', canCreateProjects: true, createdAt: NOW })
        return projects.insert(project(other))
      })
      const [pending, active] = [newDomainProof('pending', NOW), newDomainProof('active', NOW)]
      for (const each of [id, second.id])
        await db.write(({ projects }) => projects.update(each, { hosting, domainProof: pending }, NOW))
      expect(await db.read.projects.findByHost({ customDomain })).toBeNull()
      expect(await db.read.projects.domainHolders(customDomain)).toEqual([])

      const before = await db.read.projects.find(second.id)
      await db.write(({ projects }) => projects.setDomainProof(second.id, active))
      expect(await db.read.projects.find(second.id)).toEqual({ ...before, domainProof: active })
      expect(await db.read.projects.findByHost({ customDomain })).toMatchObject({ id: second.id })
      for (const domain of [customDomain, `www.${customDomain}`])
        expect(await db.read.projects.domainHolders(domain)).toEqual([{ id: second.id, proof: active }])
      const proving = db.write(({ projects }) => projects.setDomainProof(id, active))
      await expect(proving).rejects.toMatchObject({ name: 'conflict' })
    })

    test('an update changes the given fields, the time and the version', async () => {
      const id = await withProject()
      await db.write(({ projects }) =>
        projects.update(id, { name: 'New', hosting: { cdnEnabled: false } }, '2027-01-01T00:00:00.000Z'),
      )
      expect((await db.read.projects.find(id))?.project).toMatchObject({
        name: 'New',
        slug: 'site',
        version: 2,
        updatedAt: '2027-01-01T00:00:00.000Z',
        hosting: { ...DEFAULT_HOSTING, cdnEnabled: false },
      })
    })
  })

  describe('settings', () => {
    test('a new project has the defaults', async () => {
      const id = await withProject()
      expect((await db.read.settings.find(id)).settings).toEqual(DEFAULT_SETTINGS)
    })

    test('concurrent writers of different fields do not overwrite each other', async () => {
      const id = await withProject()
      const writes = Array.from({ length: 64 }, (_, i) =>
        db.write(({ settings }) =>
          settings.update(
            id,
            i % 2 === 0 ? { footerText: `f${i}` } : { siteRoutes: { docs: `/d${i}` }, metaTitle: `m${i}` },
            NOW,
          ),
        ),
      )
      await Promise.all(writes)
      const { settings, version } = await db.read.settings.find(id)
      expect(version).toBe(65)
      expect(settings).toMatchObject({
        footerText: expect.stringMatching(/^f/),
        metaTitle: expect.stringMatching(/^m/),
        siteRoutes: { docs: expect.stringMatching(/^\/d/) },
      })
    })
  })

  describe('pages', () => {
    test('a page reads back as it was written, whatever text it holds', async () => {
      const projectId = await withProject()
      // U+0000 is refused before it gets here: PostgreSQL does not store it.
      const withoutNul = (value: string) => value.replaceAll('\0', '')
      const text = fc.string({ unit: 'binary' }).map(withoutNul)
      const drafts = fc.record({ title: text, description: text, markdown: text, value: fc.jsonValue() })
      let n = 0
      await fc.assert(
        fc.asyncProperty(drafts, async ({ value, ...fields }) => {
          const page = aPage(projectId, {
            ...fields,
            slug: `p${n++}`,
            config: { value: JSON.parse(JSON.stringify(value)) },
          })
          await insert(page)
          expect((await db.read.pages.find(page.id))?.page).toEqual(page)
        }),
        { numRuns: runs(50) },
      )
    })

    test('large settings are read after their bytes are reserved, and small ones without', async () => {
      const projectId = await withProject()
      const reserved: number[] = []
      const find = () => db.read.settings.find(projectId, (bytes) => void reserved.push(bytes))
      await find()
      expect(reserved).toEqual([])
      await db.write(({ settings }) => settings.update(projectId, { customCss: 'é'.repeat(50_000) }, NOW))
      expect((await find()).settings.customCss).toHaveLength(50_000)
      expect(reserved).toHaveLength(1)
      expect(reserved[0]).toBeGreaterThanOrEqual(100_000)
    })

    test('the content of a large page is read after its bytes are reserved, and only then', async () => {
      const projectId = await withProject()
      const large = aPage(projectId, { slug: 'large', markdown: 'é'.repeat(100_000) })
      const small = aPage(projectId, { slug: 'small', markdown: 'é' })
      await insert(large)
      await insert(small)
      const reserved: number[] = []
      const reserve = (bytes: number) => void reserved.push(bytes)
      expect((await db.read.pages.find(small.id, reserve))?.page).toEqual(small)
      expect(reserved).toEqual([])
      expect((await db.read.pages.find(large.id, reserve))?.page).toEqual(large)
      expect(reserved).toHaveLength(1)
      expect(reserved[0]).toBeGreaterThan(200_000)
      const refuse = () => {
        throw new RangeError('No room.')
      }
      await expect(db.read.pages.find(large.id, refuse)).rejects.toThrow('No room.')
    })

    test('a list with content reads as many pages as fit, in its order, after their bytes are reserved', async () => {
      const projectId = await withProject()
      const pages = ['c', 'a', 'd', 'b'].map((slug) =>
        aPage(projectId, { slug, markdown: slug.repeat(3 * 2 ** 20) }),
      )
      for (const page of pages) await insert(page)
      const reserved: number[] = []
      const order = { sort: 'slug', order: 'asc', limit: 100 } as const
      const list = (offset: number) =>
        db.read.pages.listWithContent(
          filter(projectId),
          { ...order, offset },
          (bytes) => void reserved.push(bytes),
        )
      const [first, rest] = [await list(0), await list(2)]
      expect([first, rest].map(({ items }) => items.map(({ slug }) => slug))).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ])
      expect([first.total, rest.total]).toEqual([4, 4])
      expect(reserved.map((bytes) => Math.floor(bytes / 2 ** 20))).toEqual([6, 6])
    })

    test('are created once by 50 concurrent creates of one address', async () => {
      const projectId = await withProject()
      const writes = Array.from({ length: 50 }, () => insert(aPage(projectId, { slug: 'same' })))
      const results = await Promise.allSettled(writes)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason.name] : []))).toEqual(
        Array(49).fill('conflict'),
      )
    })

    test('the same slug is free in another subroute and another project', async () => {
      const projectId = await withProject()
      await insert(aPage(projectId, { slug: 'same' }))
      await insert(aPage(projectId, { slug: 'same', subroute: 'docs' }))
      expect((await db.read.pages.list(filter(projectId), paging())).total).toBe(2)
    })

    test('a list shows what the filter matches, sorted, and every page of it exactly once', async () => {
      const projectId = await withProject()
      const slugs = ['alpha', 'alps', 'beta', 'gamma-1', 'gamma-2']
      for (const [i, slug] of slugs.entries()) {
        const type = i % 2 === 0 ? 'article' : 'docs'
        await insert(aPage(projectId, { slug, type, subroute: i < 3 ? '' : 'docs', title: 'Same title' }))
      }
      const list = async (given: Partial<PageFilter>, how: Partial<Paging<PageSort>> = {}) =>
        (
          await db.read.pages.list(filter(projectId, given), paging({ sort: 'slug', order: 'asc', ...how }))
        ).items.map(({ slug }) => slug)

      expect(await list({})).toEqual(slugs)
      expect(await list({}, { order: 'desc' })).toEqual([...slugs].reverse())
      expect(await list({ type: 'docs' })).toEqual(['alps', 'gamma-1'])
      expect(await list({ subroute: 'docs' })).toEqual(['gamma-1', 'gamma-2'])
      expect(await list({ slug: 'alp*' })).toEqual(['alpha', 'alps'])
      expect(await list({ slug: '*a*1' })).toEqual(['gamma-1'])
      expect(await list({ slug: 'al_s' })).toEqual([])
      expect(await list({ slug: '%' })).toEqual([])
      expect(await list({ createdAfter: NOW })).toEqual([])
      expect(await list({ createdBefore: '2027-01-01T00:00:00.000Z' })).toEqual(slugs)

      const seen = []
      for (let offset = 0; offset < slugs.length + 2; offset += 2) {
        seen.push(...(await list({}, { sort: 'page_name', limit: 2, offset })))
      }
      expect(seen.sort()).toEqual(slugs)
    })

    test('the statistics of a project are those of its pages', async () => {
      const projectId = await withProject()
      expect(await db.read.pages.stats(projectId)).toEqual({
        byStatus: { draft: 0, published: 0, archived: 0 },
        byType: { page: 0, article: 0, docs: 0, item: 0 },
        wordCount: 0,
        lastPublishedAt: null,
      })

      const parts = [
        ['article', 'published', '2026-01-02T00:00:00.000Z'],
        ['article', 'draft', '2026-01-03T00:00:00.000Z'],
        ['docs', 'draft', null],
        ['docs', 'draft', '2026-01-01T00:00:00.000Z'],
        ['item', 'archived', null],
      ] as const
      for (const [index, [type, status, publishedAt]] of parts.entries()) {
        const page = aPage(projectId, { slug: `page-${index}`, type })
        await insert({ ...page, status, publishedAt, wordCount: 10 ** index })
      }
      expect(await db.read.pages.stats(projectId)).toEqual({
        byStatus: { draft: 3, published: 1, archived: 1 },
        byType: { page: 0, article: 2, docs: 2, item: 1 },
        wordCount: 11_111,
        lastPublishedAt: '2026-01-03T00:00:00.000Z',
      })
    })
  })

  describe('usage', () => {
    test('counts add up per key and month, many at a time', async () => {
      db = await create()
      const keyIds = await someKeys(450)
      const usages = keyIds.map((keyId, i) => ({ keyId, month: '2026-11', requests: i + 1 }))
      await db.write(({ usage }) => usage.add(usages))
      await db.write(({ usage }) => usage.add(usages.slice(0, 2)))

      const [first = expect.unreachable(), second = expect.unreachable()] = keyIds
      const last = keyIds.at(-1) ?? expect.unreachable()
      const requests = (keyId: KeyId, month = '2026-11') => db.read.usage.requests({ keyId, month })
      expect(await Promise.all([first, second, last].map((keyId) => requests(keyId)))).toEqual([2, 4, 450])
      expect(await requests(first, '2026-12')).toBe(0)
    })

    async function someKeys(count: number): Promise<readonly KeyId[]> {
      const userId = newId<'usr'>()
      const key = {
        userId,
        projectScope: null,
        name: 'Key',
        plan: 'free',
        limits: null,
        permissions: ['read'],
      } as const
      const dates = { expiresAt: null, revokedAt: null, formerUntil: null, version: 1, createdAt: NOW }
      const ids = Array.from({ length: count }, () => newId<'key'>())
      await db.write(async ({ users, keys }) => {
        await users.insert({ id: userId, email: 'ada@example.com', canCreateProjects: true, createdAt: NOW })
        for (const id of ids) await keys.insert({ ...key, ...dates, id }, `hash of ${id}`)
      })
      return ids
    }
  })

  describe('a transaction', () => {
    test('leaves nothing behind when it fails', async () => {
      const projectId = await withProject()
      const failing = db.write(async ({ pages }) => {
        await pages.insert(aPage(projectId, {}), newId<'usr'>())
        throw new Error('No.')
      })
      await expect(failing).rejects.toThrow('No.')
      expect((await db.read.pages.list(filter(projectId), paging())).total).toBe(0)
    })

    test('never loses an update when it reads and then writes', async () => {
      const projectId = await withProject()
      const page = aPage(projectId, {})
      await insert(page)
      const count = () =>
        db.write(async ({ pages }) => {
          const found = await pages.find(page.id)
          if (found === null) return expect.unreachable()
          await pages.update({ ...found.page, version: found.page.version + 1 })
        })
      await Promise.all(Array.from({ length: 40 }, count))
      expect((await db.read.pages.find(page.id))?.page.version).toBe(41)
    })

    test('does not delay readers', async () => {
      const projectId = await withProject()
      let release: () => void = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const writing = db.write(async ({ pages }) => {
        await pages.insert(aPage(projectId, {}), newId<'usr'>())
        await held
      })
      expect((await db.read.pages.list(filter(projectId), paging())).total).toBe(0)
      release()
      await writing
      expect((await db.read.pages.list(filter(projectId), paging())).total).toBe(1)
    })
  })
}

function project(userId: UserId): Project {
  return {
    id: newId<'proj'>(),
    userId,
    name: 'Site',
    slug: 'site',
    status: 'active',
    context: '',
    legacySettings: {},
    hosting: DEFAULT_HOSTING,
    dataModeEnabledAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    version: 1,
  }
}

function aPage(projectId: ProjectId, fields: Partial<PageDraft>): Page {
  const draft: PageDraft = {
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
    ...fields,
  }
  return newPage(draft, {
    id: newId<'page'>() as PageId,
    now: NOW,
    derive: () => ({ wordCount: 0, tags: [], feedGuid: null, contentDigest: 'x' }),
  })
}

function filter(projectId: ProjectId, given: Partial<PageFilter> = {}): PageFilter {
  return {
    projectId,
    type: null,
    status: null,
    subroute: null,
    slug: null,
    tag: null,
    createdAfter: null,
    createdBefore: null,
    updatedAfter: null,
    updatedBefore: null,
    ...given,
  }
}

function paging(given: Partial<Paging<PageSort>> = {}): Paging<PageSort> {
  return { sort: 'created_at', order: 'desc', limit: 25, offset: 0, ...given }
}
