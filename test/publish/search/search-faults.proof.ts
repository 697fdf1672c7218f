import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type ProjectId, readId } from '../../../src/domain/ids.ts'
import type { Ledger } from '../../../src/publish/ledger/ledger.ts'
import { createLeaseHolder } from '../../../src/publish/queue/lease-holder.ts'
import { updateSearchIndex } from '../../../src/publish/search/update-search-index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { createFinder } from '../../../themes/_shared/scripts/search/find.js'
import { some } from '../../support/long-form.ts'
import { createMemoryStorage, type MemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let storage: MemoryStorage
let project: string
let ledger: Ledger
let fails: (operation: string, key: string) => boolean
/** Every put waits for this promise. */
let gate: Promise<void>
/** The next commits of a new base of the search index fail, as if the process ended before them. */
let interruptions = 0
/** Called where the process ends. */
let onInterrupted = async () => {}
/** Completed commits of the search index. */
let commits = 0
/** Called after objects were deleted. */
let onDeleted = async () => {}
/** Advances while the test waits, so that due jobs run soon. */
let ahead = 0
const now = () => new Date(Date.now() + ahead).toISOString()

beforeEach(async () => {
  fails = () => false
  gate = Promise.resolve()
  interruptions = 0
  onInterrupted = async () => {}
  onDeleted = async () => {}
  storage = createMemoryStorage({
    failOn: (operation, key) => (fails(operation, key) ? new Error('The store is out of order.') : null),
  })
  const gated: Storage = {
    ...storage,
    async put(object, options) {
      await gate
      await storage.put(object, options)
    },
    async delete(keys, options) {
      await storage.delete(keys, options)
      await onDeleted()
    },
  }
  const interrupted = (made: Ledger): Ledger => ({
    ...made,
    searchRows: {
      ...made.searchRows,
      async commit(lease, commit) {
        if (interruptions > 0 && commit.uploads.length > 10) {
          interruptions -= 1
          await onInterrupted()
          throw new Error('The process ended here.')
        }
        await made.searchRows.commit(lease, commit)
        commits += 1
      },
    },
  })
  service = await startService({ storage: gated, now, ledger: (made) => (ledger = interrupted(made)) })
  project = await service.newProject()
})
afterEach(() => service.close())

async function publish(slug: string, markdown_content: string): Promise<string> {
  const made = await service.call('POST', '/pages', pageBody(project, { slug, markdown_content }))
  await service.call('POST', `/pages/${made.body.data.id}/publish`)
  return made.body.data.id
}

async function found(word: string): Promise<number> {
  const find = createFinder(async (name) => {
    const body = await storage.get(`${project}/${name}`)
    if (body === null) throw new Error(`${name} is missing.`)
    return JSON.parse(Buffer.from(body).toString())
  })
  return (await find(word, 10)).total
}

async function soon(claim: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    ahead += 250
    if (await claim().catch(() => false)) return
  }
  throw new Error('It did not come true in time.')
}

/** Whether the store holds exactly the files of the index. */
async function isNothingLeft(): Promise<boolean> {
  const lying = await storage.list(`${project}/_search`)
  return JSON.stringify(lying) === JSON.stringify([`${project}/_search.json`, ...(await namedFiles())])
}

/** Shards that the published manifest names and the store does not have. */
async function missingFiles(): Promise<readonly string[]> {
  const stored = new Set(await storage.list(`${project}/_search/`))
  return (await namedFiles()).filter((key) => !stored.has(key))
}

/** The shards that the published manifest names, sorted. */
async function namedFiles(): Promise<readonly string[]> {
  const manifest = Buffer.from((await storage.get(`${project}/_search.json`)) ?? []).toString()
  const named = [...manifest.matchAll(/"([0-9a-f]{16})"/g)]
  return named.map(([, name]) => `${project}/_search/${name}.json`).sort()
}

test.each(some(['_search.json', '_search/', '_index.json', 'delete']))(
  'a page whose unpublish fails at %s is still found by search, and no files are left over',
  async (where) => {
    const page = await publish('kept', 'A quoin.')
    await publish('other', 'A chase.')
    await soon(async () => (await found('quoin')) + (await found('chase')) === 2)
    let failures = 0
    fails = (operation, key) => {
      const isIt = where === 'delete' ? operation === 'delete' : operation === 'put' && key.includes(where)
      return isIt && failures++ === 0
    }
    expect((await service.call('POST', `/pages/${page}/unpublish`)).status).toBe(500)
    fails = () => false
    // It is published once the failed release has been reverted.
    const again = await publish('again', 'Again.')
    await soon(async () => (await service.call('POST', `/pages/${again}/publish`)).status === 200)
    expect(failures).toBeGreaterThan(0)
    expect(await found('quoin')).toBe(1)
    expect(await found('chase')).toBe(1)

    expect((await service.call('POST', `/pages/${page}/unpublish`)).status).toBe(200)
    expect(await found('quoin')).toBe(0)
    await soon(isNothingLeft)
  },
)

test('a publish that fails and is reverted leaves the search index and the text of all pages as they were', async () => {
  const page = await publish('kept', 'A quoin.')
  const text = async () => Buffer.from((await storage.get(`${project}/llms-full.txt`)) ?? []).toString()
  await soon(async () => (await text()).includes('A quoin.') && (await found('quoin')) === 1)
  await soon(isNothingLeft)
  const before = await text()

  await service.call('PUT', `/pages/${page}`, { markdown_content: 'A chase.' })
  fails = (operation, key) => operation === 'put' && key.endsWith('_index.json')
  expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(500)
  fails = () => false
  await soon(async () => (await ledger.releaseQueue.unfinishedProjects()).length === 0)
  expect(await text()).toBe(before)
  expect(await found('quoin')).toBe(1)
})

test('a search index that could not be written is written later without another publish', async () => {
  let failures = 0
  fails = (operation, key) => operation === 'put' && key.includes('_search') && failures++ < 2
  await publish('one', 'A quoin.')
  await soon(async () => (await found('quoin')) === 1)
  expect(failures).toBeGreaterThan(2)
  await soon(isNothingLeft)
})

test('the search index waits for a release that is part-way, also after a take-over of the lease', async () => {
  await publish('one', 'A quoin.')
  let open = () => {}
  gate = new Promise((resolve) => (open = resolve))
  const second = publish('two', 'A chase.')
  await soon(async () => (await ledger.releaseQueue.listStarted(id())).length === 1)

  try {
    // By this clock five seconds pass between two reads, so the lease looks abandoned.
    let clock = 0
    const leaseHolder = createLeaseHolder({
      ...ledger,
      holder: 'search',
      monotonic: () => (clock += 5_000),
      log: { error: () => {} },
    })
    const asked = createMemoryStorage()
    const ports = { ...ledger, storage: asked, now }
    expect(await updateSearchIndex(id(), false, leaseHolder, ports)).toBe(false)
    expect(asked.log.filter((line) => !line.startsWith('get '))).toEqual([])
  } finally {
    open()
  }
  await second
  await soon(async () => (await found('quoin')) + (await found('chase')) === 2)
})

function id(): ProjectId {
  const bare = readId('proj', project)
  if (bare === null) throw new Error(`${project} is no id.`)
  return bare
}

test('at an interruption before its commit and after it, no file that is recorded or that the published index names is removed', async () => {
  const pages: string[] = []
  for (let n = 0; n < 70; n++) {
    const fields = { slug: `page-${n}`, markdown_content: `A quoin, number${n}.` }
    pages.push((await service.call('POST', '/pages', pageBody(project, fields))).body.data.id)
  }
  await service.call('POST', `/projects/${project}/publish`, { pages })
  await soon(async () => (await found('quoin')) === 70)
  await soon(isNothingLeft)

  for (const id of pages)
    await service.call('PUT', `/pages/${id}`, { markdown_content: `A chase, number${pages.indexOf(id)}.` })
  interruptions = 1
  const missing: (readonly string[])[] = []
  onInterrupted = async () => {
    const recorded = await ledger.liveState.objectsOfKinds(id(), ['search'])
    const stored = new Set(await storage.list(`${project}/`))
    missing.push(recorded.map(({ key }) => `${project}/${key}`).filter((key) => !stored.has(key)))
  }
  onDeleted = async () => {
    missing.push(await missingFiles())
  }
  await service.call('POST', `/projects/${project}/publish`, { pages })
  await soon(async () => interruptions === 0)
  const before = commits
  await soon(async () => commits > before)
  await soon(async () => (await found('chase')) === 70)
  await soon(isNothingLeft)
  expect(missing.length).toBeGreaterThan(1)
  expect(missing.flat()).toEqual([])
})

test('the text of a page that is taken off while the texts are read is not written', async () => {
  const written: string[] = []
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let isReading = false
  const store = createMemoryStorage()
  const own = await startService({
    storage: {
      ...store,
      async get(key, options) {
        const body = await store.get(key, options)
        if (key.endsWith('/gone/index.md') && body !== null && !isReading) {
          isReading = true
          await opened
        }
        return body
      },
      async put(object, options) {
        if (object.key.endsWith('/llms-full.txt') && !('open' in object.body))
          written.push(Buffer.from(object.body).toString())
        await store.put(object, options)
      },
    },
  })
  onTestFinished(() => own.close())
  const site = await own.newProject()
  const make = async (slug: string) => {
    const body = pageBody(site, { slug, markdown_content: `About ${slug}.` })
    const { id } = (await own.call('POST', '/pages', body)).body.data
    expect((await own.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    return id
  }
  await make('kept')
  const gone = await make('gone')
  await soon(async () => isReading)
  expect((await own.call('POST', `/pages/${gone}/unpublish`)).status).toBe(200)
  const before = written.length
  open()
  await soon(async () => written.slice(before).some((text) => text.includes('About kept.')))
  expect(written.slice(before).filter((text) => text.includes('About gone.'))).toEqual([])
})
