import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeClient } from '../../scripts/client.mjs'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NAMES = ['api-types.ts', 'api-methods.ts']

test('the modules of the client are written once, and again when one of them is missing or was changed', async () => {
  const folder = await temporaryFolder()
  const write = () => writeClient(folder, join(folder, 'stamp.json'))
  const written = (of: string) => Promise.all(NAMES.map((name) => readFile(join(of, name), 'utf8')))
  const inodes = async () => Promise.all(NAMES.map(async (name) => (await stat(join(folder, name))).ino))

  await write()
  expect(await written(folder)).toEqual(await written(join(PACKAGE_ROOT, 'src/client')))
  const first = await inodes()
  await write()
  expect(await inodes()).toEqual(first)

  await writeFile(join(folder, 'api-types.ts'), 'export type Api = never\n')
  await rm(join(folder, 'api-methods.ts'))
  await write()
  expect(await written(folder)).toEqual(await written(join(PACKAGE_ROOT, 'src/client')))
})
