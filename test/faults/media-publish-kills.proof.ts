import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decryptAsset } from '../../src/client/decrypt-asset.ts'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { flatPng, picture, sharpIfInstalled } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LONG } from './long-form.ts'
import { callApi } from './site-client.ts'
import { storeDifferences } from './store-differences.ts'
import { startVictim, type Victim } from './victim.ts'

const isLong = LONG !== null || LONG_FORM

const GENERATED = isLong
  ? ['put original before', 'put original after', 'COMMIT of accept before', 'COMMIT of accept after']
  : ['put original after']
const SEALED = isLong
  ? [
      'put media before',
      'rename media before',
      'put media after',
      // Of a sealed page too, which is one JSON file and no folder with an index.
      'put site after',
      'releaseQueue commit before',
      'COMMIT of commit after',
      'delete media before',
      'delete media after',
    ]
  : ['put media after', 'delete media before']
/** Each chunk of 64 KiB; the file has some more of them than seconds in which a request is answered. */
const SLOW_MS = 900
const LARGE = Buffer.alloc(18 * 64 * 1024, 'video')

test.skipIf((await sharpIfInstalled()) === null)(
  'a publish that is killed while the picture for link previews or the icons are drawn can be repeated, and nothing else stays',
  async () => {
    const site = await startSite('Cards')
    await site.upload('logo.png', await picture({ width: 600, height: 600, format: 'png', noise: true }))
    const icon = { favicon_url: '/media/logo.png' }
    expect((await site.call('PUT', `/projects/${site.project}/settings`, icon)).status).toBe(200)
    const photos: string[] = []
    for (const [at, point] of GENERATED.entries()) {
      const photo = await picture({ width: 1300 + at, height: 700, format: 'jpeg', noise: true })
      await site.upload(`photo-${at}.jpg`, photo)
      const id = await site.create(`page-${at}`, { og_image_url: `/media/photo-${at}.jpg` })
      await site.killAt(point, id)
      expect((await site.publish(id)).status, point).toBe(200)
      const html = await (await fetch(`${site.url()}/docs/page-${at}/`)).text()
      const [, social = ''] = /<meta property="og:image" content="[^"]*\/(_media\/[^"]+)"/.exec(html) ?? []
      photos.push(social)
      const icons = [
        ...html.matchAll(/<link rel="(?:icon|apple-touch-icon)"[^>]* href="[./]*(_media\/[^"]+)"/g),
      ]
      expect(icons.length, point).toBeGreaterThan(0)
      for (const key of [social, ...icons.map(([, icon]) => icon)])
        expect([point, key, (await fetch(`${site.url()}/${key}`)).status]).toEqual([point, key, 200])
    }
    expect(new Set(photos).size).toBe(GENERATED.length)
    expect(await storeDifferences(site.data, site.project)).toEqual([])
  },
  600_000,
)

test('a publish in Data Mode that is killed anywhere is completed, and no picture of it is left in plain', async () => {
  const site = await startSite('Sealed')
  for (const [at, point] of SEALED.entries()) {
    const shown = flatPng(40 + at, 20)
    await site.upload(`ada-${at}.png`, shown)
    const id = await site.create(`page-${at}`, { markdown_content: `![Ada](/media/ada-${at}.png)` })
    if (at > 0) await site.call('POST', `/projects/${site.project}/data-mode/disable`)
    // Plain first, so that its picture has to leave the store.
    expect((await site.publish(id)).status).toBe(200)
    const enabled = await site.call('POST', `/projects/${site.project}/data-mode/enable`)
    const key: string = enabled.body.data.encryption_key
    await site.killAt(point, id)
    expect((await site.publish(id)).status, point).toBe(200)
    // An upload that was killed leaves its temporary file for a while, which is sealed too.
    await expect.poll(() => site.mediaWith(shown)).toEqual([])
    const sealed = JSON.parse(await readFile(join(site.data, 'cdn', site.project, `page-${at}.json`), 'utf8'))
    const ada = (await decryptPage(key, sealed)).assets?.[`/media/ada-${at}.png`]
    if (ada === undefined) throw new Error(`${point}: the page shows no picture.`)
    const bytes = new Uint8Array(await readFile(join(site.data, 'cdn', site.project, ada.file)))
    expect(await decryptAsset(key, bytes, ada)).toEqual(new Uint8Array(shown))
    expect(await storeDifferences(site.data, site.project)).toEqual([])
  }
}, 600_000)

test('a publish that was answered 202 is completed by the next start, and so is its job', async () => {
  const site = await startSite('Videos')
  await site.upload('video.bin', LARGE)
  const id = await site.create('video', { markdown_content: '[The video](/media/video.bin)' })
  await site.victim().arm({ point: 'put media after', project: site.project, failPut: null, slowMs: SLOW_MS })
  const { status, body } = await site.publish(id)
  expect(status).toBe(202)
  await site.restart()
  await expect
    .poll(async () => (await site.call('GET', `/jobs/${body.data.id}`)).body.data)
    .toMatchObject({ status: 'succeeded', done: 1, failed: [] })
  const html = await (await fetch(`${site.url()}/docs/video/`)).text()
  const [, file = ''] = /href="[./]*(_media\/video[^"]+)"/.exec(html) ?? []
  expect(Buffer.from(await (await fetch(`${site.url()}/${file}`)).arrayBuffer()).equals(LARGE)).toBe(true)
  expect(await storeDifferences(site.data, site.project)).toEqual([])
}, 600_000)

/** A service with one project. */
async function startSite(name: string) {
  const data = await temporaryFolder()
  let victim: Victim = await startVictim(data, 'lean')
  onTestFinished(() => victim.kill())
  const call = (method: string, path: string, body?: object) => callApi(victim, method, path, body)
  const project: string = (await call('POST', '/projects', { name })).body.data.id
  const publish = (id: string) => call('POST', `/pages/${id}/publish`)
  const restart = async () => {
    await victim.ended
    victim = await startVictim(data, 'lean')
  }
  return {
    data,
    project,
    call,
    publish,
    restart,
    victim: () => victim,
    url: () => `${victim.url}/public/${project}`,
    /** The published files that hold these bytes. */
    async mediaWith(bytes: Buffer): Promise<readonly string[]> {
      const folder = join(data, 'cdn', project, '_media')
      const files = await Promise.all(
        (await readdir(folder)).map(async (name) => ({ name, body: await readFile(join(folder, name)) })),
      )
      return files.filter(({ body }) => body.includes(bytes)).map(({ name }) => name)
    },
    async create(slug: string, fields: object): Promise<string> {
      const page = { project_id: project, title: slug, slug, subroute: 'docs', type: 'docs', ...fields }
      return (await call('POST', '/pages', page)).body.data.id
    },
    async upload(file: string, bytes: Uint8Array<ArrayBuffer> | Buffer): Promise<void> {
      const answer = await fetch(`${victim.url}/projects/${project}/assets?name=${file}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${victim.key}`, 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      })
      expect(answer.status).toBe(201)
    },
    /** Publishes the page until the service kills itself, and starts it again. */
    async killAt(point: string, page: string): Promise<void> {
      await victim.arm({ point, project, failPut: null })
      const answer = await publish(page).catch(() => null)
      expect([point, answer]).toEqual([point, null])
      await restart()
    },
  }
}
