import { createDecipheriv } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decryptAsset } from '../../../src/client/decrypt-asset.ts'
import { loadDecoder } from '../../../src/images/decoder.ts'
import { createInProcessImages } from '../../../src/images/in-process.ts'
import { finishedJob } from '../../support/finished-job.ts'
import { flatPng, picture } from '../../support/pictures.ts'
import { startService, type TestService } from '../../support/service.ts'
import { mediaSiteOf } from './media-site.ts'

const HOUR_MS = 60 * 60 * 1000
const ADA = flatPng(40, 20)
const BOB = flatPng(60, 30)
const PDF = Buffer.from('%PDF-1.7\n%A report that only readers may have.\n')

let service: TestService
let site: ReturnType<typeof mediaSiteOf>
let time: number

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00.000Z')
  service = await startService({ now: () => new Date(time++).toISOString() })
  site = mediaSiteOf(service, await service.newProject())
})
afterEach(() => service.close())

const tidyAfterHours = async (hours: number) => {
  time += hours * HOUR_MS
  await service.server.service.runHousekeeping()
}

describe('a picture of a page in Data Mode', () => {
  test('is iv, ciphertext and tag in a file that the page names, for any AES-256-GCM client', async () => {
    const key = await site.keyOf('enable')
    await site.upload('team/ada.png', ADA)
    await site.upload('report.pdf', PDF)
    const markdown = '![Ada](/media/team/ada.png) [The report](/media/report.pdf)'
    await site.publishNew({ slug: 'team', markdown_content: markdown })

    const page = await site.open(key, 'team.json')
    expect(page.html).toContain('<img src="/media/team/ada.png" alt="Ada"')
    expect(page.html).toContain('width="40" height="20"')
    const { '/media/team/ada.png': ada, '/media/report.pdf': report } = page.assets ?? {}
    expect(ada).toMatchObject({
      content_type: 'image/png',
      width: 40,
      height: 20,
      bytes: ADA.length,
      variants: [],
    })
    expect(report).toMatchObject({ content_type: 'application/pdf', width: null, height: null })
    expect(await site.media()).toEqual([ada?.file, report?.file].sort())
    for (const [asset, bytes] of [
      [ada, ADA],
      [report, PDF],
    ] as const) {
      expect(asset?.file).toMatch(/^_media\/[0-9a-f]{32}\.bin$/)
      const sealed = await site.bytes(asset?.file ?? '')
      expect(sealed.length).toBe(bytes.length + 28)
      const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(-16))
      expect(Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])).toEqual(bytes)
      expect(Buffer.from(await site.openAsset(key, asset))).toEqual(bytes)
    }
    expect(await site.showsAnywhere(ADA, PDF)).toEqual([])
    expect(await site.differences()).toEqual([])
  })

  test('is served as bytes that no browser interprets, and never change', async () => {
    const key = await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png)' })
    const { file } = (await site.asset(key, 'ada.json', '/media/ada.png')) ?? {}
    const { status, headers } = await fetch(`${service.url}/public/${site.project}/${file}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is named by nothing that tells its bytes: two projects with one picture have two names', async () => {
    const other = mediaSiteOf(service, await service.newProject())
    const names: string[] = []
    for (const one of [site, other]) {
      await one.keyOf('enable')
      await one.upload('ada.png', ADA)
      await one.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png)' })
      names.push(...(await one.media()))
    }
    expect(new Set(names).size).toBe(2)
  })

  test('is one file for all pages that show it, under any name', async () => {
    const key = await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    await site.upload('lovelace.png', ADA)
    await site.publishNew({ slug: 'one', markdown_content: '![](/media/ada.png)' })
    await site.publishNew({ slug: 'two', markdown_content: '![](/media/lovelace.png)' })
    expect(await site.media()).toHaveLength(1)
    const names = [
      await site.asset(key, 'one.json', '/media/ada.png'),
      await site.asset(key, 'two.json', '/media/lovelace.png'),
    ].map((asset) => asset?.file)
    expect(names[0]).toBe(names[1])
  })

  test('makes the page stale when it is replaced, and comes back with a rollback under the key of today', async () => {
    await site.keyOf('enable')
    const asset = await site.upload('ada.png', ADA)
    const id = await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png)' })
    expect((await site.page(id)).stale).toEqual([])
    const [first] = (await service.call('GET', `/pages/${id}/releases`)).body.data
    await site.replace(asset, BOB)
    expect((await site.page(id)).stale).toEqual(['media'])
    await site.publish(id)
    expect((await site.page(id)).stale).toEqual([])
    const key = await site.keyOf('regenerate-key')
    expect(await site.shown(key, 'ada.json', '/media/ada.png')).toEqual(BOB)
    const back = await service.call('POST', `/pages/${id}/rollback`, { release_id: first.id })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    expect(await site.shown(key, 'ada.json', '/media/ada.png')).toEqual(ADA)
    expect((await site.page(id)).stale).toEqual(['media'])
    expect(await site.showsAnywhere(ADA, BOB)).toEqual([])
    expect(await site.differences()).toEqual([])
  })

  test('goes a day after the last page that shows it', async () => {
    await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    const id = await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png)' })
    await tidyAfterHours(30)
    expect(await site.media()).toHaveLength(1)
    await site.unpublish(id)
    await tidyAfterHours(1)
    expect(await site.media()).toHaveLength(1)
    await tidyAfterHours(25)
    expect(await site.media()).toEqual([])
    expect(await site.differences()).toEqual([])
  })

  test('is in a dry run, and is not uploaded again for another page', async () => {
    await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    const one = await site.create({ slug: 'one', markdown_content: '![](/media/ada.png)' })
    const two = await site.create({ slug: 'two', markdown_content: '![](/media/ada.png)' })
    const planned = async (id: string) =>
      (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data.objects.filter(
        ({ key }: { key: string }) => key.startsWith('_media/'),
      )
    const [object] = await planned(one)
    expect(object).toMatchObject({ action: 'put', reason: 'new', size: ADA.length + 28 })
    await site.publish(one)
    expect(await site.media()).toEqual([object.key])
    expect(await planned(two)).toMatchObject([{ key: object.key, action: 'keep' }])
  })

  test('is in the list of articles of another page too, sealed, and never in plain', async () => {
    const key = await site.keyOf('enable')
    const cover = await site.upload('covers/ada.png', ADA)
    const article = { type: 'article', subroute: 'blog', slug: 'ada' }
    const ada = await site.publishNew({ ...article, config: { image: '/media/covers/ada.png' } })
    const sections = [{ type: 'posts', props: { heading: 'News' } }]
    const home = await site.publishNew({ type: 'page', slug: 'home', config: { sections } })
    const { html } = await site.open(key, 'home.json')
    expect(html).toContain('src="/media/covers/ada.png"')
    expect(html).toContain('width="40" height="20"')
    expect(await site.shown(key, 'home.json', '/media/covers/ada.png')).toEqual(ADA)
    expect(await site.media()).toHaveLength(1)
    expect(await site.showsAnywhere(ADA, BOB)).toEqual([])

    await site.replace(cover, BOB)
    await site.publish(ada)
    expect((await site.page(home)).stale).toEqual(['collection'])
    expect(await site.shown(key, 'home.json', '/media/covers/ada.png')).toEqual(ADA)
    await site.publish(home)
    expect(await site.shown(key, 'home.json', '/media/covers/ada.png')).toEqual(BOB)
    expect((await site.page(home)).stale).toEqual([])

    const { body } = await service.call('GET', `/pages/${home}/releases`)
    const release_id = body.data.at(-1).id
    expect((await service.call('POST', `/pages/${home}/rollback`, { release_id })).status).toBe(200)
    const renewed = await site.keyOf('regenerate-key')
    expect(await site.shown(renewed, 'home.json', '/media/covers/ada.png')).toEqual(BOB)
    await site.unpublish(ada)
    await tidyAfterHours(30)
    expect(await site.shown(renewed, 'home.json', '/media/covers/ada.png')).toEqual(BOB)
    expect(await site.differences()).toEqual([])
    await site.publish(home)
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    expect(await site.media()).toEqual([])
  })

  test('is a warning when no asset has it, and nothing of the settings is published or missed', async () => {
    await site.keyOf('enable')
    await site.upload('logo.png', ADA)
    await service.call('PUT', `/projects/${site.project}/settings`, {
      logo_url: '/media/logo.png',
      favicon_url: '/media/gone.png',
    })
    const id = await site.create({ slug: 'ada', markdown_content: '![](/media/lost.png)' })
    const { warnings } = (await site.publish(id)).body.data
    expect(warnings).toMatchObject([{ code: 'QN-DEADLINK', message: expect.stringContaining('"lost.png"') }])
    const strict = await service.call('POST', `/pages/${id}/publish`, { strict: true })
    expect(strict.status).toBe(422)
    expect(await site.media()).toEqual([])
    expect((await site.page(id)).stale).toEqual([])
  })

  test('goes with its project', async () => {
    await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png)' })
    await service.call('PUT', `/projects/${site.project}`, { status: 'archived' })
    expect((await service.call('DELETE', `/projects/${site.project}`)).status).toBe(200)
    expect(await readdir(join(service.data, 'cdn'))).toEqual([])
  })
})

describe('a store that lost or changed sealed files', () => {
  test('is found out and repaired: missing, cut off, changed, swapped, or with the plaintext in its place', async () => {
    const key = await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    await site.upload('bob.png', BOB)
    await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png) ![](/media/bob.png)' })
    const file = async (name: string) =>
      (await site.asset(key, 'ada.json', `/media/${name}.png`))?.file ?? expect.unreachable()
    const [ada, bob] = [await file('ada'), await file('bob')]
    const sealed = await site.bytes(ada)
    const flipped = Buffer.from(sealed)
    flipped[40] = (flipped[40] ?? 0) ^ 1
    const torn = [
      sealed.subarray(0, -1),
      sealed.subarray(0, 20),
      Buffer.alloc(0),
      flipped,
      ADA,
      await site.bytes(bob),
    ]
    for (const bytes of torn) {
      await writeFile(site.path(ada), bytes)
      await expect(site.shown(key, 'ada.json', '/media/ada.png')).rejects.toThrow()
      expect(await site.differences()).toMatchObject([{ kind: 'altered', key: ada }])
      expect(await site.differences(true)).toMatchObject([{ kind: 'altered', key: ada, repaired: true }])
      expect(await site.shown(key, 'ada.json', '/media/ada.png')).toEqual(ADA)
    }
    await rm(site.path(ada))
    expect(await site.differences(true)).toMatchObject([{ kind: 'missing', key: ada, repaired: true }])
    expect(await site.shown(key, 'ada.json', '/media/ada.png')).toEqual(ADA)
    // Every repair was a sealing of its own.
    expect((await site.bytes(ada)).subarray(0, 12)).not.toEqual(sealed.subarray(0, 12))
  })

  test('cannot pass off one picture as another one, although one key opens both', async () => {
    const key = await site.keyOf('enable')
    await site.upload('ada.png', ADA)
    await site.upload('bob.png', BOB)
    await site.publishNew({ slug: 'ada', markdown_content: '![](/media/ada.png) ![](/media/bob.png)' })
    const ada = await site.asset(key, 'ada.json', '/media/ada.png')
    const bob = await site.asset(key, 'ada.json', '/media/bob.png')
    const ofBob = new Uint8Array(await site.bytes(bob?.file ?? ''))
    await expect(decryptAsset(key, ofBob, ada ?? expect.unreachable())).rejects.toThrow(
      `${ada?.file} holds another file than the page names.`,
    )
  })
})

describe('a site with pictures', () => {
  let pages: string[]
  beforeEach(async () => {
    await site.upload('ada.png', ADA)
    await site.upload('logo.png', BOB)
    await service.call('PUT', `/projects/${site.project}/settings`, { logo_url: '/media/logo.png' })
    pages = []
    for (const slug of ['one', 'two'])
      pages.push(await site.publishNew({ slug, markdown_content: `![](/media/ada.png) ${slug}` }))
    expect(await site.showsAnywhere(ADA, BOB)).toHaveLength(2)
  })

  test('loses the plaintext of a picture with the last plain page that shows it, at once', async () => {
    const key = await site.keyOf('enable')
    expect(await site.showsAnywhere(ADA)).toHaveLength(1)
    await site.publish(pages[0] ?? '')
    expect(await site.shown(key, 'one.json', '/media/ada.png')).toEqual(ADA)
    // The other page is plain and shows it.
    expect(await site.showsAnywhere(ADA)).toHaveLength(1)
    await site.publish(pages[1] ?? '')
    expect(await site.showsAnywhere(ADA, BOB)).toEqual([])
    expect(await site.media()).toHaveLength(1)
    expect(await site.differences()).toEqual([])
  })

  test('is converted by a bulk publish, and by a new key', async () => {
    await site.keyOf('enable')
    const { body } = await service.call('POST', `/projects/${site.project}/publish`, { pages: 'all' })
    expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
    expect(await site.showsAnywhere(ADA, BOB)).toEqual([])

    const other = mediaSiteOf(service, await service.newProject())
    await other.upload('ada.png', ADA)
    for (const slug of ['one', 'two'])
      await other.publishNew({ slug, markdown_content: `![](/media/ada.png) ${slug}` })
    await other.keyOf('enable')
    const key = await other.keyOf('regenerate-key')
    expect(await other.shown(key, 'two.json', '/media/ada.png')).toEqual(ADA)
    expect(await other.showsAnywhere(ADA)).toEqual([])
    expect(await other.media()).toHaveLength(1)
    expect(await other.differences()).toEqual([])
    expect((await other.page(await other.publishNew({ slug: 'three' }))).stale).toEqual([])
  })

  test('has all of them under the new key, at other names, and nothing opens with the previous one', async () => {
    const previous = await site.keyOf('enable')
    await site.publish(pages[0] ?? '')
    const before = (await site.asset(previous, 'one.json', '/media/ada.png')) ?? expect.unreachable()
    const sealed = await site.bytes(before.file)
    const key = await site.keyOf('regenerate-key')
    const after = (await site.asset(key, 'one.json', '/media/ada.png')) ?? expect.unreachable()
    expect(after.digest).toBe(before.digest)
    expect(after.file).not.toBe(before.file)
    expect(await site.media()).toEqual([after.file])
    expect(await site.shown(key, 'one.json', '/media/ada.png')).toEqual(ADA)
    expect(await site.shown(key, 'two.json', '/media/ada.png')).toEqual(ADA)
    await expect(site.openAsset(previous, after)).rejects.toThrow()
    expect((await site.bytes(after.file)).equals(sealed)).toBe(false)
    expect(await site.differences()).toEqual([])
    for (const hours of [1, 30]) await tidyAfterHours(hours)
    expect(await site.media()).toEqual([after.file])
    const next = await site.keyOf('regenerate-key')
    expect(await site.shown(next, 'one.json', '/media/ada.png')).toEqual(ADA)
    expect(await site.media()).toHaveLength(1)
  })

  test('keeps sealed pictures for the readers of sealed pages when Data Mode is off, as long as those stay', async () => {
    const key = await site.keyOf('enable')
    for (const id of pages) await site.publish(id)
    await site.act('disable')
    for (const id of pages) await site.publish(id)
    expect(await site.showsAnywhere(ADA)).toHaveLength(1)
    for (const hours of [1, 30]) await tidyAfterHours(hours)
    // Long after, when the releases that wrote them would be pruned.
    for (let n = 0; n < 7; n++) {
      await site.edit(pages[0] ?? '', { title: `Title ${n}` })
      await site.publish(pages[0] ?? '')
    }
    for (const hours of [24 * 200, 24 * 400]) await tidyAfterHours(hours)
    expect(await site.shown(key, 'one.json', '/media/ada.png')).toEqual(ADA)
    const { file } = (await site.asset(key, 'one.json', '/media/ada.png')) ?? expect.unreachable()
    await rm(site.path(file))
    expect(await site.differences(true)).toMatchObject([{ kind: 'missing', key: file, repaired: true }])
    expect(await site.shown(key, 'one.json', '/media/ada.png')).toEqual(ADA)

    await site.unpublish(pages[0] ?? '')
    await service.call('DELETE', `/pages/${pages[1]}`)
    for (const hours of [1, 30]) await tidyAfterHours(hours)
    // The page for unknown addresses shows the logo.
    expect(await site.media()).toEqual(await site.showsAnywhere(BOB))
    expect(await site.differences()).toEqual([])
  })

  test('seals anew when it is switched off and on again, and takes what was frozen along', async () => {
    await site.keyOf('enable')
    for (const id of pages) await site.publish(id)
    const [first] = await site.media()
    await site.act('disable')
    await site.publish(pages[0] ?? '')
    await site.keyOf('enable')
    expect(await site.media()).toContain(first)
    const key = await site.keyOf('regenerate-key')
    expect(await site.media()).toHaveLength(1)
    expect(await site.media()).not.toContain(first)
    for (const slug of ['one', 'two'])
      expect(await site.shown(key, `${slug}.json`, '/media/ada.png')).toEqual(ADA)
    expect(await site.showsAnywhere(ADA, BOB)).toEqual([])
    expect(await site.differences()).toEqual([])
  })

  test('may be switched off and on while it publishes: each page shows its picture as it is itself', async () => {
    const key = { current: '' }
    const work: Promise<unknown>[] = []
    for (let round = 0; round < 3; round++) {
      key.current = await site.keyOf('enable')
      for (const [n, id] of pages.entries()) {
        await site.edit(id, { title: `${round}-${n}` })
        work.push(site.publish(id))
      }
      work.push(site.act('disable'))
      await Promise.all(work)
    }
    for (const id of pages) await site.edit(id, { title: 'Last' })
    const [one = '', two = ''] = pages
    const last = site.publish(one)
    const enabled = site.keyOf('enable')
    const sealedKey = await enabled
    await last
    await site.publish(two)
    expect(await site.shown(sealedKey, 'two.json', '/media/ada.png')).toEqual(ADA)
    await site.publish(one)
    expect(await site.shown(sealedKey, 'one.json', '/media/ada.png')).toEqual(ADA)
    expect(await site.showsAnywhere(ADA)).toEqual([])
    expect(await site.differences()).toEqual([])
  })
})

const loaded = await loadDecoder()

test.skipIf(!('decoder' in loaded))('smaller pictures are sealed too, and the page names them', async () => {
  await service.close()
  const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
  service = await startService({ images })
  site = mediaSiteOf(service, await service.newProject())
  const key = await site.keyOf('enable')
  const photo = await picture({ width: 700, height: 350, format: 'jpeg' })
  const asset = await site.upload('photo.jpg', photo)
  await expect
    .poll(async () => (await service.call('GET', `/assets/${asset}`)).body.data.status)
    .toBe('ready')
  await site.publishNew({ slug: 'photo', markdown_content: '![](/media/photo.jpg)' })
  const shown = (await site.asset(key, 'photo.json', '/media/photo.jpg')) ?? expect.unreachable()
  expect(shown.variants.map(({ content_type, width }) => [content_type, width])).toContainEqual([
    'image/webp',
    320,
  ])
  expect(await site.media()).toEqual([shown.file, ...shown.variants.map(({ file }) => file)].sort())
  for (const variant of shown.variants)
    expect((await site.openAsset(key, variant)).byteLength).toBe(variant.bytes)
  const next = await site.keyOf('regenerate-key')
  const after = (await site.asset(next, 'photo.json', '/media/photo.jpg')) ?? expect.unreachable()
  for (const variant of after.variants)
    expect((await site.openAsset(next, variant)).byteLength).toBe(variant.bytes)
  expect(await site.media()).toHaveLength(1 + after.variants.length)
  expect(await site.differences()).toEqual([])
})
