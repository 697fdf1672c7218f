import { afterEach, beforeEach, expect, test } from 'vitest'
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
/** Advances while the test waits, so that due jobs run soon. */
let ahead = 0
const now = () => new Date(Date.now() + ahead).toISOString()

beforeEach(async () => {
  fails = () => false
  gate = Promise.resolve()
  storage = createMemoryStorage({
    failOn: (operation, key) => (fails(operation, key) ? new Error('The store is out of order.') : null),
  })
  const gated: Storage = {
    ...storage,
    async put(object, options) {
      await gate
      await storage.put(object, options)
    },
  }
  service = await startService({ storage: gated, now, ledger: (made) => (ledger = made) })
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
  const manifest = Buffer.from((await storage.get(`${project}/_search.json`)) ?? []).toString()
  const named = [...manifest.matchAll(/"([0-9a-f]{16})"/g)].map(([, name]) => `_search/${name}.json`)
  return (
    JSON.stringify(lying) ===
    JSON.stringify(['_search.json', ...named.sort()].map((key) => `${project}/${key}`))
  )
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
      leases: ledger.leases,
      holder: 'search',
      monotonic: () => (clock += 5_000),
      log: { error: () => {} },
    })
    const asked = createMemoryStorage()
    const ports = { ...ledger, storage: asked, now }
    expect(await updateSearchIndex(id(), false, leaseHolder, ports)).toBe(false)
    expect(asked.log).toEqual([])
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
