import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { readId } from '../../src/domain/ids.ts'
import { randomId } from '../../src/services/new-id.ts'
import { runs } from '../support/long-form.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Answer, type CallOptions, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
/** Ids that the service may still make before it fails; null for no failure. */
let idsLeft: number | null = null

beforeAll(async () => {
  service = await startService({
    env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' },
    newId: () => {
      if (idsLeft === 0) throw new Error('The process was killed here.')
      if (idsLeft !== null) idsLeft -= 1
      return randomId()
    },
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  idsLeft = null
  project = await service.newProject()
})

const bulk = (items: readonly unknown[], rest: object = {}, options: CallOptions = {}, query = '') =>
  service.call('POST', `/projects/${project}/pages/bulk${query}`, { items, ...rest }, options)
const fields = (slug: string, rest: object = {}) => ({
  title: slug,
  slug,
  subroute: '',
  type: 'article',
  ...rest,
})
const create = (slug: string, rest: object = {}) => ({ op: 'create', page: fields(slug, rest) })
interface Result {
  readonly statusCode: number
  readonly error: { readonly name: string; readonly errors: readonly { readonly field: string }[] } | null
}
const slugs = async () => {
  const { body } = await service.call('GET', `/pages?project_id=${project}&limit=100&sort=slug&order=asc`)
  return body.data.map(({ slug }: { slug: string }) => slug)
}
const outcomes = ({ body }: Answer) => {
  const { created, updated, unchanged, failed } = body.data
  return { created, updated, unchanged, failed }
}

test('creates, updates and finds pages in the order of the items', async () => {
  const first = await bulk([create('one', { type: 'docs' }), create('two')])
  expect(first.status).toBe(200)
  const [one] = first.body.data.items
  expect(one).toMatchObject({ index: 0, statusCode: 201, version: 1, error: null })
  expect(one.url).toMatch(/\/one$/)

  const answer = await bulk([
    { op: 'update', id: one.id, if_match: 1, page: { title: 'First' } },
    { op: 'upsert', page: fields('TWO', { title: 'two' }) },
    { op: 'upsert', page: fields('three') },
    { op: 'update', id: one.id, if_match: 2, page: { title: 'First again' } },
  ])
  expect(outcomes(answer)).toEqual({ created: 1, updated: 2, unchanged: 1, failed: 0 })
  expect(answer.body.data.items.map((item: { statusCode: number }) => item.statusCode)).toEqual([
    200, 200, 201, 200,
  ])
  expect((await service.call('GET', `/pages/${one.id}`)).body.data.page_name).toBe('First again')
  expect(await slugs()).toEqual(['one', 'three', 'two'])
})

test('an item names the page of an earlier item as its parent', async () => {
  const { body } = await bulk([
    { ...create('guide', { type: 'docs' }), ref: 'guide' },
    create('install', { type: 'docs', subroute: 'guide', parent_page: { ref: 'guide' } }),
    create('lost', { type: 'docs', parent_page: { ref: 'later' } }),
    { ...create('later', { type: 'docs' }), ref: 'later' },
    { ...create('guide', { type: 'docs' }), ref: 'twin' },
    create('orphan', { type: 'docs', parent_page: { ref: 'twin' } }),
  ])
  const [guide, install, lost, , , orphan] = body.data.items
  expect((await service.call('GET', `/pages/${install.id}`)).body.data.parent_page).toBe(guide.id)
  expect(lost.error).toMatchObject({
    name: 'validation_error',
    errors: [{ field: 'items[2].page.parent_page' }],
  })
  expect(orphan.error.message).toBe('items[5].page.parent_page: refers to an item that failed.')
})

test('an invalid item stops no other, and its error names its fields', async () => {
  const id = (await bulk([create('known')])).body.data.items[0].id
  const answer = await bulk([
    { op: 'create', page: { ...fields('a'), title: '', colour: 'red' } },
    { op: 'create', page: {} },
    { op: 'update', id, if_match: 7, page: { title: 'Stale' } },
    { op: 'update', id: 'page_aaaaaaaaaaaaaaaa', page: {} },
    { op: 'update', id, page: { status: 'published' } },
    { op: 'update', id, page: { status: 'draft', title: 'Sent back' } },
    { op: 'remove', page: {} },
    { op: 'update', page: {}, surplus: 1 },
    create('known'),
    'text',
    create('fine'),
  ])
  expect(answer.status).toBe(200)
  expect(outcomes(answer)).toEqual({ created: 1, updated: 1, unchanged: 0, failed: 9 })
  expect(
    answer.body.data.items.map(({ statusCode, error }: Result) => [
      statusCode,
      error?.name ?? null,
      error?.errors.map(({ field }: { field: string }) => field) ?? null,
    ]),
  ).toEqual([
    [422, 'validation_error', ['items[0].page.title', 'items[0].page.colour']],
    [
      422,
      'missing_required_field',
      ['items[1].page.title', 'items[1].page.slug', 'items[1].page.subroute', 'items[1].page.type'],
    ],
    [412, 'precondition_failed', []],
    [404, 'not_found', []],
    [422, 'validation_error', ['items[4].page.status']],
    [200, null, null],
    [422, 'validation_error', ['items[6].op']],
    [422, 'missing_required_field', ['items[7].id', 'items[7].surplus']],
    [400, 'conflict', ['items[8].page.slug']],
    [422, 'validation_error', ['items[9]']],
    [201, null, null],
  ])
})

test('a request that is wrong as a whole writes nothing', async () => {
  const twice = await bulk([
    { ...create('a'), ref: 'x' },
    { ...create('b'), ref: 'x' },
  ])
  expect(twice).toMatchObject({ status: 422, body: { name: 'validation_error' } })
  expect(twice.body.message).toBe('items[1].ref: another item has this name.')
  expect((await bulk([])).status).toBe(422)
  expect((await bulk(Array.from({ length: 501 }, (_, i) => create(`n${i}`)))).status).toBe(422)
  expect((await bulk([create('a')], { atomic: 'yes' })).status).toBe(422)
  expect((await bulk([create('a')], {}, {}, '?return=half')).status).toBe(422)
  expect(await slugs()).toEqual([])
})

test('a page of another project is not found, and a suspended role writes nothing', async () => {
  const other = await service.newProject()
  const { id } = (await service.call('POST', '/pages', { project_id: other, ...fields('there') })).body.data
  const { body } = await bulk([{ op: 'update', id, page: { title: 'Here' } }])
  expect(body.data.items[0].error.name).toBe('not_found')
  const scoped = await service.newKey({ project: readId('proj', project) ?? undefined } as object)
  const answer = await bulk([{ op: 'update', id, page: { title: 'Here' } }], {}, { key: scoped })
  expect(answer.body.data.items[0].error.name).toBe('project_scope_violation')
})

test('return=full adds the page to each result', async () => {
  const { body } = await bulk(
    [create('one', { markdown_content: '# One' }), { op: 'create', page: {} }],
    {},
    {},
    '?return=full',
  )
  const [one, failed] = body.data.items
  expect(one.page).toMatchObject({ id: one.id, title: 'one', markdown_content: '# One' })
  expect(failed.page).toBeNull()
})

describe('atomic', () => {
  test('one invalid item of 500 leaves no trace', async () => {
    const key = await service.newKey({ permissions: PERMISSIONS })
    const rows = async () =>
      (await service.call('GET', `/projects/${project}/audit`, undefined, { key })).body.meta.total
    const before = await rows()
    const items = Array.from({ length: 500 }, (_, i) => create(i === 321 ? 'slug-7' : `slug-${i}`))
    const answer = await bulk(items, { atomic: true })
    expect(answer).toMatchObject({ status: 400, body: { name: 'conflict' } })
    expect(answer.body.message).toMatch(/^items\[321\]\.page\.slug: another page/)
    expect(await slugs()).toEqual([])
    expect(await rows()).toBe(before)
  })

  test('the first error in the order of errors is the answer, with all invalid fields', async () => {
    const refused = [
      create('same'),
      create('same'),
      create('bad', { description: 7 }),
      { ...create('parent', { title: '' }), ref: 'parent' },
      create('child', { type: 'docs', parent_page: { ref: 'parent' } }),
    ]
    const options = { headers: { Prefer: 'errors=fields' } }
    const invalid = await bulk(refused, { atomic: true }, options)
    expect(invalid).toMatchObject({ status: 422, body: { name: 'validation_error' } })
    expect(invalid.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'items[2].page.description',
      'items[3].page.title',
    ])
    const missing = [...refused, { op: 'update', id: 'page_aaaaaaaaaaaaaaaa', page: {} }]
    const answer = await bulk(missing, { atomic: true }, options)
    expect(answer).toMatchObject({ status: 404, body: { name: 'not_found' } })
    expect(answer.body.message).toMatch(/^items\[5\]: /)
    expect(await slugs()).toEqual([])
  })

  test('valid items are written together', async () => {
    const answer = await bulk([create('a'), { op: 'upsert', page: fields('a', { title: 'A' }) }], {
      atomic: true,
    })
    expect(outcomes(answer)).toEqual({ created: 1, updated: 1, unchanged: 0, failed: 0 })
  })
})

const slug = fc.constantFrom('a1a', 'b2b', 'c3c')
const text = fc.constantFrom('One', 'Two', '')
const item = fc.record(
  {
    slug,
    title: text,
    description: text,
    type: fc.constantFrom('article', 'docs'),
    config: fc.constantFrom({}, { colour: 'red' }),
  },
  { requiredKeys: ['slug', 'title', 'type'] },
)

test('leaves the same pages as single requests, versions apart', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (writes, atomic) => {
        project = await service.newProject()
        const single = await service.newProject()
        const valid = writes.filter(({ title }) => !atomic || title !== '')
        const ids = new Map<string, string>()
        for (const { slug, ...page } of valid) {
          const id = ids.get(slug)
          const { type, ...changes } = page
          const { status, body } =
            id === undefined
              ? await service.call('POST', '/pages', { project_id: single, slug, subroute: '', ...page })
              : await service.call('PUT', `/pages/${id}`, { type, ...changes })
          if (status === 201) ids.set(slug, body.data.id)
        }
        if (valid.length > 0) {
          const items = valid.map((page) => ({ op: 'upsert', page: { subroute: '', ...page } }))
          const { status } = await bulk(items, { atomic })
          // Pages of one type cannot get another, so an atomic request may be refused.
          if (status !== 200) return
        }
        expect(await contentOf(project)).toEqual(await contentOf(single))
      },
    ),
    { numRuns: runs(8) },
  )
})

async function contentOf(of: string): Promise<unknown> {
  const { body } = await service.call(
    'GET',
    `/pages?project_id=${of}&include_content=true&sort=slug&order=asc`,
  )
  return body.data.map(({ id: _, created_at: __, updated_at: ___, ...page }: Record<string, unknown>) => page)
}

test('repeated under one key, each item has its effect once, wherever the process was killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.boolean(), async (killedAfter, atomic) => {
      project = await service.newProject()
      const manager = await service.newKey({ permissions: PERMISSIONS })
      const items = Array.from({ length: 6 }, (_, i) => create(`page-${i}`))
      const options = { headers: { 'Idempotency-Key': `k-${randomId()}` } }
      idsLeft = killedAfter
      const first = await bulk(items, { atomic }, options)
      idsLeft = null
      const written = await slugs()
      if (atomic && first.status !== 200) expect(written).toEqual([])
      const again = await bulk(items, { atomic }, options)
      expect(outcomes(again)).toEqual({ created: 6, updated: 0, unchanged: 0, failed: 0 })
      expect(await slugs()).toEqual(items.map(({ page }) => page.slug))
      const audit = await service.call('GET', `/projects/${project}/audit?act=page.create`, undefined, {
        key: manager,
      })
      expect(audit.body.meta.total).toBe(6)
      const other = await bulk([create('other')], {}, options)
      expect(other).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
    }),
    { numRuns: runs(8) },
  )
})

test('sends the events of single writes', async () => {
  const receiver = await startReceiver()
  try {
    await service.call('POST', `/projects/${project}/webhooks`, {
      url: receiver.url,
      events: ['page.created', 'page.updated'],
    })
    await bulk([
      create('a'),
      { op: 'upsert', page: fields('a', { title: 'A' }) },
      { op: 'upsert', page: fields('a', { title: 'A' }) },
    ])
    await expect.poll(() => receiver.got.length, { timeout: 20_000 }).toBe(2)
  } finally {
    await receiver.close()
  }
})

test('counts as one request and one more for each begun 10 items', async () => {
  const { key } = await service.server.service.accounts.createKey({
    userId: service.userId,
    projectScope: null,
    name: 'standard',
    plan: 'standard',
    permissions: ['read', 'write'],
    expiresAt: null,
  })
  const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
  const one = await bulk([create('a')], {}, { key })
  expect(remaining(one)).toBe(98)
  const eleven = await bulk(
    Array.from({ length: 11 }, (_, i) => create(`n${i}`)),
    {},
    { key },
  )
  expect(remaining(eleven)).toBe(95)
})

test('1,000 pages take a standard key two requests and at most one wait of a minute', async () => {
  const { key } = await service.server.service.accounts.createKey({
    userId: service.userId,
    projectScope: null,
    name: 'standard',
    plan: 'standard',
    permissions: ['read', 'write'],
    expiresAt: null,
  })
  const half = (start: number) => Array.from({ length: 500 }, (_, i) => create(`page-${start + i}`))
  const first = await bulk(half(0), {}, { key })
  expect(outcomes(first)).toMatchObject({ created: 500 })
  const second = await bulk(half(500), {}, { key })
  if (second.status === 429) expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  else expect(outcomes(second)).toMatchObject({ created: 500 })
})
