import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACT_NAMES } from '../../src/domain/audit.ts'
import { CHANGE_RECORDS } from '../../src/domain/change.ts'
import { readId } from '../../src/domain/ids.ts'
import { runs } from '../support/long-form.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/** In each text that a request of this file sends, apart from addresses. */
const MARK = 'Zanzibar'

interface Change {
  readonly seq: number
  readonly at: string
  readonly record: string
  readonly id: string
  readonly act: string
  readonly deleted: boolean
  readonly version: number | null
  readonly status: string | null
  readonly release_id: string | null
  readonly url: string | null
  readonly former_url: string | null
  readonly fields: readonly string[]
}

let service: TestService
let project: string
let made = 0

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject(MARK)
})

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call(method, path, body)
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body.data
}
const newPage = async (fields: object = {}): Promise<string> =>
  (await call('POST', '/pages', pageBody(project, { title: MARK, slug: `page-${++made}`, ...fields }))).id
const changes = (query = '', of = project) => service.call('GET', `/projects/${of}/changes?${query}`)
const feed = async (query = ''): Promise<{ data: readonly Change[]; next: string; more: boolean }> => {
  const { status, body } = await changes(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return { data: body.data, next: body.meta.next, more: body.meta.has_more }
}
/** All changes after a position, in parts. */
async function all(since?: string, limit = 1_000) {
  const data: Change[] = []
  for (let from = since; ; ) {
    const part = await feed(`limit=${limit}${from === undefined ? '' : `&since=${from}`}`)
    data.push(...part.data)
    from = part.next
    if (!part.more) return { data, next: part.next }
  }
}

describe('what the feed says', () => {
  test('the life of a page, each step read after it', async () => {
    let { next } = await feed('since=now')
    const read = async () => {
      const part = await all(next)
      next = part.next
      return part.data
    }
    const page = await newPage({ slug: 'first' })
    expect(await read()).toMatchObject([
      {
        record: 'page',
        id: page,
        act: 'page.create',
        deleted: false,
        version: 1,
        status: 'draft',
        url: null,
      },
    ])
    await call('PUT', `/pages/${page}`, { title: `${MARK} again` })
    expect(await read()).toMatchObject([{ act: 'page.update', version: 2, fields: ['title'] }])
    const published = await call('POST', `/pages/${page}/publish`)
    expect(await read()).toMatchObject([
      {
        act: 'page.publish',
        status: 'published',
        version: 2,
        release_id: published.release_id,
        url: published.url,
        former_url: null,
      },
    ])
    await call('PUT', `/pages/${page}`, { slug: 'second' })
    expect(await read()).toMatchObject([
      { act: 'page.update', fields: ['slug'], url: published.url, former_url: null },
    ])
    const moved = await call('POST', `/pages/${page}/publish`)
    const [publish, redirect, ...rest] = await read()
    expect(publish).toMatchObject({ act: 'page.publish', url: moved.url, former_url: published.url })
    expect(redirect).toMatchObject({ record: 'redirect', act: 'redirect.create' })
    expect(rest).toEqual([])
    await call('POST', `/pages/${page}/unpublish`)
    expect(await read()).toMatchObject([
      { act: 'page.unpublish', status: 'draft', url: null, former_url: moved.url, release_id: null },
      { record: 'redirect', act: 'redirect.create' },
    ])
    await call('DELETE', `/pages/${page}`)
    expect(await read()).toMatchObject([
      { act: 'page.delete', id: page, deleted: true, version: null, status: null, url: null },
      { record: 'redirect', act: 'redirect.delete', deleted: true },
      { record: 'redirect', act: 'redirect.delete', deleted: true },
    ])
    expect(await read()).toEqual([])
  })

  test('a change of a project and of its settings is a change of both, each with its own fields', async () => {
    const { next } = await feed('since=now')
    await call('PUT', `/projects/${project}`, { name: MARK.toUpperCase(), settings: { theme: 'dark' } })
    await call('PUT', `/projects/${project}/settings`, { site_name: 'Other' })
    const { data } = await all(next)
    expect(data).toHaveLength(3)
    const settings = data.filter(({ record }) => record === 'settings')
    expect(data.filter(({ record }) => record === 'project')).toMatchObject([
      { id: project, act: 'project.update', fields: ['name'], status: 'active' },
    ])
    expect(settings).toMatchObject([
      { id: project, act: 'project.update', fields: ['theme'] },
      { id: project, act: 'settings.update', fields: ['site_name'], version: 3 },
    ])
  })

  test('only the records that are asked for, and the position goes past the others', async () => {
    await newPage()
    const only = await feed('records=page')
    expect(only.data.map(({ record }) => record)).toEqual(['page'])
    expect((await feed(`since=${only.next}`)).data).toEqual([])
    expect((await feed('records=set')).data).toEqual([])
    const two = await feed('records=settings,project')
    expect(two.data.map(({ record }) => record).sort()).toEqual(['project', 'settings'])
  })

  test('a schedule that ends changes its page', async () => {
    const page = await newPage()
    const publish_at = new Date(Date.now() + 3_600_000).toISOString()
    const job = await call('POST', `/pages/${page}/publish`, { publish_at })
    const { next } = await feed('since=now')
    await call('DELETE', `/jobs/${job.id}`)
    expect((await all(next)).data).toMatchObject([{ id: page, act: 'page.update', fields: ['scheduled_at'] }])

    await call('POST', `/pages/${page}/publish`, { publish_at })
    await call('DELETE', `/pages/${page}`)
    const ofPage = (await all()).data.filter(({ id }) => id === page)
    expect(ofPage.at(-1)?.deleted).toBe(true)
  })

  test('a picture is reported again when its smaller ones are there', async () => {
    if ((await sharpIfInstalled()) === null) return
    const bytes = await picture({ width: 900, height: 600, format: 'png' })
    const asset = await call('POST', `/projects/${project}/assets?name=a.png`, bytes)
    await expect
      .poll(async () => (await call('GET', `/assets/${asset.id}`)).status, { timeout: 30_000 })
      .toBe('ready')
    const ofAsset = (await feed('records=asset')).data
    expect(ofAsset[0]).toMatchObject({ id: asset.id, act: 'asset.create', version: 1 })
    expect(ofAsset.at(-1)).toMatchObject({ id: asset.id, status: 'ready' })
  })

  test('no text, no person, no key and no client address', async () => {
    const page = await newPage({ slug: 'plain', description: MARK, markdown_content: MARK })
    await call('PUT', `/pages/${page}`, { title: `${MARK} 2`, tags: [MARK] })
    await call('POST', `/pages/${page}/publish`)
    await call(
      'POST',
      `/projects/${project}/assets?name=plain.pdf&alt=${MARK}`,
      Buffer.from(`%PDF-1.7 ${MARK}`),
    )
    await call('POST', `/projects/${project}/redirects`, {
      from: '/plainly',
      to: `https://example.org/${MARK}`,
    })
    const { data } = await all()
    expect(data.length).toBeGreaterThanOrEqual(7)
    const text = JSON.stringify(data)
    expect(text).not.toContain(MARK)
    expect(text).not.toMatch(/usr_|key_|ses_|"127\.0\.0\.1"|::1/)
    for (const { record, act } of data) {
      expect([...Object.keys(CHANGE_RECORDS), 'set']).toContain(record)
      expect(ACT_NAMES).toContain(act)
    }
  })
})

describe('positions', () => {
  test('lead to the end in parts of any size', async () => {
    for (let n = 0; n < 7; n++) await newPage()
    const { data, next } = await all()
    expect(data.map(({ seq }) => seq)).toEqual(data.map((_, at) => at + 1))
    expect(await all(undefined, 2)).toEqual({ data, next })
    expect(await all(undefined, 3)).toEqual({ data, next })
  })

  test('are refused as gone when they are of another project or of no change yet', async () => {
    const { next } = await feed()
    const other = await service.newProject()
    const [seq, tag] = next.split('-')
    for (const [since, of] of [
      [next, other],
      [`${Number(seq) + 1}-${next.slice(next.indexOf('-') + 1)}`, project],
      [`1-${'A'.repeat(16)}`, project],
    ] as const) {
      const { status, body } = await changes(`since=${since}`, of)
      expect([status, body.name, body.statusCode]).toEqual([410, 'gone', 410])
    }
    expect(tag).not.toBe('')
    expect((await changes('since=now', other)).status).toBe(200)
  })

  test.each([
    'since=',
    'since=5',
    'since=then',
    'since=now&since=now',
    'limit=0',
    'limit=1001',
    'records=',
    'records=page,key',
    'records=page,',
    'records=toString',
  ])('%s is invalid', async (query) => {
    const { status, body } = await changes(query)
    expect([status, body.name]).toEqual([422, 'invalid_request'])
  })

  test('are given to those who may read the project', async () => {
    const stranger = await service.newKey({ user: await service.newUser() })
    const at = `/projects/${project}/changes`
    expect((await service.call('GET', at, undefined, { key: stranger })).status).toBe(404)
    const writer = await service.newKey({ permissions: ['write'] })
    expect((await service.call('GET', at, undefined, { key: writer })).status).toBe(403)
    const elsewhere = await service.newProject()
    const scope = readId('proj', elsewhere) ?? undefined
    const scoped = await service.newKey({ ...(scope !== undefined && { project: scope }) })
    expect((await service.call('GET', at, undefined, { key: scoped })).body.name).toBe(
      'project_scope_violation',
    )
  })
})

type Item = Readonly<Record<string, unknown>> & { readonly id: string | null }
type ListName = keyof typeof LISTS

const LISTS = {
  page: async (): Promise<readonly Item[]> => call('GET', `/pages?project_id=${project}&limit=100`),
  asset: async (): Promise<readonly Item[]> => call('GET', `/projects/${project}/assets?limit=100`),
  redirect: async (): Promise<readonly Item[]> => call('GET', `/projects/${project}/redirects?limit=100`),
  project: async (): Promise<readonly Item[]> =>
    (await call('GET', '/projects?limit=100')).filter(({ id }: Item) => id === project),
  settings: async (): Promise<readonly Item[]> => [
    { id: project, ...(await call('GET', `/projects/${project}/settings`)) },
  ],
}
/** What follows from other records, whose changes say so. */
const DERIVED = new Set(['stale', 'page_count', 'used_by'])
/** Redirects of pages lead where these are. */
const OF_PAGE = new Set(['to', 'live', 'target', 'dead'])

/** The records of a list as a follower can know them, by id. */
const known = (items: readonly Item[]) =>
  new Map(
    items.flatMap((item) =>
      item.id === null
        ? []
        : [
            [
              item.id,
              Object.fromEntries(
                Object.entries(item).filter(
                  ([name]) => !DERIVED.has(name) && !(item['kind'] === 'former' && OF_PAGE.has(name)),
                ),
              ),
            ] as const,
          ],
    ),
  )

/** Follows the feed, and keeps a copy of each record as it was when it was read last. */
function createFollower(since?: string) {
  const copies = new Map<string, Map<string, object>>()
  const seen: Change[] = []
  let position = since
  return {
    copies,
    seen,
    /** @returns whether more changes are there. */
    async step(limit: number): Promise<boolean> {
      const { data, next, more } = await feed(
        `limit=${limit}${position === undefined ? '' : `&since=${position}`}`,
      )
      for (const record of new Set(data.map((change) => change.record))) {
        const now = known(await LISTS[record as ListName]())
        const copy = copies.get(record) ?? new Map<string, object>()
        copies.set(record, copy)
        for (const { id } of data.filter((change) => change.record === record)) {
          const item = now.get(id)
          if (item === undefined) copy.delete(id)
          else copy.set(id, item)
        }
      }
      seen.push(...data)
      position = next
      return more
    },
  }
}

async function expectSame({ copies }: ReturnType<typeof createFollower>) {
  for (const record of Object.keys(LISTS) as ListName[])
    expect(Object.fromEntries(copies.get(record) ?? []), record).toEqual(
      Object.fromEntries(known(await LISTS[record]())),
    )
}

/** Writes that may be refused, such as of a record that another writer has deleted. */
const WRITES = {
  create: async () => service.call('POST', '/pages', pageBody(project, { slug: `page-${++made}` })),
  edit: async (page) => service.call('PUT', `/pages/${page}`, { title: `T${++made}` }),
  move: async (page) => service.call('PUT', `/pages/${page}`, { slug: `moved-${++made}` }),
  publish: async (page) => service.call('POST', `/pages/${page}/publish`),
  unpublish: async (page) => service.call('POST', `/pages/${page}/unpublish`),
  archive: async (page) => service.call('PUT', `/pages/${page}`, { status: 'archived' }),
  schedule: async (page) =>
    service.call('POST', `/pages/${page}/publish`, {
      publish_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  unschedule: async (page) => service.call('POST', `/pages/${page}/publish`, { publish_at: null }),
  remove: async (page) => service.call('DELETE', `/pages/${page}`),
  bulk: async (page) =>
    service.call('POST', `/projects/${project}/pages/bulk`, {
      items: [
        { op: 'create', page: { title: 'B', slug: `bulk-${++made}`, subroute: '', type: 'article' } },
        { op: 'update', id: page, page: { description: `D${++made}` } },
      ],
    }),
  settings: async () => service.call('PUT', `/projects/${project}/settings`, { footer_text: `F${++made}` }),
  rename: async () =>
    service.call('PUT', `/projects/${project}`, {
      name: `N${++made}`,
      settings: { theme: made % 2 === 0 ? 'dark' : 'default' },
    }),
  upload: async () =>
    service.call('POST', `/projects/${project}/assets?name=f-${++made}.pdf`, Buffer.from(`%PDF-1.7 ${made}`)),
  alt: async (_, asset) => service.call('PUT', `/assets/${asset}`, { alt: `A${++made}` }),
  replace: async (_, asset) =>
    service.call('PUT', `/assets/${asset}/content`, Buffer.from(`%PDF-1.7 ${++made}`)),
  drop: async (_, asset) => service.call('DELETE', `/assets/${asset}`),
  lead: async () =>
    service.call('POST', `/projects/${project}/redirects`, {
      from: `/from-${++made}`,
      to: 'https://example.org/',
    }),
  lead_to: async (_, __, redirect) =>
    service.call('PUT', `/projects/${project}/redirects/${redirect}`, {
      to: `https://example.org/${++made}`,
    }),
  unlead: async (_, __, redirect) => service.call('DELETE', `/projects/${project}/redirects/${redirect}`),
} satisfies Readonly<
  Record<string, (page: string, asset: string, redirect: string) => Promise<{ readonly status: number }>>
>
const NAMES = Object.keys(WRITES) as (keyof typeof WRITES)[]

async function write(name: keyof typeof WRITES, at: number) {
  const pick = async (list: ListName) => {
    const ids = (await LISTS[list]()).flatMap(({ id }) => (id === null ? [] : [id]))
    return ids[at % Math.max(1, ids.length)] ?? `${list}_none`
  }
  const write: (page: string, asset: string, redirect: string) => Promise<{ readonly status: number }> =
    WRITES[name]
  const { status } = await write(await pick('page'), await pick('asset'), await pick('redirect'))
  expect(status).toBeLessThan(500)
  return status < 300
}

describe('who follows the feed and reads what changed', () => {
  test('ends with what lists show, under any writes and from any position', async () => {
    const step = fc.record({
      name: fc.constantFrom(...NAMES),
      at: fc.nat(20),
      limit: fc.constantFrom(0, 0, 1, 3, 1_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        project = await service.newProject()
        const followers = [createFollower()]
        for (const { name, at, limit } of steps) {
          await write(name, at)
          if (limit === 0) continue
          for (const follower of followers) await follower.step(limit)
        }
        for (const follower of followers) while (await follower.step(5));
        for (const follower of followers) await expectSame(follower)
        const late = createFollower()
        while (await late.step(7));
        expect(late.seen).toEqual(followers[0]?.seen)
        await expectSame(late)
      }),
      { numRuns: runs(6) },
    )
  }, 240_000)

  test('misses nothing that many write at once, and never reads a smaller number later', async () => {
    for (let n = 0; n < 4; n++) await write('create', n)
    const follower = createFollower()
    let isWriting = true
    let accepted = 0
    const writer = async (seed: number) => {
      for (let n = 0; n < 10; n++)
        if (await write(NAMES[(seed * 7 + n * 5) % NAMES.length] ?? 'edit', seed + n)) accepted++
    }
    const reading = (async () => {
      while (isWriting) await follower.step(3)
    })()
    const other = (async () => {
      while (isWriting) await feed('since=now')
    })()
    await Promise.all(Array.from({ length: 4 }, (_, seed) => writer(seed)))
    isWriting = false
    await Promise.all([reading, other])
    while (await follower.step(50));
    const numbers = follower.seen.map(({ seq }) => seq)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(accepted).toBeGreaterThan(12)
    expect((await all()).data).toEqual(follower.seen)
    await expectSame(follower)
  }, 120_000)

  test('reads a change as soon as it is committed', async () => {
    const { next } = await feed('since=now')
    const page = await newPage()
    expect((await feed(`since=${next}`)).data.map(({ id }) => id)).toEqual([page])
  })
})
