import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadOrCreateMasterKey, prependMasterKey } from '../../src/secrets/master-key-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the file of an embedded installation', () => {
  test('is made on the first run, for its user alone, and read on the next', async () => {
    const file = join(await temporaryFolder(), 'master.key')
    const first = await loadOrCreateMasterKey(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await loadOrCreateMasterKey(file)).id).toBe(first.id)
  })

  test('keeps its older keys when a new one is added, which seals from then on', async () => {
    const file = join(await temporaryFolder(), 'master.key')
    const older = await loadOrCreateMasterKey(file)
    const wrapped = older.wrap(Buffer.from('secret'), 'a')
    await prependMasterKey(file)
    const newest = await loadOrCreateMasterKey(file)
    expect(newest.id).not.toBe(older.id)
    expect(Buffer.from(newest.unwrap(wrapped, 'a')).toString()).toBe('secret')
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('with anything else in it is refused and left as it is', async () => {
    const file = join(await temporaryFolder(), 'master.key')
    await writeFile(file, 'not a key\n')
    await expect(loadOrCreateMasterKey(file)).rejects.toThrow(RangeError)
    await expect(prependMasterKey(file)).rejects.toThrow(RangeError)
    expect(await readFile(file, 'utf8')).toBe('not a key\n')
  })

  test('appears complete: processes that start at once read the same key, and no temporary file stays', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'master.key')
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateMasterKey(file)))
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
    await Promise.all([prependMasterKey(file), loadOrCreateMasterKey(file)])
    expect(await readdir(folder)).toEqual(['master.key'])
  })
})
