import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
