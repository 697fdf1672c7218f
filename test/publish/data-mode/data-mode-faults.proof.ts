import { afterEach, describe, expect, test } from 'vitest'
import { decryptAsset } from '../../../src/client/decrypt-asset.ts'
import { decryptPage } from '../../../src/client/decrypt-page.ts'
import { some } from '../../support/long-form.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { flatPng } from '../../support/pictures.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
afterEach(() => service.close())

/** A service over a store that fails one operation on request. */
async function startFaulty() {
  let failing: ((call: string) => boolean) | null = null
  const storage = createMemoryStorage({
    failOn: (operation, key) => {
      if (failing === null || !failing(`${operation} ${key}`)) return null
      failing = null
      return new Error('The store is out of order.')
    },
  })
  service = await startService({ storage })
  const project = await service.newProject()
  const publish = async (fields: object) => {
    const { id } = (await service.call('POST', '/pages', pageBody(project, fields))).body.data
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  }
  const read = async (file: string) => {
    const body = await storage.get(`${project}/${file}`)
    return body === null ? null : JSON.parse(Buffer.from(body).toString())
  }
  return {
    project,
    publish,
    read,
    act: (action: string) => service.call('POST', `/projects/${project}/data-mode/${action}`),
    fail: (where: string) => (failing = (call) => call.endsWith(where)),
    failFirst: (pattern: RegExp) => (failing = (call) => pattern.test(call)),
    bytes: (file: string) => storage.get(`${project}/${file}`),
    keys: async () => (await storage.list(`${project}/`)).map((key) => key.slice(project.length + 1)),
  }
}

describe('a store that fails', () => {
  test('in enable leaves Data Mode off, and the next enable has a key that works', async () => {
    const site = await startFaulty()
    await site.publish({ slug: 'plain' })
    site.fail('_index.json')
    expect(await site.act('enable')).toMatchObject({ status: 500, body: { name: 'internal_error' } })
    expect((await service.call('GET', `/projects/${site.project}/data-mode`)).body.data).toEqual({
      enabled: false,
      enabled_at: null,
    })
    const enabled = await site.act('enable')
    expect(enabled.status).toBe(200)
    await site.publish({ slug: 'sealed' })
    const opened = await decryptPage(enabled.body.data.encryption_key, await site.read('sealed.json'))
    expect(opened).toMatchObject({ slug: 'sealed' })
  })

  test('in disable leaves it enabled', async () => {
    const site = await startFaulty()
    const key = (await site.act('enable')).body.data.encryption_key
    site.fail('_index.json')
    expect((await site.act('disable')).status).toBe(500)
    await site.publish({ slug: 'sealed' })
    expect(await decryptPage(key, await site.read('sealed.json'))).toMatchObject({ slug: 'sealed' })
  })

  test.each(some(['b.json', 'plain.json', '_nav/docs.json', '_index.json', 'plain/index.html']))(
    'at %s of a new key leaves everything sealed with the previous key',
    async (where) => {
      const site = await startFaulty()
      await site.publish({ slug: 'plain' })
      const key = (await site.act('enable')).body.data.encryption_key
      for (const slug of ['a', 'b', 'c']) await site.publish({ slug, subroute: 'docs', type: 'docs' })
      const before = [...(await site.keys())].filter((file) => !file.startsWith('_assets/'))
      site.fail(where)
      const failed = await site.act('regenerate-key')
      expect(failed.status).toBe(500)

      // The next release waits until the revert has finished.
      expect((await site.act('enable')).status).toBe(409)
      await expect
        .poll(async () => (await site.keys()).filter((file) => !file.startsWith('_assets/')))
        .toEqual(before)
      for (const file of ['a.json', 'b.json', 'c.json', '_nav/docs.json'])
        await expect
          .poll(async () => decryptPage(key, await site.read(file)).catch(() => null))
          .not.toBe(null)
      const again = await site.act('regenerate-key')
      expect(again.status).toBe(200)
      for (const file of ['a.json', 'b.json', 'c.json', 'plain.json', '_nav/docs.json'])
        await decryptPage(again.body.data.encryption_key, await site.read(file))
    },
  )

  test.each(['put', 'delete'])(
    'a %s of a picture under a new key leaves every page with a picture that its key opens',
    async (operation) => {
      const site = await startFaulty()
      const picture = flatPng(40, 20)
      const octets = { headers: { 'Content-Type': 'application/octet-stream' } }
      await service.call('POST', `/projects/${site.project}/assets?name=ada.png`, picture, octets)
      const key = (await site.act('enable')).body.data.encryption_key
      await site.publish({ slug: 'a', markdown_content: '![](/media/ada.png)' })
      const media = async () => (await site.keys()).filter((file) => file.startsWith('_media/'))
      const before = await media()
      expect(before).toHaveLength(1)
      const opens = async (contentKey: string) => {
        const { assets } = await decryptPage(contentKey, await site.read('a.json'))
        const asset = assets?.['/media/ada.png'] ?? expect.unreachable()
        return decryptAsset(contentKey, new Uint8Array((await site.bytes(asset.file)) ?? []), asset)
      }

      site.failFirst(new RegExp(`^${operation} .*/_media/`))
      const answer = await site.act('regenerate-key')
      // The change is live when the previous files are deleted; what fails then is tried again.
      expect(answer.status).toBe(operation === 'put' ? 500 : 200)
      const current = operation === 'put' ? key : answer.body.data.encryption_key
      await expect.poll(async () => opens(current).catch(() => null)).toEqual(new Uint8Array(picture))
      if (operation === 'put') await expect.poll(media).toEqual(before)
      const again = await site.act('regenerate-key')
      expect(again.status).toBe(200)
      expect(await opens(again.body.data.encryption_key)).toEqual(new Uint8Array(picture))
      expect(await media()).toHaveLength(1)
    },
  )
})
