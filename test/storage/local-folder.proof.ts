import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import {
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { openFilesBeneath, temporaryFolder } from '../support/temporary-folder.ts'

const onLinux = process.platform === 'linux'
const asRoot = process.getuid?.() === 0

/** The name of a temporary file that an ended process left behind. */
const LEFT_BEHIND = '\u007fquoin-left-behind'

describe('local folder', () => {
  testStorageContract(async () =>
    createLocalFolderStorage({ root: join(await temporaryFolder(), 'data', 'cdn') }),
  )
})

describe('local folder without fsync', () => {
  testStorageContract(async () =>
    createLocalFolderStorage({ root: join(await temporaryFolder(), 'dist'), sync: false }),
  )
})

describe('the files of the folder', () => {
  test('an object is a plain file at the path of its key', async () => {
    const { root, storage } = await folderStorage()
    await storage.put({ key: 'docs/install/index.html', body: Buffer.from('x') })
    expect(await readFile(join(root, 'docs/install/index.html'), 'utf8')).toBe('x')
    expect(await everything(root)).toEqual(['docs', 'docs/install', 'docs/install/index.html'])
  })

  test('a delete removes folders that it emptied, and keeps the root and others', async () => {
    const { root, storage } = await folderStorage()
    for (const key of ['a/b/c/1.html', 'a/2.html']) await storage.put({ key, body: Buffer.from('x') })
    await storage.delete(['a/b/c/1.html'])
    expect(await everything(root)).toEqual(['a', 'a/2.html'])
    await storage.delete(['a/2.html'])
    expect(await everything(root)).toEqual([])
  })

  test.each([
    ['docs', 'docs/index.html'],
    ['docs/index.html', 'docs'],
  ])('next to %j, %j is refused with its name and leaves nothing behind', async (first, second) => {
    const { root, storage } = await folderStorage()
    await storage.put({ key: first, body: Buffer.from('x') })
    const before = await everything(root)
    await expect(storage.put({ key: second, body: Buffer.from('x') })).rejects.toThrow(
      `The object ${second} cannot be stored:`,
    )
    expect(await everything(root)).toEqual(before)
  })

  test('files that are not objects are neither listed nor opened', async () => {
    const { root, storage } = await folderStorage()
    await storage.put({ key: 'a.html', body: Buffer.from('x') })
    await writeFile(join(root, 'back\\slash.html'), 'x')
    await mkdir(join(root, 'empty'))
    expect(await storage.list('')).toEqual(['a.html'])
    expect(await storage.open('empty')).toBeNull()
  })
})

describe('symbolic links', () => {
  test.each(['get', 'open', 'put', 'moveInto', 'moveAllInto', 'delete'] as const)(
    '%s refuses a link in place of the file',
    async (method) => {
      const { root, outside, storage } = await folderStorage()
      await mkdir(root)
      await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'))
      await expect(attempt(storage, method, 'link.txt')).rejects.toThrow(/symbolic link .*link\.txt/)
      await expectUntouched(outside)
    },
  )

  test.each(['get', 'open', 'put', 'moveInto', 'moveAllInto', 'delete'] as const)(
    '%s refuses a link at any folder on the way',
    async (method) => {
      const { root, outside, storage } = await folderStorage()
      await mkdir(join(root, 'a'), { recursive: true })
      await symlink(outside, join(root, 'first'))
      await symlink(outside, join(root, 'a', 'deeper'))
      await symlink(join(outside, 'not-yet'), join(root, 'dangling'))
      for (const key of [
        'first/secret.txt',
        'a/deeper/secret.txt',
        'first/new/folder/x.txt',
        'dangling/x.txt',
      ]) {
        await expect(attempt(storage, method, key)).rejects.toThrow(/symbolic link/)
      }
      await expectUntouched(outside)
    },
  )

  test('lists omit links and refuse to start at one', async () => {
    const { root, outside, storage } = await folderStorage()
    await storage.put({ key: 'a/own.txt', body: Buffer.from('x') })
    await symlink(outside, join(root, 'a', 'folder'))
    await symlink(join(outside, 'secret.txt'), join(root, 'a', 'file.txt'))
    expect(await storage.list('')).toEqual(['a/own.txt'])
    await expect(storage.list('a/folder/')).rejects.toThrow(/symbolic link/)
  })

  test('the root itself may be a link, because the operator chooses it', async () => {
    const { root, outside, storage } = await folderStorage()
    await symlink(outside, root)
    await storage.put({ key: 'docs/a.html', body: Buffer.from('x') })
    expect(await storage.list('docs/')).toEqual(['docs/a.html'])
  })
})

describe('temporary files', () => {
  test('are neither listed nor opened by any key', async () => {
    const { root, storage } = await folderStorage()
    await storage.put({ key: 'a/b.html', body: Buffer.from('x') })
    await writeFile(join(root, 'a', LEFT_BEHIND), 'half a bo')
    expect(await storage.list('')).toEqual(['a/b.html'])
    await expect(storage.get(`a/${LEFT_BEHIND}`)).rejects.toThrow(RangeError)
    expect(await readdir(join(root, 'a'))).toContain(LEFT_BEHIND)
  })

  test('are deleted by a list when they are old, with the folder if it is empty', async () => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, staleMs: 0 })
    await mkdir(join(root, 'a'), { recursive: true })
    await writeFile(join(root, 'a', LEFT_BEHIND), 'half a bo')
    expect(await storage.list('')).toEqual([])
    expect(await everything(root)).toEqual([])
  })

  test('are not deleted while they are written, even when the writer’s clock is two hours behind or ahead', async () => {
    const { root, storage } = await folderStorage()
    await mkdir(join(root, 'a'), { recursive: true })
    for (const { writer, reader } of [
      { writer: -2, reader: 0 },
      { writer: 0, reader: 2 },
    ]) {
      await writeFile(join(root, 'a', LEFT_BEHIND), 'half a bo')
      const stamp = Date.now() / 1000 + writer * 3600
      await utimes(join(root, 'a', LEFT_BEHIND), stamp, stamp)
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + reader * 3_600_000)
      try {
        expect(await storage.list('')).toEqual([])
      } finally {
        vi.restoreAllMocks()
      }
      expect(await everything(root)).toEqual(['a', `a/${LEFT_BEHIND}`])
    }
  })

  test('leave nothing behind on a full disk, which is reported and keeps the old body', async () => {
    const { root, storage } = await folderStorage()
    await storage.put({ key: 'a.html', body: Buffer.from('old') })
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const writes = vi.spyOn(await fileHandlePrototype(), 'writeFile').mockRejectedValue(full)
    try {
      await expect(storage.put({ key: 'a.html', body: Buffer.from('new') })).rejects.toBe(full)
      await expect(storage.put({ key: 'new/b.html', body: Buffer.from('new') })).rejects.toBe(full)
      await expect(storage.check()).rejects.toThrow(
        `The storage folder ${root} cannot be used: the disk is full.`,
      )
    } finally {
      writes.mockRestore()
    }
    expect(String(await storage.get('a.html'))).toBe('old')
    expect(await everything(root)).toEqual(['a.html'])
  })

  test.runIf(LONG_FORM && onLinux)(
    'keep every acknowledged write whole if the process is killed during a write',
    async () => {
      for (let round = 0; round < 8; round += 1) {
        const { root, storage } = await folderStorage()
        const acknowledged = await writeUntilKilled(root, 3 + round * 2)
        const left = await storage.get('docs/page.html')
        const [version] = String(left).split(':', 1)
        expect(Number(version)).toBeGreaterThanOrEqual(acknowledged)
        expect(String(left)).toBe(`${version}:`.repeat(50_000))
        expect(await storage.list('')).toEqual(['docs/page.html'])
      }
    },
  )
})

describe('durability', () => {
  test.runIf(onLinux)(
    'a put syncs its file, its folder, and the parent of each folder that it created',
    async () => {
      const { root, storage } = await folderStorage()
      const synced = await syncedDuring(() => storage.put({ key: 'a/b/c.html', body: Buffer.from('x') }))
      const [parent, inRoot, inA, file, folder] = synced
      expect([parent, inRoot, inA]).toEqual([join(root, '..'), root, join(root, 'a')])
      expect(file).toMatch(/\/a\/b\/\u007fquoin-[^/]+$/)
      expect(folder).toBe(join(root, 'a/b'))
      expect(synced).toHaveLength(5)
    },
  )

  test.runIf(onLinux)('a delete syncs the folder that remains', async () => {
    const { root, storage } = await folderStorage()
    for (const key of ['a/1.html', 'a/b/2.html']) await storage.put({ key, body: Buffer.from('x') })
    expect(await syncedDuring(() => storage.delete(['a/b/2.html']))).toEqual([join(root, 'a')])
  })

  test.runIf(onLinux)('without sync nothing is synced', async () => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, sync: false })
    expect(await syncedDuring(() => storage.put({ key: 'a/b.html', body: Buffer.from('x') }))).toEqual([])
  })
})

describe.each([
  ['durable', true],
  ['not', false],
])('a moved file, %s', (_, sync) => {
  test('replaces the object of its key, and no longer exists at its old path', async () => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, sync })
    const tags = []
    for (const text of ['old', 'new']) {
      const file = await spillFile(text)
      await storage.moveInto('docs/a.html', file)
      expect(existsSync(file)).toBe(false)
      expect(String(await storage.get('docs/a.html'))).toBe(text)
      const opened = await storage.open('docs/a.html')
      tags.push(opened?.etag)
      await opened?.close()
    }
    expect(new Set(tags).size).toBe(2)
    expect(await everything(root)).toEqual(['docs', 'docs/a.html'])
  })

  test('stays in place when it cannot be moved, and no folder is created', async () => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, sync })
    await storage.put({ key: 'a/b.html', body: Buffer.from('x') })
    const file = await spillFile('mine')
    for (const key of ['a', 'a/b.html/c']) {
      await expect(storage.moveInto(key, file), key).rejects.toThrow(`The object ${key} cannot be stored`)
      expect(await readFile(file, 'utf8')).toBe('mine')
    }
    await expect(storage.moveInto('c/d.html', `${file}-gone`)).rejects.toThrow('ENOENT')
    await expect(storage.moveInto('../d.html', file)).rejects.toThrow(RangeError)
    expect(await everything(root)).toEqual(['a', 'a/b.html'])
  })
})

describe.each([
  ['durable', true],
  ['not', false],
])('a moved folder, %s', (_, sync) => {
  const KEYS = ['index.html', 'docs/index.html', 'docs/a/index.html', 'docs/a/deep/b.html', 'blog/one.html']

  test('is moved to an empty place, and next to existing objects', async () => {
    for (const there of [[], ['docs/other.html'], ['docs/a/deep/b.html', 'blog/two.html'], KEYS]) {
      const { root } = await folderStorage()
      const storage = createLocalFolderStorage({ root, sync })
      for (const key of there) await storage.put({ key, body: Buffer.from('old') })
      const tags = await tagsOf(storage, there)
      const folder = await spillFolder(KEYS)
      await storage.moveAllInto(KEYS, folder)
      expect(await storage.list('')).toEqual([...new Set([...KEYS, ...there])].sort())
      for (const key of KEYS) expect(String(await storage.get(key))).toBe(key)
      const replaced = there.filter((key) => KEYS.includes(key))
      const now = await tagsOf(storage, there)
      expect(there.filter((_, place) => now[place] !== tags[place])).toEqual(replaced)
      const left = await readdir(folder, { recursive: true, withFileTypes: true })
      expect(left.filter((entry) => entry.isFile())).toEqual([])
    }
  })

  test('leaves existing files unchanged that are in its way', async () => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, sync })
    await storage.put({ key: 'docs', body: Buffer.from('old') })
    const refused = storage.moveAllInto(KEYS, await spillFolder(KEYS))
    await expect(refused).rejects.toThrow('The object docs/index.html cannot be stored')
    expect(String(await storage.get('docs'))).toBe('old')
    await expect(storage.moveAllInto(['../x.html'], root)).rejects.toThrow(RangeError)
  })
})

async function tagsOf(storage: FolderStorage, keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key) => {
      const opened = await storage.open(key)
      await opened?.close()
      return opened?.etag
    }),
  )
}

/** A folder on another file system than temporary files, if the machine has one. */
const ELSEWHERE = '/dev/shm'
const hasElsewhere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(tmpdir()).dev

test.runIf(hasElsewhere).each([true, false])(
  'a file is moved from another file system too (durable: %s)',
  async (sync) => {
    const { root } = await folderStorage()
    const storage = createLocalFolderStorage({ root, sync })
    const place = await mkdtemp(join(ELSEWHERE, 'quoin-test-'))
    onTestFinished(() => rm(place, { recursive: true }))
    const file = join(place, 'spilled')
    await writeFile(file, 'far')
    await storage.moveInto('docs/a.html', file)
    expect(await readFile(join(root, 'docs/a.html'), 'utf8')).toBe('far')
    expect(await readdir(place)).toEqual([])
    expect(await everything(root)).toEqual(['docs', 'docs/a.html'])
  },
)

test.runIf(hasElsewhere)('a folder is moved from another file system too', async () => {
  const { root } = await folderStorage()
  const storage = createLocalFolderStorage({ root, sync: false })
  const place = await mkdtemp(join(ELSEWHERE, 'quoin-test-'))
  onTestFinished(() => rm(place, { recursive: true }))
  const keys = ['docs/a.html', 'docs/b/c.html']
  await storage.moveAllInto(keys, await spillFolder(keys, place))
  expect(await storage.list('')).toEqual(keys)
})

test.runIf(onLinux)('a moved file is as durable as one that is put', async () => {
  const { root, storage } = await folderStorage()
  await storage.put({ key: 'a/b.html', body: Buffer.from('x') })
  const file = await spillFile('y')
  const [synced, folder] = await syncedDuring(() => storage.moveInto('a/c.html', file))
  expect(synced?.startsWith(join(root, 'a/'))).toBe(true)
  expect(folder).toBe(join(root, 'a'))
})

describe('check', () => {
  test('creates the folder if it is missing', async () => {
    const { root, storage } = await folderStorage()
    await storage.check()
    expect(await everything(root)).toEqual([])
  })

  test('names the reason if a file has the name of the folder', async () => {
    const { root, storage } = await folderStorage()
    await writeFile(root, '')
    const reason = `The storage folder ${root} cannot be used: a file has its name, or that of a folder above it.`
    await expect(storage.check()).rejects.toThrow(reason)
    await expect(createLocalFolderStorage({ root: join(root, 'deeper') }).check()).rejects.toThrow(
      /a file has its name/,
    )
  })

  test.skipIf(asRoot)('names the reason if the folder is not writable', async () => {
    const { root, storage } = await folderStorage()
    await mkdir(root)
    await chmod(root, 0o500)
    await expect(storage.check()).rejects.toThrow(
      `The storage folder ${root} cannot be used: writing is not permitted.`,
    )
  })
})

test.runIf(onLinux)('every way to close an open object releases its file handle', async () => {
  const { root, storage } = await folderStorage()
  await storage.put({ key: 'a.bin', body: Buffer.alloc(300_000) })
  for (let round = 0; round < 50; round += 1) {
    await (await storage.open('a.bin'))?.close()
    const whole = await storage.open('a.bin')
    if (whole) await buffer(whole.stream())
    const dropped = (await storage.open('a.bin'))?.stream()
    dropped?.destroy()
    if (dropped) await once(dropped, 'close')
    await storage.get('a.bin')
    await storage.open('missing')
  }
  expect(await openFilesBeneath(root)).toEqual([])
})

async function folderStorage() {
  const folder = await temporaryFolder()
  const [root, outside] = [join(folder, 'cdn'), join(folder, 'outside')]
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'secret')
  return { root, outside, storage: createLocalFolderStorage({ root }) }
}

async function spillFile(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'spilled')
  await writeFile(file, text)
  return file
}

/** The text of each file is its key. */
async function spillFolder(keys: readonly string[], place?: string): Promise<string> {
  const folder = place ?? (await temporaryFolder())
  for (const key of keys) {
    await mkdir(dirname(join(folder, key)), { recursive: true })
    await writeFile(join(folder, key), key)
  }
  return folder
}

type FolderStorage = ReturnType<typeof createLocalFolderStorage>

async function attempt(
  storage: FolderStorage,
  method: 'get' | 'open' | 'put' | 'moveInto' | 'moveAllInto' | 'delete',
  key: string,
): Promise<unknown> {
  if (method === 'put') return storage.put({ key, body: Buffer.from('overwritten') })
  if (method === 'delete') return storage.delete([key])
  if (method === 'moveInto') return storage.moveInto(key, await spillFile('overwritten'))
  if (method === 'moveAllInto') return storage.moveAllInto([key], await spillFolder([key]))
  return storage[method](key)
}

async function expectUntouched(outside: string): Promise<void> {
  expect(await readdir(outside)).toEqual(['secret.txt'])
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  expect(existsSync(join(outside, 'not-yet'))).toBe(false)
}

/** Every file and folder below, including temporary ones. */
async function everything(root: string): Promise<string[]> {
  return (await readdir(root, { recursive: true })).sort()
}

/** The paths that are synced during `work`, in order. */
async function syncedDuring(act: () => Promise<void>): Promise<string[]> {
  const paths: string[] = []
  const prototype = await fileHandlePrototype()
  const { sync } = prototype
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    paths.push(await readlink(`/proc/self/fd/${this.fd}`))
    await sync.call(this)
  })
  try {
    await act()
  } finally {
    spy.mockRestore()
  }
  return paths
}

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}

/**
 * Starts a process that puts new versions of one page, and kills it during a write once it acknowledged `enough`
 * versions.
 *
 * @returns the last version that it acknowledged.
 */
async function writeUntilKilled(root: string, enough: number): Promise<number> {
  const adapter = new URL('../../dist/storage/local-folder.js', import.meta.url).href
  const program = `
    import { createLocalFolderStorage } from ${JSON.stringify(adapter)}
    const storage = createLocalFolderStorage({ root: ${JSON.stringify(root)} })
    for (let version = 1; ; version += 1) {
      await storage.put({ key: 'docs/page.html', body: Buffer.from((version + ':').repeat(50_000)) })
      console.log(version)
    }`
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  for await (const line of createInterface(writer.stdout)) {
    acknowledged = Number(line)
    if (acknowledged >= enough) writer.kill('SIGKILL')
  }
  return acknowledged
}
