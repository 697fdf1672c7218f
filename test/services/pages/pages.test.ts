import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/caller.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import type { PageContent } from '../../../src/domain/page.ts'
import { createPublishingService } from '../../../src/services/publishing/publishing.ts'
import { createSchedulingService } from '../../../src/services/publishing/scheduling.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
let caller: Caller
let project: ProjectId
beforeEach(async () => {
  fixture = await createServiceFixture()
  caller = await fixture.newCaller()
  project = (await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))).project.id
})
afterEach(() => fixture.close())

const draft = (slug: string, changes: Partial<PageContent> = {}): PageContent => ({
  title: slug,
  slug,
  subroute: 'docs',
  type: 'docs',
  description: '',
  ogImageUrl: null,
  meta: {},
  config: {},
  markdown: 'Text.',
  ownFields: {},
  ...changes,
})
const create = (slug: string, changes: Partial<PageContent> = {}) =>
  fixture.pages.create(caller, project, () => draft(slug, changes))
const update = (id: string, edit: object, status: 'draft' | 'published' | 'archived' | null = null) =>
  fixture.pages.update(caller, id, ['write'], () => ({ edit, status }))

test('a new page is a draft of version 1', async () => {
  const { page } = await create('install')
  expect(page).toMatchObject({ status: 'draft', version: 1, publishedAt: null, wordCount: 1 })
})

test('a slug is unique within its subroute', async () => {
  await create('install')
  expect(await errorOf(create('install'))).toBe('conflict')
  expect(await errorOf(create('install', { subroute: 'help' }))).toBe('no error')
})

test('the body of a request is not read before the project is known to be the caller’s', async () => {
  const stranger = await fixture.newCaller()
  const read = () => {
    throw new RangeError('The body was read.')
  }
  expect(await errorOf(fixture.pages.create(stranger, project, read))).toBe('not_found')
})

test('a parent must be a docs page of the same project, and not a descendant', async () => {
  const { page: article } = await create('news', { type: 'article' })
  const { page: top } = await create('top')
  const { page: child } = await create('child', { ownFields: { parentPage: top.id } })
  const under = (parentPage: typeof top.id) => update(top.id, { ownFields: { parentPage } })
  expect(await errorOf(under(article.id))).toBe('validation_error')
  expect(await errorOf(under(child.id))).toBe('validation_error')
  expect(await errorOf(under(top.id))).toBe('validation_error')
})

test('a parent that was deleted reads as null', async () => {
  const { page: top } = await create('top')
  const { page: child } = await create('child', { ownFields: { parentPage: top.id } })
  await fixture.db.write(({ pages }) => pages.update({ ...top, type: 'article' }))
  expect((await fixture.pages.get(caller, child.id)).fields.parentPage).toBeNull()
})

test('an edit without a field changes neither version nor time', async () => {
  const { page } = await create('install')
  fixture.clock.now = '2026-02-02T00:00:00.000Z'
  expect((await update(page.id, {})).page).toEqual(page)
})

test('an edit changes the named fields, the version and the time', async () => {
  const { page } = await create('install')
  const { page: edited } = await update(page.id, { title: 'Set up' })
  expect(edited).toMatchObject({ title: 'Set up', markdown: 'Text.', version: 2 })
  expect(edited.updatedAt > page.updatedAt).toBe(true)
})

test('an edit with the status published is stored and enqueued as a release', async () => {
  const { page } = await create('install')
  await update(page.id, { title: 'Set up' }, 'published')
  const [awaited = expect.unreachable()] = fixture.finished
  const release = await fixture.db.read.releases.find(awaited.id)
  expect(release).toMatchObject({
    op: 'publish',
    state: 'queued',
    strict: false,
    snapshot: { page: { title: 'Set up' } },
  })
  expect((await fixture.pages.get(caller, page.id)).page.title).toBe('Set up')
})

test('a draft becomes archived without a release, and its schedule is cancelled', async () => {
  const { page } = await create('install')
  const scheduling = createSchedulingService(fixture.context)
  const options = { publishAt: '2027-01-01T00:00:00.000Z', strict: false }
  const { job } = await scheduling.schedule(caller, page.id, () => options)
  expect((await update(page.id, {}, 'archived')).page.status).toBe('archived')
  expect(fixture.finished).toEqual([])
  const cancelled = await fixture.db.read.jobs.find(job?.id ?? expect.unreachable())
  expect(cancelled?.state).toBe('cancelled')
})

test('unpublishing a draft is refused, and deleting it needs no publish permission', async () => {
  const publishing = createPublishingService({ ...fixture.context, originals: { wake() {} } })
  const { page } = await create('install')
  expect(await errorOf(publishing.unpublish(caller, page.id))).toBe('not_published')
  const writer: Caller = { ...caller, permissions: ['read', 'write'] }
  expect(await errorOf(publishing.remove(writer, page.id))).toBe('no error')
  expect(await errorOf(publishing.publish(writer, page.id))).toBe('forbidden')
})

test('only an archived project can be deleted', async () => {
  const publishing = createPublishingService({ ...fixture.context, originals: { wake() {} } })
  expect(await errorOf(publishing.removeProject(caller, project))).toBe('conflict')
})
