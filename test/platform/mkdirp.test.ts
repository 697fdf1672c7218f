import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mkdirp } from '../../src/platform/mkdirp.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a folder is made with those above it, by several at once', async () => {
  const folder = join(await temporaryFolder(), 'a/b/c')
  await Promise.all([mkdirp(folder), mkdirp(folder), mkdirp(join(folder, 'd'))])
  await mkdirp(folder)
  expect((await stat(join(folder, 'd'))).isDirectory()).toBe(true)
})

test('a file in its place is left and told of', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), 'kept')
  await expect(mkdirp(join(folder, 'file'))).rejects.toThrow('EEXIST')
  await expect(mkdirp(join(folder, 'file/within'))).rejects.toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')(
  'an error says so where the system has no folders made',
  async () => {
    await expect(mkdirp('/proc/nope/within')).rejects.toThrow(
      "ENOENT: no such file or directory, mkdir '/proc/nope'",
    )
  },
)
