import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadDecoder } from '../../src/images/decoder.ts'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const MINUTE_MS = 60_000
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }
/** A job is looked for once a second. */
const SOON = { timeout: 20_000, interval: 200 }

const loaded = await loadDecoder()
const isInstalled = (await sharpIfInstalled()) !== null && 'decoder' in loaded

describe.skipIf(!isInstalled)('a live page of which smaller pictures come after its publish', () => {
  let service: TestService
  let project: string
  /** How far the clock of the service is ahead. */
  let ahead: number
  /** Derivations wait for it, by format. */
  let gates: Record<string, Promise<void>>
  let derived: string[]
  let photo: Buffer

  beforeEach(async () => {
    ahead = 0
    gates = {}
    derived = []
    photo = await picture({ width: 400, height: 200, format: 'jpeg', noise: true })
    const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
    const derive: ImageProcessor['derive'] = async (file, recipe, into) => {
      await gates[recipe.format]
      derived.push(recipe.format)
      return images.derive(file, recipe, into)
    }
    service = await startService({
      now: () => new Date(Date.now() + ahead).toISOString(),
      images: { ...images, derive },
    })
    project = await service.newProject()
  })
  afterEach(() => service.close())

  test('gets them within a minute of the last one, and nothing that was edited since', async () => {
    const open = close('webp')
    const { body: hook } = await service.call('POST', `/projects/${project}/webhooks`, {
      url: 'https://hooks.example.com/a',
      events: ['page.published', 'release.rolled_back', 'page.updated'],
    })
    await upload('a.jpg', photo)
    const page = await create({ markdown_content: 'As published.\n\n![](/media/a.jpg)', title: 'Published' })
    await publish(page)
    await put(`/pages/${page}`, { markdown_content: 'Edited.\n\n![](/media/a.jpg)', title: 'Edited' })
    await put(`/projects/${project}/settings`, { footer_text: 'An unpublished footer.', theme: 'dark' })
    const publishAt = new Date(Date.now() + 24 * 60 * MINUTE_MS).toISOString()
    await service.call('POST', `/pages/${page}/publish`, { publish_at: publishAt })
    const [before, sent] = [await read(page), await deliveries(hook.data.id)]
    const former = (await visit('a-page/')).body
    expect(former).not.toContain('<picture>')

    open()
    await ready()
    expect((await read(page)).stale).toContain('media')
    ahead += MINUTE_MS
    await expect.poll(async () => (await read(page)).stale, SOON).not.toContain('media')
    const html = (await visit('a-page/')).body
    expect(html).toMatch(/type="image\/avif"/)
    expect(html).toContain('As published.')
    expect(html).not.toMatch(/Edited|An unpublished footer/)
    const after = await read(page)
    expect(after).toEqual({ ...before, stale: before.stale.filter((reason: string) => reason !== 'media') })
    expect([after.has_unpublished_changes, after.title ?? after.page_name]).toEqual([true, 'Edited'])
    expect(await deliveries(hook.data.id)).toEqual(sent)

    const [refreshed, published] = (await service.call('GET', `/pages/${page}/releases`)).body.data
    expect(refreshed).toMatchObject({
      op: 'refresh',
      current: true,
      title: 'Published',
      restores: published.id,
    })
    const key = await service.newKey({ permissions: ['read', 'manage'] })
    const acts = `/projects/${project}/audit?act=page.refresh`
    const { body: audit } = await service.call('GET', acts, undefined, { key })
    expect(audit.data).toMatchObject([{ act: 'page.refresh', actor: { type: 'service' } }])
  })

  test('is left alone where people decide it: with media_refresh manual, and when the file was replaced', async () => {
    const open = close('webp')
    const manual = await service.newProject()
    await put(`/projects/${manual}/settings`, { media_refresh: 'manual' })
    await upload('a.jpg', photo, manual)
    const left = await create({ slug: 'left', markdown_content: '![](/media/a.jpg)' }, manual)
    await upload('b.jpg', await another())
    const uploaded = await upload('c.jpg', await another())
    const refreshed = await create({ slug: 'refreshed', markdown_content: '![](/media/b.jpg)' })
    const replaced = await create({ slug: 'replaced', markdown_content: '![](/media/c.jpg)' })
    for (const id of [left, refreshed, replaced]) await publish(id)
    await service.call('PUT', `/assets/${uploaded.id}/content`, await another(), OCTETS)
    open()
    await ready()
    await ready(manual)
    ahead += MINUTE_MS
    await expect.poll(async () => (await read(refreshed)).stale, SOON).toEqual([])
    ahead += 20 * MINUTE_MS
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    for (const id of [left, replaced])
      expect([(await read(id)).stale, await refreshes(id)]).toEqual([['media'], 0])
  })

  test('waits for the rest of its pictures, but no longer than ten minutes', async () => {
    const open = close('avif')
    const late = close('webp')
    await upload('a.jpg', photo)
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    await publish(page)
    late()
    await expect.poll(async () => (await read(page)).stale, SOON).toEqual(['media'])
    ahead += MINUTE_MS
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await refreshes(page)).toBe(0)
    ahead += 10 * MINUTE_MS
    await expect.poll(() => refreshes(page), SOON).toBe(1)
    expect((await visit('a-page/')).body).toMatch(/type="image\/webp"/)
    open()
    await ready()
    ahead += MINUTE_MS
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await refreshes(page)).toBe(1)
    ahead += 10 * MINUTE_MS
    await expect.poll(async () => (await read(page)).stale, SOON).toEqual([])
    expect([await refreshes(page), (await visit('a-page/')).body]).toEqual([
      2,
      expect.stringContaining('avif'),
    ])
  })

  test('has WebP at once where that comes within five seconds, of all pictures before any AVIF', async () => {
    const open = close('webp')
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await upload(name, await another())
    const page = await create({ markdown_content: '![](/media/a.jpg) ![](/media/b.jpg) ![](/media/c.jpg)' })
    const publishing = publish(page)
    open()
    await publishing
    expect((await visit('a-page/')).body.match(/<source type="image\/webp"/g)).toHaveLength(3)
    await ready()
    const firstAvif = derived.indexOf('avif')
    expect(derived.slice(0, firstAvif)).toEqual(derived.filter((format) => format === 'webp'))
    expect(derived.length).toBeGreaterThan(firstAvif)
  })

  test('goes live within the time of a request while no picture comes', async () => {
    const open = close('webp')
    await upload('a.jpg', photo)
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    const began = performance.now()
    await publish(page)
    expect(performance.now() - began).toBeGreaterThan(4_500)
    expect((await visit('a-page/')).body).not.toContain('<picture>')
    open()
  })

  /** Holds the derivation of one format. @returns a function that lets it go on. */
  function close(format: string): () => void {
    let open = () => {}
    gates[format] = new Promise((resolve) => (open = resolve))
    return open
  }

  let pictures = 0
  function another(): Promise<Buffer> {
    return picture({ width: 400 + ++pictures, height: 200, format: 'jpeg', noise: true })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  async function upload(name: string, bytes: Buffer, to = project): Promise<any> {
    const answer = await service.call('POST', `/projects/${to}/assets?name=${name}`, bytes, OCTETS)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }
  const create = async (fields: object, to = project): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(to, fields))).body.data.id
  const put = async (path: string, body: object) =>
    expect((await service.call('PUT', path, body)).status).toBe(200)
  const publish = async (id: string) => {
    const answer = await service.call('POST', `/pages/${id}/publish`, {})
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const read = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
  const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
  /** How many refreshes went live. One under way is listed too. */
  const refreshes = async (id: string) =>
    (await service.call('GET', `/pages/${id}/releases`)).body.data.filter(
      ({ op, state }: { op: string; state: string }) => op === 'refresh' && state === 'succeeded',
    ).length
  const deliveries = async (hook: string) =>
    (await service.call('GET', `/projects/${project}/webhooks/${hook}/deliveries`)).body.data.map(
      ({ event }: { event: string }) => event,
    )

  /** Waits until every picture of the project has all its smaller ones. */
  const ready = (of = project) =>
    expect
      .poll(async () => {
        const { body } = await service.call('GET', `/projects/${of}/assets`)
        return body.data.every(({ status }: { status: string }) => status === 'ready')
      }, SOON)
      .toBe(true)
})
