import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { readFileBody } from '../../src/platform/file-body.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const FILES = 12

/** A folder with one page that links to many files, and a push whose connection can be cut. */
async function downloads() {
  const folder = await temporaryFolder()
  const names = Array.from({ length: FILES }, (_, index) => `part-${index}.txt`)
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'site.yaml'), 'name: Parts\n')
  for (const name of names) await writeFile(join(folder, 'docs', name), `This is ${name}.\n`)
  const links = names.map((name) => `[${name}](${name})`).join('\n')
  await writeFile(join(folder, 'docs/index.md'), `---\ntitle: Parts\n---\n${links}\n`)

  const { site } = await readSite(folder)
  const project = await service.newProject()
  const counts = { uploads: 0, running: 0, most: 0 }
  let uploadsLeft = Number.POSITIVE_INFINITY
  const transport: typeof fetch = async (url, init) => {
    const isUpload = init?.method !== 'GET' && /\/(assets|content)$/.test(new URL(String(url)).pathname)
    if (!isUpload) return fetch(url, init)
    if (uploadsLeft-- <= 0) throw new Error('cut')
    counts.uploads++
    counts.most = Math.max(counts.most, ++counts.running)
    return fetch(url, init).finally(() => counts.running--)
  }
  const api = createClient({ baseUrl: service.url, key: service.key, fetch: transport, retries: 0 })
  const read: string[] = []
  return {
    folder,
    counts,
    read,
    push: (cutAfter = Number.POSITIVE_INFINITY) => {
      uploadsLeft = cutAfter
      return pushSite(
        site,
        { project, folder: 'a-folder', publish: false, prune: false, overwrite: false, dryRun: false },
        {
          api,
          monotonic: () => 0,
          onSent: () => {},
          onPublished: () => {},
          files: {
            async read(source) {
              read.push(source)
              return readFileBody(join(folder, source))
            },
          },
        },
      )
    },
    stored: async () => {
      const { body } = await service.call('GET', `/projects/${project}/assets?limit=100`)
      return body.data.map(({ name }: { name: string }) => name).sort()
    },
  }
}

test('a push that was cut sends only the files that did not arrive', async () => {
  const { counts, push, stored } = await downloads()
  await expect(push(5)).rejects.toThrow('cut')
  expect(await stored()).toHaveLength(5)
  const { files, conflicts } = await push()
  expect([files.sent.length, files.unchanged, conflicts]).toEqual([FILES - 5, 5, []])
  expect(counts.uploads).toBe(FILES)
  expect(await stored()).toHaveLength(FILES)
})

test('files that changed after a push was cut are replaced without a conflict', async () => {
  const { folder, push } = await downloads()
  await expect(push(5)).rejects.toThrow('cut')
  for (let index = 0; index < FILES; index++)
    await writeFile(join(folder, `docs/part-${index}.txt`), 'Changed.\n')
  const { files, conflicts } = await push()
  expect([files.sent.length, conflicts]).toEqual([FILES, []])
})

test('at most four files are sent at a time, and a second push sends none', async () => {
  const { counts, push } = await downloads()
  await push()
  expect(counts.most).toBeGreaterThan(1)
  expect(counts.most).toBeLessThanOrEqual(4)
  const { files, updated, settings } = await push()
  expect([files.sent, files.unchanged, updated, settings]).toEqual([[], FILES, [], []])
  expect(counts.uploads).toBe(FILES)
})
