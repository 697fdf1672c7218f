import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createLocalFolderStorage } from '../../../src/storage/local-folder.ts'
import { startService, type TestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openServiceDatabase } from '../../support/test-database.ts'
import { siteOf } from './sealed-site.ts'

let service: TestService
afterEach(() => service.close())

/** Documents that the database keeps and anybody can read who has it. */
async function readableDocuments(): Promise<readonly string[]> {
  const { writer, reader } = await openServiceDatabase(service.data)
  const kept: { bytes: Buffer }[] = await reader('artifacts').select('bytes')
  await Promise.all([writer.destroy(), reader.destroy()])
  return kept.flatMap(({ bytes }) => {
    try {
      return [gunzipSync(bytes).toString()]
    } catch {
      return []
    }
  })
}

test('stored bytes from before Data Mode are sealed, and can still be restored', async () => {
  const data = await temporaryFolder()
  const folder = createLocalFolderStorage({ root: join(data, 'cdn') })
  let failures = 0
  service = await startService({
    data,
    storage: {
      ...folder,
      put: async (object) => {
        if (failures > 0 && object.key.endsWith('_index.json')) {
          failures -= 1
          throw new Error('The store is out of order.')
        }
        await folder.put(object)
      },
    },
  })
  const site = siteOf(service, await service.newProject())
  const id = await site.create({ slug: 'house', markdown_content: 'Nobody else may know.' })
  const first = (await site.publish(id)).body.data.release_id
  const before = await readFile(join(data, 'cdn', site.project, 'house/index.html'), 'utf8')
  expect((await readableDocuments()).join('')).toContain('Nobody else may know.')

  await site.keyOf('enable')
  await service.server.service.runHousekeeping()
  expect(await readableDocuments()).toEqual([])

  // The page is in the clear on the site until it is published again; a store that fails then changes nothing.
  await site.edit(id, { markdown_content: 'Another text.' })
  failures = 1
  expect((await site.publish(id)).status).toBe(500)
  await expect.poll(site.files).toContain('house/index.html')
  await expect.poll(() => site.read('house/')).toBe(before)

  expect((await site.publish(id)).status).toBe(200)
  await service.server.service.runHousekeeping()
  expect(await readableDocuments()).toEqual([])
  await site.act('disable')
  const back = await service.call('POST', `/pages/${id}/rollback`, { release_id: first })
  expect(back.status).toBe(200)
  expect(await site.read('house/')).toBe(before)
})
