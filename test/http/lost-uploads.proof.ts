import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { flatPng } from '../support/pictures.ts'
import { startService } from '../support/service.ts'
import { mediaSiteOf } from './data-mode/media-site.ts'

const TEXT = Buffer.from('The minutes of the meeting.')

test('an upload that is lost in every store is reported with the pages that show it, and comes back when it is sent again', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const project = await service.newProject()
  const site = mediaSiteOf(service, project)
  const id = await site.upload('minutes.txt', TEXT)
  const page = await site.publishNew({ slug: 'report', markdown_content: '[Minutes](/media/minutes.txt)' })
  const [published = ''] = await site.media()
  const folder = join(service.data, 'media', project, 'originals')
  const [original = ''] = await readdir(folder)
  const digest = createHash('sha256').update(TEXT).digest('hex')
  const missing = async () =>
    (await service.call('POST', `/projects/${project}/assets/missing`, { digests: [digest] })).body.data
      .missing
  expect(await site.differences()).toEqual([])

  await rm(join(folder, original))
  await rm(site.path(published))
  const differences = await site.differences(true)
  expect(differences).toMatchObject([
    { store: 'media', kind: 'missing', key: `originals/${original}`, repaired: false },
    { store: 'public', kind: 'missing', key: published, repaired: false },
  ])
  expect(JSON.stringify(differences)).toContain(`\\"minutes.txt\\", shown live by ${page} (`)
  expect((await service.call('GET', `/assets/${id}`)).body.data).toMatchObject({
    status: 'failed',
    failure: expect.stringContaining('Upload the same file again'),
  })
  expect(await missing()).toEqual([digest])

  const again = await service.call('POST', `/projects/${project}/assets?name=minutes.txt`, TEXT, {
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  expect([again.status, again.body.data]).toMatchObject([200, { id, status: 'ready', failure: null }])
  expect(await readFile(join(folder, original))).toEqual(TEXT)
  expect(await missing()).toEqual([])
  expect(await site.differences(true)).toMatchObject([{ store: 'public', key: published, repaired: true }])
  expect(await site.bytes(published)).toEqual(TEXT)
  expect(await site.differences()).toEqual([])
})

test('a content key is regenerated although the media store has lost a file that is published, and refused by name when it is nowhere', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const project = await service.newProject()
  const site = mediaSiteOf(service, project)
  const key = await site.keyOf('enable')
  await site.upload('minutes.txt', TEXT)
  const page = await site.publishNew({ slug: 'report', markdown_content: '[Minutes](/media/minutes.txt)' })
  const folder = join(service.data, 'media', project, 'originals')
  const [original = ''] = await readdir(folder)
  const address = '/media/minutes.txt'
  expect(await site.shown(key, 'report.json', address)).toEqual(TEXT)

  await rm(join(folder, original))
  const next = await site.keyOf('regenerate-key')
  expect(await site.shown(next, 'report.json', address)).toEqual(TEXT)

  const [published = ''] = await site.media()
  await rm(site.path(published))
  const before = await site.bytes('report.json')
  const refused = await service.call('POST', `/projects/${project}/data-mode/regenerate-key`)
  expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
  expect(refused.body.message).toMatch(/"minutes\.txt" \(ast_\w+\), shown live by page_\w+ \(report\)/)
  expect(refused.body.message).toContain(page)
  expect(await site.bytes('report.json')).toEqual(before)

  await site.upload('minutes.txt', TEXT)
  expect(await readFile(join(folder, original))).toEqual(TEXT)
  const last = await site.keyOf('regenerate-key')
  expect(await site.shown(last, 'report.json', address)).toEqual(TEXT)
  expect(await site.differences()).toEqual([])
})

test('an asset that a live page shows by the settings it was published with is kept, and one that only earlier releases show is not', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const project = await service.newProject()
  const site = mediaSiteOf(service, project)
  const [former, current] = [
    await site.upload('former.png', flatPng(40, 20)),
    await site.upload('current.png', flatPng(60, 20)),
  ]
  const wear = (name: string) =>
    service.call('PUT', `/projects/${project}/settings`, { logo_url: `/media/${name}` })
  await wear('former.png')
  const older = await site.publishNew({ slug: 'older' })
  await wear('current.png')
  await site.publishNew({ slug: 'newer' })

  const refused = await service.call('DELETE', `/assets/${former}`)
  expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
  expect(refused.body.message).toContain(`${older} (older)`)
  expect(refused.body.message).not.toContain('newer')
  expect((await service.call('GET', `/assets/${former}/usage`)).body.data.settings).toEqual(['logo_url'])
  const other = await service.call('DELETE', `/assets/${current}`)
  expect(other.body.message).toContain('the settings of the live site')

  // Pictures of pages and of settings are alike: what only earlier releases show may be deleted, and a rollback has it.
  expect((await site.publish(older)).status).toBe(200)
  expect((await service.call('DELETE', `/assets/${former}`)).status).toBe(200)
  const { body } = await service.call('GET', `/pages/${older}/releases`)
  const release_id = body.data.at(-1).id
  expect((await service.call('POST', `/pages/${older}/rollback`, { release_id })).status).toBe(200)
  const html = String(await site.bytes('older/index.html'))
  const [logo = ''] = /_media\/former\.[0-9a-f]{16}\.png/.exec(html) ?? []
  expect(await site.bytes(logo)).toBeDefined()
  expect(await site.differences()).toEqual([])
})
