import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deployFolder } from '../../src/deploy/deploy-folder.ts'
import { RECORD } from '../../src/deploy/deployed.ts'
import type { Owner } from '../../src/domain/artifact.ts'
import { EMPTY_STATE, writeState } from '../../src/site-build/state/build-state.ts'
import { outputManifest } from '../../src/site-build/state/output-manifest.ts'
import { createMemoryStorage, type StorageOperation } from '../support/memory-storage.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const FIRST = {
  '_assets/theme.1.css': 'a {}',
  'a/index.html': 'A names theme.1',
  'b/index.html': 'B',
  '_index.json': 'a b',
  'images/dot.svg': '<svg/>',
}
const SECOND = {
  '_assets/theme.2.css': 'b {}',
  'b/index.html': 'B names theme.2',
  'c/index.html': 'C',
  '_index.json': 'b c',
  'images/dot.svg': '<svg/>',
}

function ownerOf(key: string): Owner | null {
  if (key.startsWith('images/')) return null
  return key.startsWith('_') ? { kind: 'site', id: '' } : { kind: 'page', id: key }
}

/** A built folder of these files and a target, with a day that passes when told to. */
async function place() {
  const folder = await temporaryFolder()
  let dies: (operation: StorageOperation, key: string) => boolean = () => false
  const storage = createMemoryStorage({
    failOn: (operation, key) => (dies(operation, key) ? new Error('killed') : null),
  })
  let runs = 0
  let days = 0

  return {
    folder,
    storage,
    async build(files: Readonly<Record<string, string>>) {
      await rm(folder, { recursive: true, force: true })
      for (const [key, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, key)), { recursive: true })
        await writeFile(join(folder, key), text)
      }
      const built = outputManifest(
        Object.keys(files).map((key) => [key, { owner: ownerOf(key), digest: '' }]),
      )
      await writeState(folder, { ...EMPTY_STATE, engine: 'test', files: built }, null)
    },
    deploy: (options: { dryRun?: boolean; replace?: boolean; all?: boolean } = {}) =>
      deployFolder(
        { folder, dryRun: false, replace: false, all: false, ...options },
        {
          storage,
          run: `run-${++runs}`,
          now: () => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString(),
          onPut: () => {},
        },
      ),
    passDay: () => void days++,
    /** From its nth write on, the store does nothing any more; null lets it work again. */
    dieAt(nth: number | null) {
      let writes = 0
      dies = (operation) => nth !== null && (operation === 'put' || operation === 'delete') && ++writes > nth
    },
    async lying() {
      const keys = (await storage.list('')).filter((key) => key !== RECORD)
      const texts = keys.map(async (key) => [key, String(await storage.get(key))] as const)
      return Object.fromEntries(await Promise.all(texts))
    },
  }
}

const writesIn = (log: readonly string[]) => log.filter((line) => /^(put|delete) (?!\.quoin)/.test(line))

describe('deploying a built folder', () => {
  test('puts what is named before what names it, and removes what is gone last', async () => {
    const { build, deploy, storage, lying } = await place()
    await build(FIRST)
    await deploy()
    expect(await lying()).toEqual(FIRST)
    storage.log.length = 0

    await build(SECOND)
    const { uploads, deletes, kept } = await deploy()
    expect(uploads.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
      '_assets/theme.2.css new',
      '_index.json changed',
      'b/index.html changed',
      'c/index.html new',
    ])
    expect([deletes, kept]).toEqual([['a/index.html'], 1])
    const [asset, one, other, ...rest] = writesIn(storage.log)
    expect([asset, ...rest]).toEqual(['put _assets/theme.2.css', 'put _index.json', 'delete a/index.html'])
    // Pages go together, whichever is read first.
    expect([one, other].sort()).toEqual(['put b/index.html', 'put c/index.html'])
  })

  test('twice changes nothing; what went missing in the target is put again', async () => {
    const { build, deploy, storage, lying } = await place()
    await build(FIRST)
    await deploy()
    storage.log.length = 0
    expect(await deploy()).toMatchObject({ uploads: [], deletes: [], kept: 5 })
    expect(storage.log.filter((line) => line.startsWith('put'))).toEqual([])

    await storage.delete(['b/index.html'])
    expect(await deploy()).toMatchObject({ uploads: [{ key: 'b/index.html', reason: 'missing' }] })
    expect(await lying()).toEqual(FIRST)
  })

  test('styles that went stay for a day, for pages that are open; one that comes back stays', async () => {
    const { build, deploy, passDay, lying } = await place()
    await build(FIRST)
    await deploy()
    await build(SECOND)
    await deploy()
    await build(FIRST)
    await deploy()
    passDay()
    passDay()
    // Had its former end counted, it would go at once.
    await build(SECOND)
    await deploy()
    expect(Object.keys(await lying())).toContain('_assets/theme.1.css')
    passDay()
    await deploy()
    expect(await lying()).toEqual(SECOND)
  })

  test('killed before any of its writes, it leaves each file old or new, and the next completes it', async () => {
    const { build, deploy, dieAt, storage, lying } = await place()
    const foreign = { 'other/index.html': 'somebody else', 'robots.txt': 'mine' }
    const put = async (files: Readonly<Record<string, string>>) => {
      for (const [key, text] of Object.entries(files)) await storage.put({ key, body: Buffer.from(text) })
    }
    for (let nth = 0, killed = true; killed; nth++) {
      await storage.delete(await storage.list(''))
      await put(foreign)
      // Of two deploys in a row the second is killed too, when the first was.
      for (const files of [FIRST, SECOND]) {
        await build(files)
        dieAt(nth)
        killed = await deploy().then(
          () => false,
          () => true,
        )
        dieAt(null)
        for (const [key, text] of Object.entries(await lying()))
          expect([FIRST, SECOND, foreign].map((all) => (all as Record<string, string>)[key])).toContain(text)
      }
      await deploy()
      const { '_assets/theme.1.css': _, ...left } = await lying()
      expect(left).toEqual({ ...SECOND, ...foreign })
      expect(nth).toBeLessThan(20)
    }
  })

  test('of everything puts what somebody has altered in the target, too', async () => {
    const { build, deploy, storage, lying } = await place()
    await build(FIRST)
    await deploy()
    await storage.put({ key: 'b/index.html', body: Buffer.from('theirs') })
    expect((await deploy()).uploads).toEqual([])
    const { uploads, kept } = await deploy({ all: true })
    expect([new Set(uploads.map(({ reason }) => reason)), kept]).toEqual([new Set(['again']), 0])
    expect(await lying()).toEqual(FIRST)
  })

  test('never replaces what it did not put, unless told to; a dry run writes nothing', async () => {
    const { build, deploy, storage, lying } = await place()
    const body = Buffer.from('mine')
    await storage.put({ key: 'b/index.html', body })
    await build(FIRST)
    await expect(deploy()).rejects.toThrow('b/index.html lies in the target already')
    expect(await lying()).toEqual({ 'b/index.html': 'mine' })

    const plan = await deploy({ replace: true, dryRun: true })
    expect(plan.uploads).toHaveLength(5)
    expect(await lying()).toEqual({ 'b/index.html': 'mine' })
    await deploy({ replace: true })
    expect(await lying()).toEqual(FIRST)
  })

  test('tells when another deploy to the same target ran meanwhile', async () => {
    const { build, deploy, storage } = await place()
    await build(FIRST)
    const put = storage.put
    let isFirst = true
    storage.put = async (object, options) => {
      await put(object, options)
      if (!isFirst || object.key === RECORD) return
      isFirst = false
      await deploy()
    }
    await expect(deploy()).rejects.toThrow('ran at the same time')
    expect(await deploy()).toMatchObject({ uploads: [] })
  })

  test('refuses a folder that no build wrote, and one whose build was broken off', async () => {
    const { build, folder, deploy } = await place()
    await expect(deploy()).rejects.toThrow('is no folder that a site was built into')
    // As a first build has it that renders still, or was broken off.
    await mkdir(join(folder, '.quoin/spill-1/0'), { recursive: true })
    await expect(deploy()).rejects.toThrow('is no folder that a site was built into')
    await build(FIRST)
    await writeFile(join(folder, '.quoin/writing.json'), '["a/index.html"]')
    await expect(deploy()).rejects.toThrow('was broken off')
  })
})
