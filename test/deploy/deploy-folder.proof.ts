import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deployFolder } from '../../src/deploy/deploy-folder.ts'
import { RECORD_KEY } from '../../src/deploy/deploy-record.ts'
import type { Owner } from '../../src/domain/artifact.ts'
import { EMPTY_STATE, writeState } from '../../src/site-build/state/build-state.ts'
import { outputManifest } from '../../src/site-build/state/output-manifest.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createMemoryStorage, type StorageOperation } from '../support/memory-storage.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MEGABYTE = 1024 * 1024
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

/** A built folder, a target in memory and a clock that `passDay` advances. */
async function deployment() {
  const folder = await temporaryFolder()
  let fails: (operation: StorageOperation, key: string) => boolean = () => false
  const storage = createMemoryStorage({
    failOn: (operation, key) => (fails(operation, key) ? new Error('killed') : null),
  })
  let runs = 0
  let days = 0

  return {
    folder,
    storage,
    async build(files: Readonly<Record<string, string>>, contentKey: Uint8Array | null = null) {
      await rm(folder, { recursive: true, force: true })
      for (const [key, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, key)), { recursive: true })
        await writeFile(join(folder, key), text)
      }
      const built = outputManifest(
        Object.keys(files).map((key) => [key, { owner: ownerOf(key), digest: '' }]),
      )
      await writeState(folder, { ...EMPTY_STATE, engine: 'test', files: built }, contentKey)
    },
    deploy: (
      options: { dryRun?: boolean; replace?: boolean; all?: boolean } = {},
      target: Pick<Storage, 'put' | 'get' | 'delete' | 'list'> = storage,
    ) =>
      deployFolder(
        { folder, dryRun: false, replace: false, all: false, ...options },
        {
          storage: target,
          run: `run-${++runs}`,
          now: () => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString(),
          onPut: () => {},
        },
      ),
    passDay: () => void days++,
    /** Lets every write after the nth fail. Null lets all writes succeed. */
    failAfter(nth: number | null) {
      let writes = 0
      fails = (operation) => nth !== null && (operation === 'put' || operation === 'delete') && ++writes > nth
    },
    async targetFiles() {
      const keys = (await storage.list('')).filter((key) => key !== RECORD_KEY)
      const texts = keys.map(async (key) => [key, String(await storage.get(key))] as const)
      return Object.fromEntries(await Promise.all(texts))
    },
  }
}

const writesIn = (log: readonly string[]) => log.filter((line) => /^(put|delete) (?!\.quoin)/.test(line))

describe('deploying a built folder', () => {
  test('uploads a file after the files it references, and removes deleted files last', async () => {
    const { build, deploy, storage, targetFiles } = await deployment()
    await build(FIRST)
    await deploy()
    expect(await targetFiles()).toEqual(FIRST)
    storage.log.length = 0

    await build(SECOND)
    const { uploads, deletes, unchanged } = await deploy()
    expect(uploads.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
      '_assets/theme.2.css new',
      '_index.json changed',
      'b/index.html changed',
      'c/index.html new',
    ])
    expect([deletes, unchanged]).toEqual([['a/index.html'], 1])
    const [asset, one, other, ...rest] = writesIn(storage.log)
    expect([asset, ...rest]).toEqual(['put _assets/theme.2.css', 'put _index.json', 'delete a/index.html'])
    // Pages are uploaded in parallel, in any order.
    expect([one, other].sort()).toEqual(['put b/index.html', 'put c/index.html'])
  })

  test('uploads the pictures of a site in Data Mode before the encrypted pages that show them', async () => {
    const { build, deploy, storage } = await deployment()
    const sealed = {
      'a.json': 'A shows 1f.bin',
      '_media/1f.bin': 'a picture',
      '_nav/docs.json': 'A',
      '_index.json': 'a',
    }
    await build(sealed, Buffer.alloc(32, 7))
    await deploy()
    expect(writesIn(storage.log)).toEqual([
      'put _media/1f.bin',
      'put a.json',
      'put _nav/docs.json',
      'put _index.json',
    ])
    storage.log.length = 0
    await build({ 'b.json': 'B', '_index.json': 'b' }, Buffer.alloc(32, 7))
    await deploy()
    // The picture stays for a day.
    expect(writesIn(storage.log).slice(-2)).toEqual(['delete _nav/docs.json', 'delete a.json'])
  })

  test('changes nothing the second time, and uploads files that are missing in the target', async () => {
    const { build, deploy, storage, targetFiles } = await deployment()
    await build(FIRST)
    await deploy()
    storage.log.length = 0
    expect(await deploy()).toMatchObject({ uploads: [], deletes: [], unchanged: 5 })
    expect(storage.log.filter((line) => line.startsWith('put'))).toEqual([])

    await storage.delete(['b/index.html'])
    expect(await deploy()).toMatchObject({ uploads: [{ key: 'b/index.html', reason: 'missing' }] })
    expect(await targetFiles()).toEqual(FIRST)
  })

  test('retains removed styles for a day, for open pages, and keeps one that is used again', async () => {
    const { build, deploy, passDay, targetFiles } = await deployment()
    await build(FIRST)
    await deploy()
    await build(SECOND)
    await deploy()
    await build(FIRST)
    await deploy()
    passDay()
    passDay()
    // The day starts again: the first removal no longer counts.
    await build(SECOND)
    await deploy()
    expect(Object.keys(await targetFiles())).toContain('_assets/theme.1.css')
    passDay()
    await deploy()
    expect(await targetFiles()).toEqual(SECOND)
  })

  test('leaves each file old or new if any of its writes fails, and the next deploy completes the site', async () => {
    const { build, deploy, failAfter, storage, targetFiles } = await deployment()
    const foreign = { 'other/index.html': 'foreign', 'robots.txt': 'mine' }
    const put = async (files: Readonly<Record<string, string>>) => {
      for (const [key, text] of Object.entries(files)) await storage.put({ key, body: Buffer.from(text) })
    }
    for (let nth = 0, killed = true; killed; nth++) {
      await storage.delete(await storage.list(''))
      await put(foreign)
      // The second deploy is interrupted as well.
      for (const files of [FIRST, SECOND]) {
        await build(files)
        failAfter(nth)
        killed = await deploy().then(
          () => false,
          () => true,
        )
        failAfter(null)
        for (const [key, text] of Object.entries(await targetFiles()))
          expect([FIRST, SECOND, foreign].map((all) => (all as Record<string, string>)[key])).toContain(text)
      }
      await deploy()
      const { '_assets/theme.1.css': _, ...rest } = await targetFiles()
      expect(rest).toEqual({ ...SECOND, ...foreign })
      expect(nth).toBeLessThan(20)
    }
  })

  test('with --all also uploads files that another program changed in the target', async () => {
    const { build, deploy, storage, targetFiles } = await deployment()
    await build(FIRST)
    await deploy()
    await storage.put({ key: 'b/index.html', body: Buffer.from('theirs') })
    expect((await deploy()).uploads).toEqual([])
    const { uploads, unchanged } = await deploy({ all: true })
    expect([new Set(uploads.map(({ reason }) => reason)), unchanged]).toEqual([new Set(['again']), 0])
    expect(await targetFiles()).toEqual(FIRST)
  })

  test('replaces files that no deploy uploaded only with --replace, and writes nothing in a dry run', async () => {
    const { build, deploy, storage, targetFiles } = await deployment()
    const body = Buffer.from('mine')
    await storage.put({ key: 'b/index.html', body })
    await build(FIRST)
    await expect(deploy()).rejects.toThrow('b/index.html already exists in the target')
    expect(await targetFiles()).toEqual({ 'b/index.html': 'mine' })

    const plan = await deploy({ replace: true, dryRun: true })
    expect(plan.uploads).toHaveLength(5)
    expect(await targetFiles()).toEqual({ 'b/index.html': 'mine' })
    await deploy({ replace: true })
    expect(await targetFiles()).toEqual(FIRST)
  })

  test('fails if another deploy to the same target ran at the same time', async () => {
    const { build, deploy, storage } = await deployment()
    await build(FIRST)
    const put = storage.put
    let isFirst = true
    storage.put = async (object, options) => {
      await put(object, options)
      if (!isFirst || object.key === RECORD_KEY) return
      isFirst = false
      await deploy()
    }
    await expect(deploy()).rejects.toThrow('ran at the same time')
    expect(await deploy()).toMatchObject({ uploads: [] })
  })

  test.each([
    ['small', 1],
    ['large', 3 * MEGABYTE],
  ])('reports a %s file that changes between the plan and its upload', async (_, size) => {
    const { build, folder, storage, deploy } = await deployment()
    await build({ ...FIRST, 'images/large.bin': 'a'.repeat(size) })
    const put: typeof storage.put = async (object, options) => {
      if (object.key === RECORD_KEY) await writeFile(join(folder, 'images/large.bin'), 'b'.repeat(size))
      return storage.put(object, options)
    }
    await expect(deploy({}, { ...storage, put })).rejects.toThrow(
      'images/large.bin changed during the deploy. Deploy again.',
    )
    expect(await storage.get('images/large.bin')).toBeNull()
    await deploy()
    expect(String(await storage.get('images/large.bin')).length).toBe(size)
  })

  test.skipIf(!existsSync('/proc/self/io'))(
    'reads a large file twice: for the plan, and for its upload',
    async () => {
      const { build, deploy } = await deployment()
      await build({ 'images/large.bin': 'a'.repeat(64 * MEGABYTE) })
      const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
      const before = bytesRead()
      await deploy()
      expect((bytesRead() - before) / MEGABYTE).toBeLessThan(2.5 * 64)
    },
  )

  test('refuses a folder without a built site, and one whose build was interrupted', async () => {
    const { build, folder, deploy } = await deployment()
    await expect(deploy()).rejects.toThrow('contains no built site')
    // A cold build that still renders, or was interrupted, has left this.
    await mkdir(join(folder, '.quoin/spill-1/0'), { recursive: true })
    await expect(deploy()).rejects.toThrow('contains no built site')
    await build(FIRST)
    await writeFile(join(folder, '.quoin/writing.json'), '["a/index.html"]')
    await expect(deploy()).rejects.toThrow('was interrupted')
  })
})
