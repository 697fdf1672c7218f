import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backUp } from '../../src/app/backup.ts'
import { readConfig } from '../../src/app/config.ts'
import { restore } from '../../src/app/restore.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { flatPng } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { listFiles } from '../transfer/list-files.ts'

const passphrase = 'correct horse battery staple'
const quoin = (...args: string[]) => startCommand(args, { QUOIN_BACKUP_PASSPHRASE: passphrase }).ended
const json = async (...args: string[]) => JSON.parse((await quoin(...args, '--json')).out)
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

async function upload(service: TestService, project: string, name: string, bytes: Buffer): Promise<string> {
  const { status, body } = await service.call(
    'POST',
    `/projects/${project}/assets?name=${name}`,
    bytes,
    OCTETS,
  )
  expect(status).toBe(201)
  return body.data.id
}

describe('a backup', () => {
  test('has the uploads and what was derived of them, and a restore is whole', async () => {
    const [data, place] = [await temporaryFolder(), join(await temporaryFolder(), 'backup')]
    const service = await startService({ data })
    const project = await service.newProject()
    const site = siteOf(service, project)
    await upload(service, project, 'large.bin', Buffer.alloc(5_000_000, 'large'))
    await upload(service, project, 'a.png', flatPng(700, 20))
    await upload(service, project, 'unused.pdf', Buffer.from('%PDF-1.7\n'))
    await site.publish(
      await site.create({ slug: 'one', markdown_content: '![](/media/a.png) [l](/media/large.bin)' }),
    )
    await service.server.service.stopJobs()
    const media = await listFiles(join(data, 'media'))
    expect(Object.keys(media).length).toBeGreaterThanOrEqual(3)

    const written = await json('backup', '--data', data, '--to', place)
    expect(written).toMatchObject({ ok: true, uploads: Object.keys(media).length, lost: [] })
    // A part of the database, in which the service records that it runs.
    expect((await json('backup', '--data', data, '--to', place)).sent_blobs).toBeLessThanOrEqual(1)
    await service.close()
    const cdn = await listFiles(join(data, 'cdn'))
    await rm(data, { recursive: true })
    expect(await json('restore', '--data', data, '--from', place)).toMatchObject({ ok: true })
    expect(await listFiles(join(data, 'media'))).toEqual(media)
    expect(await listFiles(join(data, 'cdn'))).toEqual(cdn)
    expect(await json('verify', '--data', data)).toMatchObject({ ok: true, differences: [] })
    const again = await startService({ data })
    const { body } = await again.call('GET', `/projects/${project}/assets?q=unused.pdf`)
    const answer = await fetch(`${again.url}/assets/${body.data[0].id}/content`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    expect(await answer.text()).toBe('%PDF-1.7\n')
    await again.close()
  })

  test('has every upload that its database names, also when assets are deleted and replaced meanwhile', async () => {
    const [data, to] = [await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    const project = await service.newProject()
    const ids: string[] = []
    for (let index = 0; index < 24; index++)
      ids.push(await upload(service, project, `${index}.bin`, Buffer.alloc(200_000 + index, 'x')))
    let isCopied = false
    const changes: Promise<unknown>[] = []
    // The database has been copied, and no upload yet.
    const onProgress = (what: string) => {
      if (what !== 'database' || isCopied) return
      isCopied = true
      changes.push(
        ...ids.map((id, index) =>
          index % 2 === 0
            ? service.call('DELETE', `/assets/${id}`)
            : service.call('PUT', `/assets/${id}/content`, Buffer.from(`new ${index}`), OCTETS),
        ),
      )
    }
    const target = { kind: 'folder' as const, folder: to }
    const slow = { to: target, passphrase, media: true, onProgress }
    const { backup, lost } = await backUp(readConfig({ QUOIN_DATA: data }), slow)
    expect(changes).toHaveLength(24)
    for (const { status } of (await Promise.all(changes)) as { status: number }[]) expect(status).toBe(200)
    expect([lost, backup.media?.length]).toEqual([[], 24])

    // Nothing is left behind: what was kept for the backup goes with the next sweep.
    await service.server.service.runHousekeeping()
    expect((await readdir(join(data, 'media', project, 'originals'))).length).toBe(12)
    await service.close()
    const restored = join(await temporaryFolder(), 'data')
    const config = readConfig({ QUOIN_DATA: restored })
    await restore(config, { from: target, passphrase, force: false, onProgress: () => {} })
    expect(await json('verify', '--data', restored)).toMatchObject({ ok: true })
    expect((await readdir(join(restored, 'media', project, 'originals'))).length).toBe(24)
  })

  test('names uploads that the media store has lost, and has all others', async () => {
    const [data, place] = [await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    const project = await service.newProject()
    for (const name of ['a', 'b', 'c']) await upload(service, project, name, Buffer.alloc(999, name))
    await service.close()
    const folder = join(data, 'media', project, 'originals')
    const [first = '', second = ''] = await readdir(folder)
    await rm(join(folder, first))
    await truncate(join(folder, second), 9)
    const ended = await quoin('backup', '--data', data, '--to', place, '--json')
    expect(ended.code).toBe(1)
    const lost = [first, second].map((name) => `${project}/originals/${name}`)
    expect(JSON.parse(ended.out)).toMatchObject({ ok: false, uploads: 1, lost: expect.arrayContaining(lost) })
    const target = join(await temporaryFolder(), 'data')
    expect(await json('restore', '--data', target, '--from', place)).toMatchObject({ ok: true, uploads: 1 })
  })

  test('without uploads says so, and so does its restore', async () => {
    const [data, place] = [await temporaryFolder(), await temporaryFolder()]
    const service = await startService({ data })
    await upload(service, await service.newProject(), 'a', Buffer.from('a'))
    await service.close()
    const ended = await quoin('backup', '--data', data, '--to', place, '--no-media')
    expect(ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('no uploads: back up QUOIN_MEDIA_URL'),
    })
    const target = join(await temporaryFolder(), 'data')
    const restored = await quoin('restore', '--data', target, '--from', place)
    expect(restored.out).toContain('Uploads are not part of the backup: copy them')
  })
})
