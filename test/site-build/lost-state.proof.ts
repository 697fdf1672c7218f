import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { siteIgnoreRules } from '../../src/content-folder/list-files.ts'
import { detectChanges } from '../../src/site-build/incremental/change-detection.ts'
import { buildIncrementally } from '../../src/site-build/incremental/incremental-build.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const NOW = { now: () => '2026-01-01T00:00:00.000Z' }
const MINE = 'mine.html'

/** A built site whose page `docs/b` is gone since, with a file of a person next to it, and its next builds. */
async function changedSite(contentKey: Uint8Array | null = null) {
  const site = await temporarySite()
  const { folder, out, run } = site
  const build = async () => {
    const inputs = { content: folder, ignored: siteIgnoreRules(folder), themes: [], request: 1, out }
    const changes = contentKey === null ? detectChanges(inputs, Date.now() + 10_000) : null
    const built = await buildIncrementally(changes, out, NOW.now(), (since, damaged, recorded) =>
      run(NOW, false, contentKey, since, null, damaged, recorded),
    )
    if ('errors' in built) throw new Error(JSON.stringify(built.errors))
    return built.report
  }
  await build()
  await writeFile(join(out, MINE), 'mine')
  await site.put('docs/a.md', '---\ntitle: A\n---\nText.\n')
  await site.drop('docs/b.md')
  return { ...site, build, state: (name: string) => join(out, '.quoin', name) }
}

/** The number of the site counts builds, which a cold one begins anew. */
async function siteFiles(out: string) {
  const files = new Map(await readSiteFiles(out))
  const index = files.get('_index.json') ?? ''
  return files.set('_index.json', index.replace(/"revision":\d+/, '"revision":1'))
}

/** What a cold build of the changed site writes. */
async function coldFiles(folder: string) {
  const cold = await temporarySite({})
  await cp(folder, cold.folder, { recursive: true, preserveTimestamps: true })
  await cold.build(NOW)
  return siteFiles(cold.out)
}

async function expectMended({ folder, out, build }: Awaited<ReturnType<typeof changedSite>>) {
  const files = await siteFiles(out)
  expect(files.get(MINE)).toBe('mine')
  files.delete(MINE)
  expect(files).toEqual(await coldFiles(folder))
  expect(await build()).toMatchObject({ files: { written: 0, removed: 0 }, lostState: null })
}

describe('a build whose state cannot be read', () => {
  test.each([
    ['is empty', () => ''],
    ['was cut off', (text: string) => text.slice(0, text.length / 2)],
    ['holds zeros', (text: string) => '\0'.repeat(text.length)],
    ['is another value', () => '[]'],
    ['has another layout', (text: string) => text.replace(/"layout":\d+/, '"layout":0')],
  ])(
    'builds everything when build.json %s, removes what it knows as its own, and leaves what is not',
    async (_, damage) => {
      const site = await changedSite()
      const file = site.state('build.json')
      await writeFile(file, damage(await readFile(file, 'utf8')))
      const report = await site.build()
      expect(report.lostState).toEqual({ file, unknown: 1 })
      expect(report.pages.rendered).toBe(report.pages.total)
      await expectMended(site)
    },
  )

  test('builds everything when build.json is gone, as when the rename was lost', async () => {
    const site = await changedSite()
    await rm(site.state('build.json'))
    expect((await site.build()).lostState).toEqual({ file: site.state('build.json'), unknown: 1 })
    await expectMended(site)
  })

  test('builds everything whichever shard was cut off or is gone', async () => {
    const site = await changedSite()
    const whole = join(site.folder, '../whole')
    await cp(site.out, whole, { recursive: true })
    const shards = await readdir(site.state('shards'))
    expect(shards.length).toBeGreaterThan(4)
    const damages = [
      (file: string) => rm(file),
      (file: string) => truncate(file, 0),
      (file: string) => writeFile(file, '{"a":1}'),
    ]
    for (const [index, name] of shards.entries()) {
      await damages[index % damages.length]?.(site.state(`shards/${name}`))
      await site.build()
      await expectMended(site)
      await rm(site.out, { recursive: true })
      await cp(whole, site.out, { recursive: true })
    }
  })

  test('knows its files by the record of the last build when all of its state is gone', async () => {
    const site = await changedSite()
    await rm(site.state('shards'), { recursive: true })
    expect((await site.build()).lostState?.unknown).toBe(1)
    await expectMended(site)
  })

  test('mends files that hold the beginning of what it writes, when nothing says which files are its own', async () => {
    const site = await temporarySite()
    const { out, build } = site
    await build(NOW)
    const whole = await readSiteFiles(out)
    await writeFile(join(out, MINE), 'mine')
    await truncate(join(out, 'docs/a/index.html'), 100)
    await truncate(join(out, 'docs/b/index.html'), 0)
    await writeFile(join(out, 'sitemap.xml'), Buffer.alloc((await stat(join(out, 'sitemap.xml'))).size))
    await truncate(join(out, 'images/dot.svg'), 5)
    await rm(join(out, '.quoin/shards'), { recursive: true })
    await writeFile(join(out, '.quoin/build.json'), '{')
    expect((await build(NOW)).lostState?.unknown).toBe(1)
    expect(new Map(await readSiteFiles(out))).toEqual(new Map([...whole, [MINE, 'mine']]))
  })

  test('refuses, and changes nothing, where a file in the way may be of a person', async () => {
    const { out, run, build } = await temporarySite()
    await build(NOW)
    const page = join(out, 'docs/a/index.html')
    await writeFile(page, 'written by hand')
    await rm(join(out, '.quoin/shards'), { recursive: true })
    await writeFile(join(out, '.quoin/build.json'), '{')
    const before = await readSiteFiles(out)
    await expect(run(NOW)).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining('docs/a/index.html is not of an earlier build'),
    })
    expect(await readSiteFiles(out)).toEqual(before)
  })

  test('in Data Mode builds everything, and removes the files of pages that are gone', async () => {
    const key = randomBytes(32)
    const site = await changedSite(key)
    const before = await readSiteFiles(site.out)
    await truncate(site.state('build.json'), 50)
    expect((await site.build()).lostState?.unknown).toBe(1)
    const after = await readSiteFiles(site.out)
    expect(after.get(MINE)).toBe('mine')
    expect(after.size).toBeLessThan(before.size)
    expect(await site.build()).toMatchObject({ files: { removed: 0 }, lostState: null })
  })

  test('equals a cold build whatever a power cut took from it, and never takes a file of a person', async () => {
    const whole = await changedSite()
    const kept = join(whole.folder, '../whole')
    await cp(whole.out, kept, { recursive: true })
    const entries = await readdir(kept, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile() && entry.name !== MINE && !entry.parentPath.includes('tokens'))
      .map((entry) => join(entry.parentPath, entry.name).slice(kept.length + 1))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...files), fc.nat({ max: 99 })), { maxLength: 6 }),
        async (cuts) => {
          await rm(whole.out, { recursive: true })
          await cp(kept, whole.out, { recursive: true, preserveTimestamps: true })
          for (const [key, percent] of cuts) {
            const file = join(whole.out, key)
            await mkdir(dirname(file), { recursive: true })
            await truncate(file, Math.floor(((await stat(file)).size * percent) / 100))
          }
          await whole.build()
          const built = await siteFiles(whole.out)
          expect(built.get(MINE)).toBe('mine')
          built.delete(MINE)
          expect(built).toEqual(await coldFiles(whole.folder))
        },
      ),
      { numRuns: 12 },
    )
  })
})
