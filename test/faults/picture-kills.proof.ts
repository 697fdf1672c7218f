import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LONG } from './long-form.ts'
import { callApi } from './site-client.ts'
import { storeDifferences } from './store-differences.ts'
import { startVictim } from './victim.ts'

const UPLOADS = [
  'put original before',
  'put original after',
  'COMMIT of variants before',
  'COMMIT of variants after',
]
const DERIVATIONS = [
  'put variant before',
  'put variant after',
  'COMMIT of variant before',
  'COMMIT of variant after',
]
const DELETIONS = ['delete original before', 'delete original after', 'COMMIT of original before']

const isLong = LONG !== null || LONG_FORM
const points = isLong
  ? [...UPLOADS, ...DERIVATIONS, ...DELETIONS]
  : ['put variant after', 'COMMIT of variant after', 'delete original after']

test.skipIf((await sharpIfInstalled()) === null)(
  'a service that is killed anywhere between an upload and its last smaller picture, or in its deletion, completes it and leaves nothing else',
  async () => {
    const data = await temporaryFolder()
    let victim = await startVictim(data, 'lean')
    onTestFinished(() => victim.kill())
    const call = async (method: string, path: string, body?: object) =>
      (await callApi(victim, method, path, body)).body?.data
    const project = (await call('POST', '/projects', { name: 'Album' })).id
    const expected = new Set<string>()

    for (const [at, point] of points.entries()) {
      const name = `photo-${at}.jpg`
      const photo = await picture({ width: 700 + at, height: 300, format: 'jpeg', noise: true })
      const isDeletion = DELETIONS.includes(point)
      if (isDeletion) {
        await upload(name, photo)
        await expect.poll(async () => (await find(name))?.status).toBe('ready')
      }
      const before = await find(name)
      await victim.arm({ point, project, failPut: null })
      const act = isDeletion ? callApi(victim, 'DELETE', `/assets/${before.id}`) : upload(name, photo)
      await act.catch(() => null)
      await victim.ended
      victim = await startVictim(data, 'lean')

      // An upload without an answer is repeated, and so is a deletion.
      if (isDeletion) {
        await callApi(victim, 'DELETE', `/assets/${before.id}`)
        expect(await find(name), point).toBeUndefined()
        continue
      }
      expect((await upload(name, photo)).status, point).toBeLessThan(300)
      await expect.poll(async () => (await find(name)).status).toBe('ready')
      const { variants } = await find(name)
      expect(variants.length, point).toBeGreaterThanOrEqual(4)
      expected.add(name)
      const page = { project_id: project, title: name, slug: `page-${at}`, subroute: 'docs', type: 'docs' }
      const { id } = await call('POST', '/pages', { ...page, markdown_content: `![](/media/${name})` })
      expect((await callApi(victim, 'POST', `/pages/${id}/publish`)).status, point).toBe(200)
      for (const { url, bytes } of variants) {
        const file = await fetch(`${victim.url}/public/${project}${url}`)
        expect([point, file.status, (await file.arrayBuffer()).byteLength]).toEqual([point, 200, bytes])
      }
    }
    expect(await storeDifferences(data, project)).toEqual([])

    // The next start is two hours later, so that its sweep removes what the killed ones left.
    victim.kill()
    await victim.ended
    victim = await startVictim(data, 'lean', 2 * 60 * 60_000)
    const assets = await call('GET', `/projects/${project}/assets?limit=100`)
    expect(new Set(assets.map(({ name }: { name: string }) => name))).toEqual(expected)
    // The age of a temporary file is that of the disk's clock.
    const uploads = join(data, 'uploads')
    const aged = new Date(Date.now() - 48 * 60 * 60_000)
    for (const file of await readdir(uploads)) await utimes(join(uploads, file), aged, aged)
    await victim.tidy()
    const stored = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true })
    const count = assets.reduce((sum: number, { variants }: { variants: [] }) => sum + 1 + variants.length, 0)
    expect(stored.filter((entry) => entry.isFile())).toHaveLength(count)
    expect(await readdir(uploads)).toEqual([])
    expect(await storeDifferences(data, project)).toEqual([])

    async function upload(name: string, photo: Buffer): Promise<Response> {
      return fetch(`${victim.url}/projects/${project}/assets?name=${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${victim.key}`, 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(photo),
      })
    }
    // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
    async function find(name: string): Promise<any> {
      const [asset] = await call('GET', `/projects/${project}/assets?q=${name}`)
      return asset
    }
  },
  600_000,
)
