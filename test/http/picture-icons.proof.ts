import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const HOUR_MS = 60 * 60 * 1000
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }
const ICON = /^icon\.[0-9a-f]{16}-(\d+)\.png$/

const loaded = await loadDecoder()

describe.skipIf((await sharpIfInstalled()) === null)('the icons of a project that names a picture', () => {
  let service: TestService
  let project: string
  let time: number
  let derived: number

  beforeEach(async () => {
    time = Date.parse('2026-01-01T00:00:00.000Z')
    derived = 0
    const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
    service = await startService({
      now: () => new Date(time++).toISOString(),
      images: {
        ...images,
        derive(file, recipe, into) {
          if (recipe.format === 'png') derived += 1
          return images.derive(file, recipe, into)
        },
      },
    })
    project = await service.newProject()
    await service.call('PUT', `/projects/${project}/settings`, { social_cards: 'none' })
  })
  afterEach(() => service.close())

  test('are published with its pages, made once for all of them, and go when they are shown no more', async () => {
    await upload(await square(600))
    await name()
    const [first, second] = [await create('first'), await create('second')]
    await publish(first)
    await publish(second)
    expect(derived).toBe(4)
    expect(sides(await published())).toEqual([180, 192, 32, 512])
    const html = await visit('first/')
    expect(html.match(/rel="apple-touch-icon"[^>]*_media\/icon\./)).not.toBeNull()
    const { icons } = JSON.parse(await visit('site.webmanifest'))
    for (const { src } of icons) expect((await published()).map((key) => `_media/${key}`)).toContain(src)

    await service.call('PUT', `/projects/${project}/settings`, { favicon_url: null })
    expect((await read(first)).stale).toEqual(['settings', 'media'])
    for (const page of [first, second]) await publish(page)
    expect(await visit('first/')).not.toContain('_media/icon.')
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    expect(sides(await published())).toEqual([])
  })

  test('follow a replaced picture, and come back with a rollback', async () => {
    const { id } = await upload(await square(600))
    await name()
    const page = await create('a')
    await publish(page)
    const before = await visit('a/')
    const [{ id: release }] = (await service.call('GET', `/pages/${page}/releases`)).body.data
    await service.call('PUT', `/assets/${id}/content`, await square(601), OCTETS)
    await ready(id)
    expect((await read(page)).stale).toEqual(['media'])
    await publish(page)
    expect((await read(page)).stale).toEqual([])
    expect(iconsIn(await visit('a/'))).not.toEqual(iconsIn(before))
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    const back = await service.call('POST', `/pages/${page}/rollback`, { release_id: release })
    expect(back.status).toBe(200)
    expect(await visit('a/')).toBe(before)
    const names = await published()
    for (const key of iconsIn(before)) expect(names).toContain(key)
  })

  test('are none of a sealed site, of an SVG, and where pictures cannot be decoded', async () => {
    await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>'), 'icon.svg')
    await name('/media/icon.svg')
    await publish(await create('vector'))
    expect(sides(await published())).toEqual([])
    expect(JSON.parse(await visit('site.webmanifest')).icons).toEqual([
      {
        src: expect.stringMatching(/^_media\/icon\.[0-9a-f]{16}\.svg$/),
        sizes: 'any',
        type: 'image/svg+xml',
      },
    ])
    await upload(await square(600))
    await name()
    expect((await service.call('POST', `/projects/${project}/data-mode/enable`, {})).status).toBe(200)
    await publish(await create('sealed'))
    expect(sides(await published())).toEqual([])
  })

  const square = (side: number) => picture({ width: side, height: side, format: 'png', noise: true })
  const name = (favicon_url = '/media/icon.png') =>
    service.call('PUT', `/projects/${project}/settings`, { favicon_url })
  const create = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
  const read = async (page: string) => (await service.call('GET', `/pages/${page}`)).body.data
  const visit = async (path: string) => {
    const { body } = await service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
    return typeof body === 'string' ? body : JSON.stringify(body)
  }
  const iconsIn = (html: string) => [...html.matchAll(/_media\/(icon\.[^"]*\.png)/g)].map(([, key]) => key)
  const sides = (names: readonly string[]) =>
    names.flatMap((key) => (ICON.exec(key)?.[1] === undefined ? [] : [Number(ICON.exec(key)?.[1])])).sort()

  async function publish(page: string): Promise<void> {
    const answer = await service.call('POST', `/pages/${page}/publish`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }

  async function upload(bytes: Buffer, file = 'icon.png'): Promise<{ readonly id: string }> {
    const answer = await service.call('POST', `/projects/${project}/assets?name=${file}`, bytes, OCTETS)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    await ready(answer.body.data.id)
    return answer.body.data
  }

  /** Its smaller ones are pinned by a publish as well. */
  async function ready(id: string): Promise<void> {
    const status = async () => (await service.call('GET', `/assets/${id}`)).body.data.status
    await expect.poll(status).not.toBe('processing')
  }

  async function published(): Promise<readonly string[]> {
    return readdir(join(service.data, 'cdn', project, '_media')).catch(() => [])
  }

  async function tidyAfterHours(hours: number): Promise<void> {
    time += hours * HOUR_MS
    await service.server.service.runHousekeeping()
  }
})
