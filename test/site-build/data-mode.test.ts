import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const buildSealed = async (site: Awaited<ReturnType<typeof temporarySite>>, key: Buffer | null = KEY) => {
  const result = await site.run({}, false, key)
  if ('errors' in result) throw new Error(JSON.stringify(result.errors))
  return result.report
}

/** The decrypted page, without ids and times. */
async function opened(file: string | undefined, key: Buffer | string) {
  const text = typeof key === 'string' ? key : key.toString('base64')
  const {
    project_id: _,
    id: __,
    published_at: ___,
    release_id: ____,
    ...content
  } = await decryptPage(text, JSON.parse(file ?? ''))
  return { ...content, ...('parent_page' in content && { parent_page: content['parent_page'] !== null }) }
}

const isPage = (key: string) => !/^_(index|nav\/)/.test(key)

/** Every byte in the folder, including the build state. */
async function allText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (
    await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
  ).join('\n')
}

describe('building in Data Mode', () => {
  test('writes the same files as publishing the same site in Data Mode', async () => {
    const site = await temporarySite({
      ...NOTES,
      'docs/index.md': '---\ntitle: Docs\n---\nAll.\n',
      // Two pages with one slug: the key of the second one contains its subroute.
      'other/a.md': '---\ntitle: Other\n---\nText.\n',
    })
    await buildSealed(site)
    const built = await readSiteFiles(site.out)

    const { site: content } = await readSite(site.folder)
    const project = await service.newProject()
    const { body } = await service.call('POST', `/projects/${project}/data-mode/enable`)
    const ignore = () => {}
    await pushSite(
      content,
      { project, folder: null, publish: true, prune: false, overwrite: false, dryRun: false },
      {
        api: createClient({ baseUrl: service.url, key: service.key }),
        monotonic: () => 0,
        onSent: ignore,
        onPublished: ignore,
      },
    )
    const published = await readSiteFiles(join(service.data, 'cdn', project))
    const keys = [...built.keys()].filter((key) => key !== '.nojekyll')
    expect(keys).toEqual([...published.keys()])
    expect(keys).toEqual(
      expect.arrayContaining(['_index.json', '_nav/docs.json', 'a.json', 'index.json', 'one.json']),
    )
    const contentKey: string = body.data.encryption_key
    for (const key of keys.filter(isPage))
      expect(await opened(built.get(key), KEY), key).toEqual(await opened(published.get(key), contentKey))

    const manifest = JSON.parse(built.get('_index.json') ?? '')
    expect(manifest.data_mode).toEqual(JSON.parse(published.get('_index.json') ?? '').data_mode)
    expect(
      manifest.pages.map(({ file, key_id: id }: { file: string; key_id: string }) => [file, id]).sort(),
    ).toEqual(
      keys
        .filter(isPage)
        .sort()
        .map((key) => [key, 'k1']),
    )
  })

  test('leaves no readable text, not even in the build state', async () => {
    const site = await temporarySite({
      ...NOTES,
      'docs/c.md': '---\ntitle: C\n---\nThe password is mellon.\n',
    })
    await buildSealed(site)
    expect(await allText(site.out)).not.toMatch(/mellon/)
    expect(await opened((await readSiteFiles(site.out)).get('c.json'), KEY)).toMatchObject({
      html: expect.stringContaining('mellon'),
    })
  })

  test('writes nothing the second time, and after an edit only that page and the indexes', async () => {
    const site = await temporarySite()
    await buildSealed(site)
    const before = await readSiteFiles(site.out)
    expect(await buildSealed(site)).toMatchObject({
      pages: { rendered: 0 },
      files: { written: 0, removed: 0 },
    })
    expect(await readSiteFiles(site.out)).toEqual(before)

    await site.put('docs/b.md', '---\ntitle: B\n---\nOther.\n')
    await buildSealed(site)
    const after = await readSiteFiles(site.out)
    const changed = [...after].filter(([key, text]) => before.get(key) !== text).map(([key]) => key)
    expect(changed).toContain('b.json')
    expect(changed.filter((key) => !key.startsWith('_'))).toEqual(['b.json'])
    await site.drop('docs/b.md')
    await buildSealed(site)
    expect([...(await readSiteFiles(site.out)).keys()]).not.toContain('b.json')
  })

  test('seals every page again under another key, and writes plain pages without a key', async () => {
    const site = await temporarySite()
    await site.build()
    const plain = await readSiteFiles(site.out)
    await buildSealed(site)
    const first = await readSiteFiles(site.out)
    expect([...first.keys()].filter((key) => /\.(html|md|txt|xml)$|_search/.test(key))).toEqual([])

    await buildSealed(site, OTHER_KEY)
    const second = await readSiteFiles(site.out)
    expect([...second.keys()]).toEqual([...first.keys()])
    await expect(opened(second.get('a.json'), KEY)).rejects.toThrow()
    expect(await opened(second.get('a.json'), OTHER_KEY)).toEqual(await opened(first.get('a.json'), KEY))

    await site.build()
    const again = await readSiteFiles(site.out)
    expect([...again.keys()]).toEqual([...plain.keys()])
    expect(again.get('docs/a/index.html')).toBe(plain.get('docs/a/index.html'))
  })

  test('publishes a file of static/ with the key of a page where a page names it', async () => {
    const page = '---\ntitle: C\n---\n[Data](/a.json)\n'
    const site = await temporarySite({ ...NOTES, 'static/a.json': '{}', 'docs/c.md': page })
    await buildSealed(site)
    const built = await readSiteFiles(site.out)
    expect(await opened(built.get('a.json'), KEY)).toMatchObject({ title: 'A' })
    expect(await opened(built.get('c.json'), KEY)).toMatchObject({
      assets: { '/a.json': { content_type: 'application/json; charset=utf-8', bytes: 2 } },
    })
  })
})
