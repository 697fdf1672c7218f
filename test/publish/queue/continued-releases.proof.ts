import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { createRetryingStorage } from '../../../src/storage/retrying-storage.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { signedIn } from '../../support/dashboard.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { type Answer, pageBody, startService, type TestService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'
import { createTestTimers, type TestTimers, timeless } from '../../support/test-timers.ts'

const SECOND = 1_000
/** A file that the slow store takes longer for than a request may wait. */
const VIDEO = Buffer.alloc(2 * 2 ** 20, 'video')
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

let service: TestService
afterEach(() => service.close())

/** A service over a store that takes a while for each chunk of a file. Time passes only in the store. */
async function startSlow() {
  const timers = createTestTimers()
  const startedAt = Date.now()
  const memory = createMemoryStorage()
  const slow = {
    chunkMs: (): number => 4 * SECOND,
    ms: (_key: string): number => 0,
    /** Per half a megabyte that is read from the media store. */
    readMs: (): number => 0,
    /** Called when the store is given a file. */
    onFile: () => {},
  }
  const storage: Storage = {
    ...memory,
    async put({ key, body }, options) {
      const ms = slow.ms(key)
      if (ms > 0) await timers.sleep(ms, options?.signal)
      if (!('open' in body)) return memory.put({ key, body }, options)
      slow.onFile()
      const chunks: Buffer[] = []
      let taken = 0
      for await (const chunk of body.open()) {
        chunks.push(chunk)
        taken += chunk.byteLength
        // As slow for a large chunk as for many small ones.
        for (; taken >= 2 ** 19; taken -= 2 ** 19) await timers.sleep(slow.chunkMs(), options?.signal)
      }
      await memory.put({ key, body: Buffer.concat(chunks) }, options)
    },
  }
  const mediaStore = createMemoryStorage()
  service = await startService({
    mediaStore: {
      ...mediaStore,
      async open(key, options) {
        const found = await mediaStore.open(key, options)
        return found && { ...found, stream: (range) => slowed(found.stream(range), slow.readMs, timers) }
      },
    },
    storage: createRetryingStorage(storage, { timers, random: () => 0.5 }),
    timers,
    now: () => new Date(startedAt + timers.now()).toISOString(),
    monotonic: timers.now,
    ledger: (ledger) => timeless(ledger, timers),
  })
  const project = await service.newProject()
  await service.call('POST', `/projects/${project}/assets?name=video.bin`, VIDEO, OCTETS)
  const create = async (slug: string, markdown = '[video](/media/video.bin)') =>
    (await service.call('POST', '/pages', pageBody(project, { slug, markdown_content: markdown }))).body.data
      .id as string
  const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
  const status = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.status
  const visit = async (slug: string) =>
    (await service.call('GET', `/public/${project}/${slug}/`, undefined, { key: null })).body
  const jobOf = async ({ headers }: Answer) =>
    (await service.call('GET', headers.get('location') ?? '')).body.data
  const succeeded = (answer: Answer) =>
    expect.poll(() => jobOf(answer)).toMatchObject({ status: 'succeeded', done: 1, failed: [] })
  return { timers, slow, memory, project, create, publish, status, visit, jobOf, succeeded }
}

/** The stream in chunks as files are read in. @param readMs what half a megabyte takes. */
function slowed(stream: Readable, readMs: () => number, timers: TestTimers): Readable {
  async function* chunks() {
    let taken = 0
    for await (const whole of stream)
      for (let start = 0; start < whole.byteLength; start += 2 ** 16) {
        const chunk: Buffer = whole.subarray(start, start + 2 ** 16)
        taken += chunk.byteLength
        if (taken % 2 ** 19 === 0 && readMs() > 0) await timers.sleep(readMs())
        yield chunk
      }
  }
  return Readable.from(chunks(), { objectMode: false })
}

const MEDIA_KEY = `_media/video.${createHash('sha256').update(VIDEO).digest('hex').slice(0, 16)}`

async function countReleases(data: string): Promise<number> {
  const { writer, reader } = await openServiceDatabase(data)
  try {
    return (await reader('releases').pluck('id')).length
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

describe('a publish whose files take longer than its request may wait', () => {
  test('is answered 202 with a job within 15 seconds, and is live when the job has succeeded', async () => {
    const { timers, slow, memory, project, create, publish, status, visit, succeeded } = await startSlow()
    slow.ms = (key) => (key.endsWith('/index.html') ? 3 * SECOND : 0)
    const id = await create('slow')
    const asked = timers.now()
    const answer = await publish(id)
    const took = timers.now() - asked
    expect([answer.status, answer.body.data]).toMatchObject([202, { total: 1, done: 0, failed: [] }])
    expect(took).toBeGreaterThanOrEqual(12 * SECOND)
    expect(took).toBeLessThan(15 * SECOND)
    expect(answer.headers.get('location')).toBe(`/jobs/${answer.body.data.id}`)
    await succeeded(answer)
    expect(await status(id)).toBe('published')
    expect(await visit('slow')).toContain(MEDIA_KEY)
    const [key = ''] = await memory.list(`${project}/_media/`)
    expect((await memory.get(key))?.byteLength).toBe(VIDEO.byteLength)
  })

  test('is answered 202 by the legacy routes as well, with the page and the job', async () => {
    const { create, succeeded, status } = await startSlow()
    const id = await create('legacy')
    const bare = id.replace('page_', '')
    const legacy = await service.call('POST', '/v1/pages/publish', { pageId: bare })
    expect([legacy.status, legacy.body]).toMatchObject([
      202,
      { success: true, data: { page_id: bare, status: 'pending' } },
    ])
    expect(legacy.headers.get('location')).toBe(`/jobs/job_${legacy.body.data.job_id}`)
    await succeeded(legacy)
    expect(await status(id)).toBe('published')
  })

  test('is answered 202 by the routes of clients that drop only the prefix', async () => {
    const { create, succeeded, status } = await startSlow()
    const id = await create('named')
    const named = await service.call('POST', '/pages/publish', { page_id: id })
    expect([named.status, named.body.data]).toMatchObject([202, { page_id: id, status: 'pending' }])
    expect(named.headers.get('location')).toBe(`/jobs/${named.body.data.job_id}`)
    await succeeded(named)
    expect(await status(id)).toBe('published')
  })

  test('is answered with the page by an update of its status, which is stored at once', async () => {
    const { create, status, succeeded } = await startSlow()
    const id = await create('moved')
    const answer = await service.call('PUT', `/pages/${id}`, { title: 'Moved', status: 'published' })
    expect([answer.status, answer.body.data]).toMatchObject([202, { title: 'Moved', status: 'draft' }])
    await succeeded(answer)
    expect(await status(id)).toBe('published')
  })

  test('is answered 500 when the store takes nothing any more, and never goes live later', async () => {
    const { timers, slow, create, publish, status, visit } = await startSlow()
    const id = await create('stuck')
    const asked = timers.now()
    slow.chunkMs = () => (timers.now() - asked < 5 * SECOND ? 2 * SECOND : Number.POSITIVE_INFINITY)
    expect(await publish(id)).toMatchObject({ status: 500, body: { name: 'internal_error' } })
    expect(timers.now() - asked).toBeLessThan(15 * SECOND)
    slow.chunkMs = () => 0
    const other = await create('other', 'Nothing.')
    expect((await publish(other)).status).toBe(200)
    expect(await status(id)).toBe('draft')
    expect(await visit('stuck')).toContain('not found')
  })

  test('fails its job when the store breaks down after the answer, and the previous version stays live', async () => {
    const { timers, slow, create, publish, status, visit, jobOf } = await startSlow()
    const id = await create('kept', 'Before.')
    expect((await publish(id)).status).toBe(200)
    const before = await visit('kept')
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'After. [video](/media/video.bin)' })
    const asked = timers.now()
    slow.chunkMs = () => (timers.now() - asked < 12 * SECOND ? 4 * SECOND : Number.POSITIVE_INFINITY)
    const answer = await publish(id)
    expect(answer.status).toBe(202)
    expect(await visit('kept')).toBe(before)
    await expect.poll(() => jobOf(answer)).toMatchObject({ status: 'failed', failed: [{ page_id: id }] })
    slow.chunkMs = () => 0
    await expect.poll(async () => (await publish(id)).status).toBe(200)
    expect(await status(id)).toBe('published')
    expect(await visit('kept')).toContain('After.')
  })

  test('lets the releases behind it go on as well, in their order', async () => {
    const { timers, create, publish, status, visit, succeeded, slow } = await startSlow()
    const [video, page, gone] = [
      await create('video'),
      await create('page', 'Text.'),
      await create('gone', 'Soon.'),
    ]
    const begun = new Promise<void>((resolve) => (slow.onFile = resolve))
    // From the start: the time of a request to the service is not time of its deadline.
    const letPass = timers.hold()
    const first = publish(video)
    const early = first.then(({ status }) =>
      expect.unreachable(`It was answered ${status} before its upload.`),
    )
    await Promise.race([begun, early])
    const others = Promise.all([publish(page), service.call('DELETE', `/pages/${gone}`)])
    await expect.poll(() => countReleases(service.data)).toBe(3)
    letPass()
    const [behind, removed] = await others
    expect([(await first).status, behind.status, removed.status]).toEqual([202, 202, 202])
    await succeeded(await first)
    await succeeded(behind)
    await succeeded(removed)
    expect([await status(video), await status(page)]).toEqual(['published', 'published'])
    expect(await visit('page')).toContain('Text.')
  })

  test('is replayed for the same idempotency key, with the same job', async () => {
    const { create, succeeded } = await startSlow()
    const id = await create('once')
    const request = { headers: { 'Idempotency-Key': 'one' } }
    const [first, second] = await Promise.all([
      service.call('POST', `/pages/${id}/publish`, undefined, request),
      service.call('POST', `/pages/${id}/publish`, undefined, request),
    ])
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body.data.id).toBe(first.body.data.id)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    await succeeded(first)
    const { body } = await service.call('GET', `/pages/${id}/releases`)
    expect(body.data).toHaveLength(1)
  })

  test('leads a person who publishes in the dashboard to the job', async () => {
    const { project, create, status } = await startSlow()
    const id = await create('by-hand')
    const owner = await signedIn(service)
    const path = `/dashboard/projects/${project}/pages/${id}`
    const answer = await owner.submit(path, `${path}/publish`, {})
    expect([answer.status, answer.location]).toEqual([
      303,
      expect.stringMatching(/\/jobs\/job_\w+\?done=releaseContinues$/),
    ])
    expect((await owner.get(answer.location ?? '')).html).toContain('It goes on')
    await expect.poll(() => status(id)).toBe('published')
  })

  test('is listed among the jobs of its project, and cannot be cancelled while it uploads', async () => {
    const { project, create, publish, succeeded } = await startSlow()
    const answer = await publish(await create('listed'))
    const { body } = await service.call('GET', `/projects/${project}/jobs`)
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(answer.body.data.id)
    expect((await service.call('DELETE', `/jobs/${answer.body.data.id}`)).status).toBe(400)
    await succeeded(answer)
  })

  test('is answered 202 in Data Mode as well, also while its files are read to be encrypted', async () => {
    const { slow, project, memory, create, publish, status, succeeded } = await startSlow()
    expect((await service.call('POST', `/projects/${project}/data-mode/enable`)).status).toBe(200)
    slow.readMs = () => 4 * SECOND
    slow.chunkMs = () => 0
    const id = await create('sealed')
    const answer = await publish(id)
    expect(answer.status).toBe(202)
    await succeeded(answer)
    expect(await status(id)).toBe('published')
    expect(await memory.list(`${project}/_media/`)).toHaveLength(1)
  })

  test('is answered 500 in Data Mode when nothing can be read to be encrypted', async () => {
    const { timers, slow, project, create, publish, status } = await startSlow()
    expect((await service.call('POST', `/projects/${project}/data-mode/enable`)).status).toBe(200)
    const id = await create('stuck')
    const asked = timers.now()
    slow.readMs = () => (timers.now() - asked < 2 * SECOND ? 2 * SECOND : Number.POSITIVE_INFINITY)
    expect(await publish(id)).toMatchObject({ status: 500, body: { name: 'internal_error' } })
    expect(timers.now() - asked).toBeLessThan(15 * SECOND)
    expect(await status(id)).toBe('draft')
  })

  test.each(['enable', 'disable'])('does not fail an %s of Data Mode behind it', async (action) => {
    const { timers, slow, project, create, publish, succeeded } = await startSlow()
    const change = (wanted: string) => service.call('POST', `/projects/${project}/data-mode/${wanted}`)
    if (action === 'disable') expect((await change('enable')).status).toBe(200)
    const holds: (() => void)[] = []
    slow.onFile = () => {
      if (holds.length === 0) holds.push(timers.hold())
    }
    const first = publish(await create('video'))
    await expect.poll(() => holds.length).toBe(1)
    const changed = change(action)
    await expect.poll(() => countReleases(service.data)).toBe(action === 'disable' ? 3 : 2)
    for (const letPass of holds) letPass()
    expect((await first).status).toBe(202)
    expect((await changed).status).toBe(200)
    await succeeded(await first)
  })

  test('under a new key of Data Mode takes as long as its files do', async () => {
    const { timers, slow, project, create, publish } = await startSlow()
    expect((await service.call('POST', `/projects/${project}/data-mode/enable`)).status).toBe(200)
    slow.chunkMs = () => 0
    expect((await publish(await create('sealed'))).status).toBe(200)
    slow.chunkMs = () => 4 * SECOND
    slow.readMs = () => 4 * SECOND
    const asked = timers.now()
    const answer = await service.call('POST', `/projects/${project}/data-mode/regenerate-key`)
    expect([answer.status, timers.now() - asked > 40 * SECOND]).toEqual([200, true])
  })
})
