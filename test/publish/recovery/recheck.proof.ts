import { afterEach, expect, test } from 'vitest'
import type { Ledger } from '../../../src/publish/ledger/ledger.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { some } from '../../support/long-form.ts'
import { createMemoryStorage, type MemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, type ServiceOptions, startService, type TestService } from '../../support/service.ts'

const started: TestService[] = []
afterEach(async () => {
  for (const service of started.splice(0).reverse()) await service.close()
})

/** The clock of both services; it decides when jobs are due. */
let time = Date.parse('2026-01-01T00:00:00.000Z')

async function start(options: ServiceOptions): Promise<TestService> {
  const service = await startService({ now: () => new Date(time).toISOString(), ...options })
  started.push(service)
  return service
}

/** A store whose writes to a key arrive when the test says so, and a service over it that renews no leases. */
async function startZombie(memory: MemoryStorage, isLate: (key: string) => boolean) {
  let arrive: () => void = () => {}
  let begun: () => void = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  const isHeld = new Promise<void>((resolve) => (begun = resolve))
  let arrived: Promise<void> = Promise.resolve()
  const storage: Storage = {
    ...memory,
    put(object, options) {
      if (!isLate(object.key)) return memory.put(object, options)
      arrived = held.then(() => memory.put(object))
      begun()
      return arrived
    },
  }
  const withoutRenewals = (ledger: Ledger): Ledger => ({
    ...ledger,
    leases: { ...ledger.leases, renew: async () => {} },
  })
  const service = await start({ storage, ledger: withoutRenewals })
  return {
    service,
    isHeld,
    async letArrive() {
      arrive()
      await arrived
    },
  }
}

/**
 * A monotonic clock on which the lease timeout of 4 s passes in 0.8 s. A faster one would also end the lease of the
 * service itself on a busy machine.
 */
const hurried: ServiceOptions = { monotonic: () => performance.now() * 5 }

const passSeconds = (seconds: number) => {
  time += seconds * 1000
}

test.each(some(['index.html', '_index.json']))(
  'a late write of a previous lease holder at %s is repaired a minute after the take-over, even across a restart',
  async (file) => {
    const memory = createMemoryStorage()
    let isSlow = false
    const zombie = await startZombie(memory, (key) => isSlow && key.endsWith(file))
    const { call, data, newProject, key } = zombie.service
    const project = await newProject()
    const id = (await call('POST', '/pages', pageBody(project))).body.data.id
    const lying = async () => ({
      keys: (await memory.list(`${project}/`)).filter((path) => !path.includes('/_assets/')),
      index: Buffer.from((await memory.get(`${project}/_index.json`)) ?? []).toString(),
    })

    isSlow = true
    const late = call('POST', `/pages/${id}/publish`)
    await zombie.isHeld
    const successor = await start({ ...hurried, data, storage: memory })
    const unpublished = () => successor.call('POST', `/pages/${id}/unpublish`, undefined, { key })
    await expect.poll(async () => (await unpublished()).status).toBe(200)
    const before = await lying()
    expect(before.keys).not.toContain(`${project}/a-page/index.html`)
    passSeconds(30)
    await zombie.letArrive()
    expect(await lying()).not.toEqual(before)
    await late

    await successor.close()
    started.splice(started.indexOf(successor), 1)
    await start({ ...hurried, data, storage: memory })
    passSeconds(31)
    const withoutRevision = ({ keys, index }: Awaited<ReturnType<typeof lying>>) => ({
      keys,
      index: index.replace(/"revision":\d+/, ''),
    })
    await expect.poll(async () => withoutRevision(await lying())).toEqual(withoutRevision(before))
  },
)

test('an unchanged page is uploaded again over the version that an interrupted batch had written', async () => {
  const memory = createMemoryStorage()
  let isSlow = false
  const zombie = await startZombie(memory, (key) => isSlow && key.endsWith('_index.json'))
  const { call, data, newProject } = zombie.service
  const project = await newProject()
  const make = async (slug: string) => {
    const fields = { slug, title: slug, subroute: 'docs', type: 'docs' }
    return (await call('POST', '/pages', pageBody(project, fields))).body.data.id
  }
  const [first, second] = [await make('first'), await make('second')]
  const shown = async () =>
    Buffer.from((await memory.get(`${project}/docs/first/index.html`)) ?? []).toString()
  await call('POST', `/pages/${first}/publish`)
  const alone = await shown()
  await call('POST', `/pages/${second}/publish`)

  isSlow = true
  const again = call('POST', `/pages/${first}/publish`)
  await zombie.isHeld
  try {
    expect(await shown()).toContain('docs/second/')
    const off = call('POST', `/pages/${second}/unpublish`)
    // Accepted before the other service takes over.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await start({ ...hurried, data, storage: memory })
    const status = async () => (await call('GET', `/pages/${second}`)).body.data.status
    await expect.poll(status).toBe('draft')
    expect(await shown()).toBe(alone)
    await zombie.letArrive()
    await Promise.all([again, off])
  } finally {
    await zombie.letArrive()
  }
})
