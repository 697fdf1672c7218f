import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { systemTimers } from '../../src/platform/clock.ts'
import { AWAITED_WAITS } from '../../src/services/publishing/social-pictures.ts'
import { finishedJob } from '../support/finished-job.ts'
import { sharpIfInstalled } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { serviceConfig } from '../support/test-database.ts'

const HOUR_MS = 60 * 60 * 1000
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }
const CARD = /^_media\/social\.[0-9a-f]{16}\.png$/
const CROP = /^_media\/social\.[0-9a-f]{16}\.jpg$/

const loaded = await loadDecoder()
const sharp = await sharpIfInstalled()

describe.skipIf(sharp === null)('the pictures for link previews of a published site', () => {
  let service: TestService
  let data: string
  let project: string
  let time: number
  let drawn: string[]
  let drawCard: ImageProcessor['drawCard']
  /** Whether the time that a publish waits for its picture is over at once. */
  let isLate: boolean

  beforeEach(async () => {
    time = Date.parse('2026-01-01T00:00:00.000Z')
    drawn = []
    isLate = false
    data = await mkdtemp(join(tmpdir(), 'quoin-social-'))
    await start()
    project = await service.newProject()
    await settings({ social_cards: 'pages', branding: { primary_color: '#0b6e4f' } })
  })
  afterEach(async () => {
    await service.close()
    await rm(data, { recursive: true, force: true })
  })

  test('are drawn cards of 1200 by 630 pixels, public with the page that names them', async () => {
    const page = await create()
    expect(await published()).toEqual([])
    await publish(page)
    const facts = await imageOf('a-page/')
    expect(facts).toMatchObject({ type: 'image/png', width: '1200', height: '630', alt: 'A page' })
    expect(facts.key).toMatch(CARD)
    const file = await visit(facts.key)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(file.headers.get('cache-control')).toContain('immutable')
    const decoded = await sharp?.(await readFile(join(data, 'cdn', project, facts.key)))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decoded?.info).toMatchObject({ width: 1200, height: 630, channels: 3 })
    expect([...(decoded?.data.subarray(0, 3) ?? [])]).toEqual([0x0b, 0x6e, 0x4f])
    expect((await read(page)).stale).toEqual([])
    expect(await differences()).toEqual([])
  })

  test('are drawn once: a page that is published again, or that has the same words, draws nothing', async () => {
    const page = await create()
    await publish(page)
    await publish(page)
    await edit(page, { markdown_content: 'Other.' })
    await publish(page)
    await publish(await create({ slug: 'twin' }))
    expect(drawn).toEqual(['A page'])
    expect((await imageOf('twin/')).key).toBe((await imageOf('a-page/')).key)
    expect(await published()).toHaveLength(1)
    await restart()
    await edit(page, { markdown_content: 'Once more.' })
    await publish(page)
    expect(drawn).toEqual([])
  })

  test('follow the title, the name of the site and its colours, and pages say that they are stale', async () => {
    const page = await create()
    await publish(page)
    const before = (await imageOf('a-page/')).key
    await edit(page, { title: 'Another title' })
    expect((await read(page)).stale).toEqual(['content'])
    await publish(page)
    const renamed = (await imageOf('a-page/')).key
    await settings({ branding: { primary_color: '#112233' } })
    expect((await read(page)).stale).toEqual(['settings'])
    await publish(page)
    const painted = (await imageOf('a-page/')).key
    expect(new Set([before, renamed, painted]).size).toBe(3)
    await settings({ social_cards: 'none' })
    expect((await read(page)).stale).toEqual(['settings'])
    await publish(page)
    expect((await imageOf('a-page/')).key).toBe('')
  })

  test('are in a dry run, which publishes none', async () => {
    const page = await create()
    const { body } = await service.call('POST', `/pages/${page}/publish?dry_run=true`, {})
    const keys = body.data.objects.map(({ key, action }: { key: string; action: string }) => [action, key])
    expect(keys).toContainEqual(['put', expect.stringMatching(CARD)])
    expect(await published()).toEqual([])
    await publish(page)
    expect(drawn).toEqual(['A page'])
    expect(await published()).toHaveLength(1)
  })

  test('are drawn for pages that are published in bulk, by a status and by a schedule', async () => {
    const first = await create({ slug: 'first', title: 'First' })
    const second = await create({ slug: 'second', title: 'Second' })
    const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: [first, second] })
    await finishedJob(service, body.data.id)
    const third = await create({ slug: 'third', title: 'Third' })
    await edit(third, { status: 'published' })
    for (const path of ['first/', 'second/', 'third/']) expect((await imageOf(path)).key).toMatch(CARD)
    expect([...drawn].sort()).toEqual(['First', 'Second', 'Third'])
    expect(await published()).toHaveLength(3)
    expect(await differences()).toEqual([])
  })

  test('are drawn once for publishes at a time that want the same one', async () => {
    const pages = []
    for (let i = 0; i < 8; i++) pages.push(await create({ slug: `page-${i}` }))
    await Promise.all(pages.map(publish))
    expect(drawn).toEqual(['A page'])
    for (let i = 0; i < 8; i++) expect((await imageOf(`page-${i}/`)).key).toMatch(CARD)
    expect(await differences()).toEqual([])
  })

  test('do not hold up a publish when they take long, and the next one finds them', async () => {
    const real = drawCard
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    drawCard = async (...args) => {
      await opened
      return real(...args)
    }
    isLate = true
    const page = await create()
    await publish(page)
    expect((await imageOf('a-page/')).key).toBe('')
    expect((await read(page)).stale).toEqual(['media'])
    isLate = false
    open()
    await publish(page)
    expect((await imageOf('a-page/')).key).toMatch(CARD)
    expect(drawn).toEqual(['A page'])
  })

  test('come back with a rollback, are repaired, and go a day after the page', async () => {
    const page = await create()
    await publish(page)
    const { key } = await imageOf('a-page/')
    const [{ id: release }] = (await service.call('GET', `/pages/${page}/releases`)).body.data
    await edit(page, { title: 'Another title' })
    await publish(page)
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    expect(await published()).not.toContain(key.slice(7))
    const back = await service.call('POST', `/pages/${page}/rollback`, { release_id: release })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect((await imageOf('a-page/')).key).toBe(key)
    expect((await visit(key)).status).toBe(200)
    expect(drawn).toEqual(['A page', 'Another title'])

    await rm(join(data, 'cdn', project, key))
    expect(await differences(true)).toMatchObject([{ kind: 'missing', key, repaired: true }])
    expect((await visit(key)).status).toBe(200)
    await service.call('DELETE', `/pages/${page}`)
    time += 100 * 24 * HOUR_MS
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect([await published(), await stored()]).toEqual([[], []])
  })

  test('are crops of the picture that a page or its site names, around the focus of the asset', async () => {
    const halves = await twoColours()
    const { id } = await upload('halves.png', halves)
    await settings({ og_image_url: '/media/halves.png' })
    const page = await create()
    await publish(page)
    expect((await imageOf('a-page/')).key).toMatch(CROP)
    const middle = await colourAt(0)
    await service.call('PUT', `/assets/${id}`, { focus: { x: 0.5, y: 0 } })
    expect((await read(page)).stale).toEqual(['media'])
    await publish(page)
    const top = await colourAt(629)
    // The upper half is red and the lower one blue: around the middle a crop has both, at the top one.
    expect([middle[0], middle[2]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
    expect([top[0], top[2]].map((value) => (value ?? 0) > 128)).toEqual([true, false])
    expect(drawn).toEqual([])
    expect(await differences()).toEqual([])
  })

  test('are none on sealed pages, and none stay public when a page is sealed', async () => {
    const page = await create()
    await publish(page)
    expect(await published()).toHaveLength(1)
    expect((await service.call('POST', `/projects/${project}/data-mode/enable`, {})).status).toBe(200)
    await publish(await create({ slug: 'sealed', title: 'Sealed' }))
    await publish(page)
    expect(await published()).toEqual([])
    expect(drawn).toEqual(['A page'])
  })

  test('do not hold up a publish when they cannot be made: the page names none and is not stale', async () => {
    await restart(null)
    const page = await create()
    await publish(page)
    expect((await imageOf('a-page/')).key).toBe('')
    expect((await read(page)).stale).toEqual([])
  })

  test('are left out for an account without room, and the page is published', async () => {
    await service.server.service.accounts.setLimits(service.userId, { media_bytes: 100 })
    const page = await create()
    await publish(page)
    expect((await imageOf('a-page/')).key).toBe('')
    await service.server.service.accounts.setLimits(service.userId, null)
    await publish(page)
    expect((await imageOf('a-page/')).key).toMatch(CARD)
  })

  test('are tried again, when they fail, by the next publish, for which the page is stale', async () => {
    const real = drawCard
    drawCard = async () => {
      throw new Error('The process ended.')
    }
    const page = await create()
    await publish(page)
    expect((await imageOf('a-page/')).key).toBe('')
    expect((await read(page)).stale).toEqual(['media'])
    drawCard = real
    await publish(page)
    expect((await imageOf('a-page/')).key).toMatch(CARD)
    expect((await read(page)).stale).toEqual([])
  })

  test('are removed from the media store when no publish took them', async () => {
    await service.call('POST', `/pages/${await create()}/publish?dry_run=true`, {})
    expect(await stored()).toHaveLength(1)
    await tidyAfterHours(2)
    expect(await stored()).toEqual([])
    expect(await readdir(join(data, 'uploads'))).toEqual([])
  })

  async function restart(decoder?: null): Promise<void> {
    await service.close()
    drawn = []
    await start(decoder)
  }

  /** On a busy machine a drawing takes longer than a publish waits: here it comes in time, or late. */
  function drawingWait(): number {
    return isLate ? 0 : HOUR_MS
  }

  /** @param decoder null for a machine that does not decode pictures. */
  async function start(decoder = 'decoder' in loaded ? loaded.decoder : null): Promise<void> {
    const images = createInProcessImages(decoder)
    drawCard = images.drawCard
    service = await startService({
      data,
      now: () => new Date(time++).toISOString(),
      timers: {
        ...systemTimers,
        after: (ms, act) => systemTimers.after(ms === AWAITED_WAITS.drawing ? drawingWait() : ms, act),
      },
      images: {
        ...images,
        drawCard(card, into) {
          drawn.push(card.title)
          return drawCard(card, into)
        },
      },
    })
  }

  /** What the document of a page says about its picture; an empty key for none. */
  async function imageOf(path: string) {
    const { body } = await visit(path)
    const facts = Object.fromEntries(
      [...body.matchAll(/<meta property="og:image:?(\w*)" content="([^"]*)">/g)].map(([, name, value]) => [
        name || 'url',
        value,
      ]),
    )
    const at = facts['url']?.indexOf('_media/') ?? -1
    return { ...facts, key: at === -1 ? '' : (facts['url']?.slice(at) ?? '') }
  }

  /** The colour in the middle of a row of the crop of the page. */
  async function colourAt(row: number): Promise<readonly number[]> {
    const { key } = await imageOf('a-page/')
    const file = await readFile(join(data, 'cdn', project, key))
    const pixels = await sharp?.(file).raw().toBuffer()
    const at = 3 * (1200 * row + 600)
    return [...(pixels?.subarray(at, at + 3) ?? [])]
  }

  /** A picture, twice as high as wide, that is red above its middle and blue under it. */
  async function twoColours(): Promise<Buffer> {
    const half = (background: string) =>
      ({ create: { width: 600, height: 600, channels: 3, background } }) as const
    if (sharp === null) throw new Error('The package sharp is not installed.')
    return sharp({ create: { width: 600, height: 1200, channels: 3, background: '#ff0000' } })
      .composite([{ input: half('#0000ff'), left: 0, top: 600 }])
      .png()
      .toBuffer()
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  async function upload(name: string, bytes: Buffer): Promise<any> {
    const answer = await service.call('POST', `/projects/${project}/assets?name=${name}`, bytes, OCTETS)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const { id } = answer.body.data
    const status = async () => (await service.call('GET', `/assets/${id}`)).body.data.status
    await expect.poll(status).not.toBe('processing')
    return answer.body.data
  }
  async function edit(page: string, fields: object): Promise<void> {
    const answer = await service.call('PUT', `/pages/${page}`, fields)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  async function settings(fields: object): Promise<void> {
    const answer = await service.call('PUT', `/projects/${project}/settings`, fields)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  async function publish(id: string): Promise<void> {
    const answer = await service.call('POST', `/pages/${id}/publish`, {})
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const create = async (fields: object = {}): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(project, { type: 'page', ...fields }))).body.data.id
  const read = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
  const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
  const tidyAfterHours = async (hours: number) => {
    time += hours * HOUR_MS
    await service.server.service.runHousekeeping()
  }
  const published = () => readdir(join(data, 'cdn', project, '_media')).catch(() => [])

  /** Names in the private media store. */
  async function stored(): Promise<readonly string[]> {
    const found = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true })
    return found.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  async function differences(repair = false): Promise<readonly unknown[]> {
    const config = await serviceConfig(data)
    const open = await openVerification(config, { recover: false })
    try {
      const wanted = { project: project.slice(5) as ProjectId, repair, media: true, onProgress: () => {} }
      return (await open.verification.verify(wanted)).findings
    } finally {
      await open.close()
    }
  }
})
