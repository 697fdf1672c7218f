import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { createNullStateStore } from '../../src/push/push-state.ts'
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

const sealed = async (place: Awaited<ReturnType<typeof temporarySite>>, key: Buffer | null = KEY) => {
  const result = await place.run({}, false, key)
  if ('errors' in result) throw new Error(JSON.stringify(result.errors))
  return result.report
}

/** What a page says, its ids and times aside. */
async function opened(file: string | undefined, key: Buffer | string) {
  const text = typeof key === 'string' ? key : key.toString('base64')
  const {
    project_id: _,
    id: __,
    published_at: ___,
    release_id: ____,
    ...said
  } = await decryptPage(text, JSON.parse(file ?? ''))
  return { ...said, ...('parent_page' in said && { parent_page: said['parent_page'] !== null }) }
}

const isPage = (key: string) => !/^_(index|nav\/)/.test(key)

/** Every byte in the folder, what the build keeps for itself too. */
async function allText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (
    await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
  ).join('\n')
}

describe('building in Data Mode', () => {
  test('writes what publishing the same in Data Mode writes, under the same names', async () => {
    const place = await temporarySite({
      ...NOTES,
      'docs/index.md': '---\ntitle: Docs\n---\nAll.\n',
      // Of two pages of one slug the second has its subroute before it.
      'other/a.md': '---\ntitle: Other\n---\nText.\n',
    })
    await sealed(place)
    const built = await readSiteFiles(place.out)

    const { site } = await readSite(place.folder)
    const project = await service.newProject()
    const { body } = await service.call('POST', `/projects/${project}/data-mode/enable`)
    const ignore = () => {}
    await pushSite(
      site,
      { project, publish: true, prune: false, overwrite: false, dryRun: false },
      {
        api: createClient({ baseUrl: service.url, key: service.key }),
        state: createNullStateStore(),
        monotonic: () => 0,
        onSent: ignore,
        onPublished: ignore,
      },
    )
    const published = await readSiteFiles(join(service.data, 'cdn', project))
    const keys = [...built.keys()].filter((key) => key !== 'images/dot.svg')
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

  test('leaves nothing readable, in what it keeps for itself either', async () => {
    const place = await temporarySite({
      ...NOTES,
      'docs/c.md': '---\ntitle: C\n---\nThe password is mellon.\n',
    })
    await sealed(place)
    expect(await allText(place.out)).not.toMatch(/mellon/)
    expect(await opened((await readSiteFiles(place.out)).get('c.json'), KEY)).toMatchObject({
      html: expect.stringContaining('mellon'),
    })
  })

  test('again writes nothing; after an edit, that page and what tells of it', async () => {
    const place = await temporarySite()
    await sealed(place)
    const before = await readSiteFiles(place.out)
    expect(await sealed(place)).toMatchObject({ pages: { rendered: 0 }, files: { written: 0, removed: 0 } })
    expect(await readSiteFiles(place.out)).toEqual(before)

    await place.put('docs/b.md', '---\ntitle: B\n---\nOther.\n')
    await sealed(place)
    const after = await readSiteFiles(place.out)
    const changed = [...after].filter(([key, text]) => before.get(key) !== text).map(([key]) => key)
    expect(changed).toContain('b.json')
    expect(changed.filter((key) => !key.startsWith('_'))).toEqual(['b.json'])
    await place.drop('docs/b.md')
    await sealed(place)
    expect([...(await readSiteFiles(place.out)).keys()]).not.toContain('b.json')
  })

  test('under another key all is sealed anew; without one the site is there to be read again', async () => {
    const place = await temporarySite()
    await place.build()
    const plain = await readSiteFiles(place.out)
    await sealed(place)
    const first = await readSiteFiles(place.out)
    expect([...first.keys()].filter((key) => /\.(html|md|txt|xml)$|_search/.test(key))).toEqual([])

    await sealed(place, OTHER_KEY)
    const second = await readSiteFiles(place.out)
    expect([...second.keys()]).toEqual([...first.keys()])
    await expect(opened(second.get('a.json'), KEY)).rejects.toThrow()
    expect(await opened(second.get('a.json'), OTHER_KEY)).toEqual(await opened(first.get('a.json'), KEY))

    await place.build()
    const again = await readSiteFiles(place.out)
    expect([...again.keys()]).toEqual([...plain.keys()])
    expect(again.get('docs/a/index.html')).toBe(plain.get('docs/a/index.html'))
  })

  test('reports a file of static/ with the key of a page as an error', async () => {
    const place = await temporarySite({ ...NOTES, 'static/a.json': '{}' })
    expect(await place.run({}, false, KEY)).toMatchObject({
      errors: [{ file: 'static/a.json', line: null, message: expect.stringContaining('Rename one') }],
    })
  })
})
