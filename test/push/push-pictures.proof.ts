import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { readFileBody } from '../../src/platform/file-body.ts'
import { type PushPorts, type PushRequest, pushSite } from '../../src/push/push-site.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const loaded = await loadDecoder()
const isInstalled = (await sharpIfInstalled()) !== null && 'decoder' in loaded

let service: TestService
let folder: string
let project: string
/** Derivation of pictures waits for it. */
let gate: Promise<void>

beforeEach(async () => {
  const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
  gate = Promise.resolve()
  service = await startService({
    images: {
      ...images,
      async derive(...args) {
        await gate
        return images.derive(...args)
      },
    },
  })
  folder = await temporaryFolder()
  project = await service.newProject()
  await mkdir(join(folder, 'docs'))
  await write('site.yaml', 'name: Site\n')
})
afterEach(() => service.close())

describe.skipIf(!isInstalled)('a push that publishes pictures', () => {
  beforeEach(async () => {
    await write('docs/a.jpg', await picture({ width: 1_000, height: 500, format: 'jpeg', noise: true }))
    await write('docs/index.md', '---\ntitle: A\n---\n![A](a.jpg)\n')
  })

  test('waits for the smaller ones, so that the first published page has them', async () => {
    const progress: number[] = []
    const { files } = await push(
      { publish: true },
      { variants: { pause, onDerived: (done) => progress.push(done) } },
    )
    expect([files.unfinished, progress]).toEqual([0, [1]])
    expect(await page()).toMatch(/type="image\/avif"[^>]*960w/)
  })

  test('waits also for pictures that an earlier push sent', async () => {
    await push({ publish: false })
    expect((await push({ publish: true }, { variants: { pause, onDerived() {} } })).files.unfinished).toBe(0)
    expect(await page()).toContain('<picture>')
  })

  test('waits no longer than five minutes, and says how many are not finished', async () => {
    let open = () => {}
    gate = new Promise((resolve) => (open = resolve))
    let time = 0
    const waits: number[] = []
    const report = await push(
      { publish: true },
      {
        monotonic: () => time,
        variants: {
          async pause(ms) {
            waits.push(ms)
            time += ms
          },
          onDerived() {},
        },
      },
    )
    expect([report.files.unfinished, report.published]).toEqual([1, ['docs/index.md']])
    expect(time).toBe(300_000)
    expect(waits.length).toBeLessThan(120)
    expect(await page()).not.toContain('<picture>')
    open()
    await push({ publish: true }, { variants: { pause, onDerived() {} } })
    expect(await page()).toContain('<picture>')
  })

  test('does not wait where it is not asked to, and says so', async () => {
    let open = () => {}
    gate = new Promise((resolve) => (open = resolve))
    expect((await push({ publish: true })).files.unfinished).toBe(1)
    open()
  })
})

test('a file that is replaced on the server during a push is a conflict, and stays', async () => {
  await write('docs/a.txt', 'First.')
  await write('docs/index.md', '---\ntitle: A\n---\n[A](a.txt)\n')
  await push({})
  const [id = ''] = await assetIds()
  await write('docs/a.txt', 'Second.')
  for (const when of ['before it is read again', 'before it is replaced']) {
    let meanwhile = async () => {
      meanwhile = async () => {}
      await replace(id, `Of another one, ${when}.`)
    }
    const isDue = (url: string, method: string) =>
      when === 'before it is replaced' ? method === 'PUT' : method === 'GET' && url.endsWith(`/assets/${id}`)
    const { conflicts, files } = await push({ overwrite: new Set(['docs/a.txt']) }, {}, async (url, init) => {
      if (isDue(String(url), init?.method ?? 'GET')) await meanwhile()
      return fetch(url, init)
    })
    expect(conflicts, when).toMatchObject([{ code: 'QN-CONFLICT', file: 'docs/a.txt' }])
    expect(files.sent).toEqual([])
    const api = createClient({ baseUrl: service.url, key: service.key })
    expect((await api.assets.get(id)).digest, when).toBe(
      createHash('sha256').update(`Of another one, ${when}.`).digest('hex'),
    )
  }
})

describe('a file that is no longer part of the folder', () => {
  beforeEach(async () => {
    await write('docs/a.txt', 'A.')
    await write('docs/b.txt', 'B.')
    await write('docs/index.md', '---\ntitle: A\n---\n[A](a.txt) [B](b.txt)\n')
    await push({ publish: true })
    await write('docs/index.md', '---\ntitle: A\n---\n[B](b.txt)\n')
  })

  test('is none of static that no page names: it stays', async () => {
    await mkdir(join(folder, 'static'))
    await write('static/c.txt', 'C.')
    await write('docs/index.md', '---\ntitle: A\n---\n[A](a.txt) [B](b.txt) [C](/c.txt)\n')
    await push({ publish: true })
    await write('docs/index.md', '---\ntitle: A\n---\n[A](a.txt) [B](b.txt)\n')
    const { files } = await push({ publish: true, prune: true })
    expect([files.removed, files.unpruned, (await assetIds()).length]).toEqual([[], [], 3])
  })

  test('is reported, and removed with --prune', async () => {
    await rm(join(folder, 'docs/a.txt'))
    expect((await push({ publish: true })).files).toMatchObject({ removed: [], unpruned: ['docs/a.txt'] })
    expect((await push({ publish: true, prune: true, dryRun: true })).files.removed).toEqual(['docs/a.txt'])
    expect(await assetIds()).toHaveLength(2)
    const { files } = await push({ publish: true, prune: true })
    expect([files.removed, files.unpruned]).toEqual([['docs/a.txt'], []])
    expect(await assetIds()).toHaveLength(1)
  })

  test('stays while a live page shows it, until that is published', async () => {
    await rm(join(folder, 'docs/a.txt'))
    expect((await push({ prune: true })).files.removed).toEqual([])
    expect(await assetIds()).toHaveLength(2)
    expect((await push({ publish: true, prune: true })).files.removed).toEqual(['docs/a.txt'])
  })

  test('stays when it was replaced on the server, and is not a push’s any more', async () => {
    await rm(join(folder, 'docs/a.txt'))
    const { body } = await service.call('GET', `/projects/${project}/assets?q=a.txt`)
    await replace(body.data[0].id, 'Of another one.')
    expect((await push({ publish: true, prune: true })).files).toMatchObject({ removed: [], unpruned: [] })
    expect(await assetIds()).toHaveLength(2)
  })
})

async function push(
  request: Partial<PushRequest>,
  ports: Partial<PushPorts> = {},
  send: typeof fetch = fetch,
) {
  const { site } = await readSite(folder)
  const api = createClient({ baseUrl: service.url, key: service.key, fetch: send, retries: 0 })
  return pushSite(
    site,
    {
      project,
      folder: 'a-folder',
      publish: false,
      prune: false,
      overwrite: false,
      dryRun: false,
      ...request,
    },
    {
      api,
      monotonic: () => 0,
      onSent: () => {},
      onPublished: () => {},
      files: { read: (source) => readFileBody(join(folder, source)) },
      ...ports,
    },
  )
}

async function pause(): Promise<void> {
  await sleep(20)
}

async function write(name: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(folder, name), content)
}

async function replace(id: string, text: string): Promise<void> {
  const octets = { headers: { 'Content-Type': 'application/octet-stream' } }
  const answer = await service.call('PUT', `/assets/${id}/content`, Buffer.from(text), octets)
  expect(answer.status).toBe(200)
}

async function assetIds(): Promise<string[]> {
  const { body } = await service.call('GET', `/projects/${project}/assets`)
  return body.data.map(({ id }: { id: string }) => id)
}

async function page(): Promise<string> {
  const answer = await service.call('GET', `/public/${project}/docs/`, undefined, { key: null })
  expect(answer.status).toBe(200)
  return answer.body
}
