import { appendFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { RECIPE_VERSION } from '../../src/domain/image.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import { badImage } from '../../src/images/image-error.ts'
import type { ImageProcessor } from '../../src/images/image-processor.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { readFileBody } from '../../src/platform/file-body.ts'
import { startCommand } from '../support/command.ts'
import { flatPng, picture, sharpIfInstalled } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const EARLIER = RECIPE_VERSION - 1

import { temporaryFolder } from '../support/temporary-folder.ts'
import { openServiceDatabase, serviceConfig } from '../support/test-database.ts'

const HOUR_MS = 60 * 60 * 1000
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

const loaded = await loadDecoder()
const isInstalled = (await sharpIfInstalled()) !== null && 'decoder' in loaded

describe.skipIf(!isInstalled)('smaller pictures', () => {
  let service: TestService
  let data: string
  let project: string
  let time: number
  let derive: ImageProcessor['derive']
  let derived: string[]
  let photo: Buffer

  beforeEach(async () => {
    time = Date.parse('2026-01-01T00:00:00.000Z')
    derived = []
    photo = await picture({ width: 1000, height: 500, format: 'jpeg', noise: true })
    const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
    derive = images.derive
    data = await mkdtemp(join(tmpdir(), 'quoin-variants-'))
    await start()
    project = await service.newProject()
  })
  afterEach(async () => {
    await service.close()
    await rm(data, { recursive: true, force: true })
  })

  test('come after the upload, and a page offers them with every file there', async () => {
    const uploaded = await upload('team/Ada.jpg', photo)
    expect(uploaded).toMatchObject({ status: 'processing', failure: null })
    const { variants, version } = await settled(uploaded.id)
    expect(version).toBe(uploaded.version)
    const offered = variants.map(({ format, width }: Offered) => `${format} ${width}`)
    expect(offered).toEqual(['avif 320', 'avif 640', 'avif 960', 'webp 320', 'webp 640', 'webp 960'])
    expect(variants[3]).toMatchObject({
      width: 320,
      height: 160,
      url: expect.stringMatching(/^\/_media\/ada\.[0-9a-f]{16}-320\.webp$/),
      bytes: expect.any(Number),
    })
    expect(derived).toEqual(expect.arrayContaining(['webp 320', 'avif 960']))

    await publish(await create({ markdown_content: '![Ada](/media/team/Ada.jpg)' }))
    const html = (await visit('a-page/')).body
    for (const { url, width, format, bytes } of variants) {
      expect(html).toContain(`..${url} ${width}w`)
      const file = await visit(url.slice(1))
      expect([file.status, file.headers.get('content-type')]).toEqual([200, `image/${format}`])
      expect(Number(file.headers.get('content-length'))).toBe(bytes)
      expect(file.headers.get('cache-control')).toContain('immutable')
    }
    expect(await differences()).toEqual([])
  })

  test('do not hold up a publish: the page takes those that are there, and is stale when more have come', async () => {
    const gate = hold()
    const { id } = await upload('a.jpg', photo)
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    await publish(page)
    expect((await visit('a-page/')).body).not.toContain('<picture>')
    expect((await read(page)).stale).toEqual([])
    gate.open()
    await settled(id)
    expect((await read(page)).stale).toEqual(['media'])
    await publish(page)
    expect((await visit('a-page/')).body).toContain('<picture>')
    expect((await read(page)).stale).toEqual([])
    expect(await differences()).toEqual([])
  })

  test('are in a preview too, and not public by that', async () => {
    await settled((await upload('a.jpg', photo)).id)
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    const { body: html } = await service.call('GET', `/render/${page}`)
    const sources = [...html.matchAll(/<source type="([^"]+)" srcset="([^"]+)"/g)]
    const offered = sources.flatMap(([, type, set = '']) =>
      set.split(', ').map((candidate: string) => [type, candidate.split(' ')[0]]),
    )
    expect(offered).toHaveLength(6)
    for (const [type, address] of offered) {
      const file = await service.call('GET', address, undefined, { key: null })
      expect([file.status, file.headers.get('content-type')], address).toEqual([200, type])
    }
    expect(await published()).toEqual([])
  })

  test('are derived once for equal bytes, and go with the last asset that has them', async () => {
    const first = await upload('a.jpg', photo)
    await settled(first.id)
    const { length } = derived
    const second = await upload('b.jpg', photo)
    expect(second.status).toBe('ready')
    expect(second.variants).toHaveLength(6)
    expect(derived).toHaveLength(length)
    expect(await stored()).toHaveLength(7)
    await service.call('DELETE', `/assets/${first.id}`)
    expect(await stored()).toHaveLength(7)
    await service.call('DELETE', `/assets/${second.id}`)
    expect(await stored()).toEqual([])
  })

  test('stay as long as a release shows them, through the deletion of the asset and a repair', async () => {
    const { id } = await upload('a.jpg', photo)
    const { variants } = await settled(id)
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    await publish(page)
    await service.call('DELETE', `/assets/${id}?force=true`)
    await tidyAfterHours(30)
    expect(await published()).toHaveLength(7)
    const key = variants[0].url.slice(1)
    await rm(join(service.data, 'cdn', project, key))
    expect(await differences(true)).toMatchObject([{ kind: 'missing', key, repaired: true }])
    expect((await visit(key)).status).toBe(200)
    await service.call('DELETE', `/pages/${page}`)
    time += 100 * 24 * HOUR_MS
    await tidyAfterHours(1)
    await tidyAfterHours(25)
    expect([await published(), await stored()]).toEqual([[], []])
  })

  test('stay on the site when the settings name their original', async () => {
    await settled((await upload('logo.jpg', photo)).id)
    await service.call('PUT', `/projects/${project}/settings`, { logo_url: '/media/logo.jpg' })
    await publish(await create())
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    expect(await published()).toHaveLength(7)
    expect((await visit('404.html')).status).toBe(200)
    expect(await differences()).toEqual([])
  })

  test('do not count for the account', async () => {
    const used = async () => (await service.call('GET', '/users/me/usage')).body.data.account.media_bytes.used
    const { id } = await upload('a.jpg', photo)
    const before = await used()
    expect((await settled(id)).variants).toHaveLength(6)
    expect(before).toBeGreaterThan(0)
    expect(await used()).toBe(before)
  })

  test('leave the original when they cannot be made, say why, and are not tried again', async () => {
    derive = async () => {
      throw badImage('The picture is too costly to decode.')
    }
    const { id } = await upload('a.jpg', photo)
    const failed = await settled(id)
    expect(failed).toMatchObject({
      status: 'failed',
      failure: 'The picture is too costly to decode.',
      variants: [],
    })
    const { length } = derived
    expect((await upload('b.jpg', photo)).status).toBe('failed')
    expect(derived).toHaveLength(length)
    await publish(await create({ markdown_content: '![](/media/a.jpg)' }))
    expect((await visit('a-page/')).body).toContain('<img src="../_media/a.')
    const other = await picture({ width: 800, height: 400, format: 'png' })
    expect((await service.call('PUT', `/assets/${id}/content`, other, OCTETS)).body.data.status).toBe(
      'processing',
    )
  })

  test('are tried again when the same file is sent once more after a failure, and not before', async () => {
    const real = derive
    derive = async () => {
      throw badImage('The picture is too costly to decode.')
    }
    const { id } = await upload('a.jpg', photo)
    await settled(id)
    derive = real
    await tidyAfterHours(2)
    expect((await settled(id)).status).toBe('failed')
    const replaced = await service.call('PUT', `/assets/${id}/content`, photo, OCTETS)
    expect(replaced.body.data).toMatchObject({ status: 'processing', failure: null })
    expect(await settled(id)).toMatchObject({ status: 'ready', failure: null })
    expect((await settled(id)).variants).toHaveLength(6)
  })

  test('come to pictures that were uploaded where none could be decoded, as soon as they can', async () => {
    await restart(null)
    const { id } = await upload('a.jpg', photo)
    await upload('b.txt', Buffer.from('Text.'))
    await upload('small.jpg', await picture({ width: 100, height: 50, format: 'jpeg' }))
    const page = await create({ markdown_content: '![](/media/a.jpg)' })
    await publish(page)
    await tidyAfterHours(2)
    expect(await settled(id)).toMatchObject({ status: 'ready', thumbhash: null, variants: [] })
    await restart()
    await expect.poll(async () => (await settled(id)).variants.length).toBe(6)
    expect((await settled(id)).thumbhash).toEqual(expect.any(String))
    expect(derived).toHaveLength(6)
    expect((await read(page)).stale).toContain('media')
    await tidyAfterHours(2)
    expect(derived).toHaveLength(6)
  })

  test('wait for a start that decodes pictures where a restart in the middle does not', async () => {
    const gate = hold()
    const { id } = await upload('a.jpg', photo)
    await gate.reached
    const closing = service.close()
    gate.open()
    await closing
    await start(null)
    expect((await settled(id)).status).toBe('ready')
    await restart()
    await expect.poll(async () => (await settled(id)).variants.length).toBe(6)
  })

  test('are tried several times when the machine is at fault, and then given up', async () => {
    derive = async () => {
      throw new Error('The process ended.')
    }
    const { id } = await upload('a.jpg', photo)
    const status = async () => (await service.call('GET', `/assets/${id}`)).body.data.status
    await expect
      .poll(
        async () => {
          time += HOUR_MS
          return status()
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe('failed')
    expect(derived).toHaveLength(5)
    expect((await settled(id)).failure).toContain('Replace the file')
  })

  test('are finished after the service was stopped in the middle, without those that were there', async () => {
    const gate = hold(2)
    const { id } = await upload('a.jpg', photo)
    await gate.reached
    const closing = service.close()
    gate.open()
    await closing
    expect((await stored()).length).toBeLessThan(7)
    const before = [...derived]
    derived = []
    await start()
    const { variants } = await settled(id)
    expect(variants).toHaveLength(6)
    expect(derived).not.toContain(before[0])
    expect(await arriving()).toEqual([])
  })

  test('are not stored when their original is removed meanwhile', async () => {
    const gate = hold()
    const { id } = await upload('a.jpg', photo)
    await gate.reached
    await service.call('DELETE', `/assets/${id}`)
    gate.open()
    await service.server.service.stopJobs()
    expect(await stored()).toEqual([])
    expect(await arriving()).toEqual([])
  })

  test('are finished after the service was killed in the middle, and nothing is left over', async () => {
    const env = {
      QUOIN_DATA: await temporaryFolder(),
      QUOIN_PORT: '0',
      QUOIN_ALLOW_HTTP: 'true',
      QUOIN_LOG_LEVEL: 'error',
    }
    const created = await startCommand(
      ['keys', 'create', '--name', 'test', '--plan', 'enterprise', '--json'],
      env,
    ).ended
    const headers = { Authorization: `Bearer ${JSON.parse(created.out).key}` }
    const serve = async () => {
      const command = startCommand(['serve'], env)
      const [, url = ''] = await command.line(/ready at (\S+)/)
      // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
      const call = async (path: string, init: RequestInit = {}): Promise<any> => {
        const body = await (
          await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } })
        ).json()
        return (body as { readonly data: unknown }).data
      }
      return { command, call }
    }
    const first = await serve()
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const { id: site } = await first.call('/projects', { ...json, body: JSON.stringify({ name: 'Site' }) })
    const large = await picture({ width: 1600, height: 1000, format: 'jpeg', noise: true })
    const sent = { method: 'POST', body: new Uint8Array(large), ...OCTETS }
    const { id } = await first.call(`/projects/${site}/assets?name=a.jpg`, sent)
    await expect
      .poll(async () => (await first.call(`/assets/${id}`)).variants.length, {
        interval: 20,
      })
      .toBeGreaterThan(0)
    first.command.kill('SIGKILL')
    await first.command.ended
    const second = await serve()
    await expect
      .poll(async () => (await second.call(`/assets/${id}`)).status, { timeout: 60_000, interval: 200 })
      .toBe('ready')
    const { variants } = await second.call(`/assets/${id}`)
    expect(variants.length).toBeGreaterThan(5)
    // Its kill may have met a write, whose temporary file is removed when it is an hour old.
    const isObject = (name: string) => !name.startsWith('\u007f')
    const objects = (await filesIn(join(env.QUOIN_DATA, 'media'))).filter(isObject)
    expect(objects).toHaveLength(variants.length + 1)
  }, 120_000)

  test('are replaced together in the background when their recipe is an earlier one, pages are stale only where bytes differ, and a rollback shows the former ones', async () => {
    const changed = await settled((await upload('changed.jpg', photo)).id)
    const other = await picture({ width: 900, height: 400, format: 'jpeg', noise: true })
    const same = await settled((await upload('same.jpg', other)).id)
    await service.close()
    await makeEarlier(changed.digest)
    derived = []
    const gate = hold(2)
    await start()
    await gate.reached
    const former = (await settled(changed.id)).variants
    expect(former).toHaveLength(6)
    expect(former).not.toEqual(changed.variants)
    const pages: string[] = []
    for (const name of ['changed', 'same']) {
      pages.push(await create({ slug: name, markdown_content: `![](/media/${name}.jpg)` }))
      await publish(pages.at(-1) ?? '')
    }
    const [page = ''] = pages
    const before = (await visit('changed/')).body
    for (const { url } of former) expect(before).toContain(url)

    gate.open()
    const variantsOf = async (id: string) => (await settled(id)).variants
    await expect.poll(() => variantsOf(changed.id)).toEqual(changed.variants)
    await expect.poll(() => derived.length).toBe(12)
    expect(await variantsOf(same.id)).toEqual(same.variants)
    await tidyAfterHours(2)
    expect(await Promise.all(pages.map(async (id) => (await read(id)).stale))).toEqual([['media'], []])
    expect(derived).toHaveLength(12)

    await publish(page)
    for (const { url } of changed.variants) expect((await visit('changed/')).body).toContain(url)
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    const { body } = await service.call('GET', `/pages/${page}/releases`)
    const release_id = body.data.at(-1).id
    expect((await service.call('POST', `/pages/${page}/rollback`, { release_id })).status).toBe(200)
    expect((await visit('changed/')).body).toBe(before)
    for (const { url } of former) expect((await visit(url.slice(1))).status).toBe(200)
    expect(await differences()).toEqual([])
  })

  test('leave the media store when their recipe is an earlier one and neither the site nor a release shows them any more', async () => {
    const unshown = await settled((await upload('unshown.jpg', photo)).id)
    const other = await picture({ width: 900, height: 400, format: 'jpeg', noise: true })
    const shown = await settled((await upload('shown.jpg', other)).id)
    await service.close()
    await makeEarlier(unshown.digest, shown.digest)
    const gate = hold()
    await start()
    await gate.reached
    const former = (await settled(shown.id)).variants
    const page = await create({ slug: 'shown', markdown_content: '![](/media/shown.jpg)' })
    await publish(page)
    gate.open()
    const variantsOf = async (id: string) => (await settled(id)).variants
    await expect.poll(() => variantsOf(unshown.id)).toEqual(unshown.variants)
    await expect.poll(() => variantsOf(shown.id)).toEqual(shown.variants)
    const count = { unshown: unshown.variants.length, shown: shown.variants.length }
    const all = 2 + 2 * count.unshown + 2 * count.shown
    await tidyAfterHours(23)
    expect(await stored()).toHaveLength(all)
    await tidyAfterHours(2)
    expect(await stored()).toHaveLength(all - count.unshown)
    expect((await stored()).filter((name) => name.startsWith(unshown.digest))).toHaveLength(1 + count.unshown)

    await publish(page)
    await tidyAfterHours(1)
    await tidyAfterHours(30)
    // The release can be rolled back to.
    expect(await stored()).toHaveLength(all - count.unshown)
    const { body } = await service.call('GET', `/pages/${page}/releases`)
    const release_id = body.data.at(-1).id
    expect((await service.call('POST', `/pages/${page}/rollback`, { release_id })).status).toBe(200)
    for (const { url } of former) expect((await visit(url.slice(1))).status).toBe(200)
    expect(await differences()).toEqual([])

    await service.call('DELETE', `/pages/${page}`)
    await tidyAfterHours(100 * 24)
    await tidyAfterHours(30)
    // The files of the site went with the previous round.
    await tidyAfterHours(1)
    expect(await stored()).toHaveLength(2 + count.unshown + count.shown)
    expect(await variantsOf(shown.id)).toEqual(shown.variants)
    expect(await differences()).toEqual([])
  })

  test('are not made of small pictures and drawings', async () => {
    const small = await picture({ width: 320, height: 100, format: 'png' })
    expect((await upload('small.png', small)).status).toBe('ready')
    expect(derived).toEqual([])
  })

  /** Makes all variants those of an earlier recipe, and gives those of some pictures other bytes. */
  async function makeEarlier(...changed: readonly string[]): Promise<void> {
    const { writer, reader } = await openServiceDatabase(data)
    await writer('originals').update({ recipe: EARLIER, requested_recipe: EARLIER })
    await writer('media_variants').update({ recipe: EARLIER })
    const folder = join(data, 'media', project, 'variants')
    for (const name of await readdir(folder)) {
      const earlier = join(folder, name.replace(/-r\d+(\.\w+)$/, '$1'))
      await rename(join(folder, name), earlier)
      if (!changed.some((digest) => name.startsWith(digest))) continue
      await appendFile(earlier, 'x')
      const [, width, format] = /-(\d+)-r\d+\.(\w+)$/.exec(name) ?? []
      const { size: bytes, digest } = await readFileBody(earlier)
      const original_id = name.split('-')[1]
      await writer('media_variants').where({ original_id, width, format }).update({ bytes, digest })
    }
    await Promise.all([writer.destroy(), reader.destroy()])
  }

  async function restart(decoder?: null): Promise<void> {
    await service.close()
    derived = []
    await start(decoder)
  }

  /** @param decoder null for a machine that does not decode pictures. */
  async function start(decoder = 'decoder' in loaded ? loaded.decoder : null): Promise<void> {
    const images = createInProcessImages(decoder)
    service = await startService({
      data,
      now: () => new Date(time++).toISOString(),
      images: {
        ...images,
        derive(file, recipe, into) {
          derived.push(`${recipe.format} ${recipe.width}`)
          return derive(file, recipe, into)
        },
      },
    })
  }

  /** Holds the derivation of one variant. @param at its position. */
  function hold(at = 0) {
    const real = derive
    let reach = () => {}
    let open = () => {}
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const opened = new Promise<void>((resolve) => (open = resolve))
    derive = async (...args) => {
      if (derived.length > at) {
        reach()
        await opened
      }
      return real(...args)
    }
    return { reached, open }
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  async function settled(id: string): Promise<any> {
    await expect
      .poll(async () => (await service.call('GET', `/assets/${id}`)).body.data.status)
      .not.toBe('processing')
    return (await service.call('GET', `/assets/${id}`)).body.data
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  async function upload(name: string, bytes: Buffer): Promise<any> {
    const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
    const answer = await service.call('POST', path, bytes, OCTETS)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const create = async (fields: object = {}): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
  const publish = async (id: string) => {
    const answer = await service.call('POST', `/pages/${id}/publish`, {})
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const read = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
  const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
  const tidyAfterHours = async (hours: number) => {
    time += hours * HOUR_MS
    await service.server.service.runHousekeeping()
  }
  const published = () => readdir(join(service.data, 'cdn', project, '_media')).catch(() => [])
  const arriving = () => readdir(join(service.data, 'uploads')).catch(() => [])

  /** Names in the private media store. */
  const stored = () => filesIn(join(service.data, 'media'))

  async function differences(repair = false): Promise<readonly unknown[]> {
    const config = await serviceConfig(service.data)
    const open = await openVerification(config, { recover: false })
    try {
      const wanted = { project: project.slice(5) as ProjectId, repair, media: true, onProgress: () => {} }
      return (await open.verification.verify(wanted)).findings
    } finally {
      await open.close()
    }
  }
})

test('an upload is ready without smaller pictures where pictures cannot be decoded', async () => {
  const service = await startService()
  try {
    const project = await service.newProject()
    const path = `/projects/${project}/assets?name=a.png`
    const { body } = await service.call('POST', path, flatPng(900, 20), OCTETS)
    expect(body.data).toMatchObject({ width: 900, status: 'ready', failure: null, variants: [] })
  } finally {
    await service.close()
  }
})

interface Offered {
  readonly format: string
  readonly width: number
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
