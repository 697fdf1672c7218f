import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeStaleSpills, withSpillFolder } from '../../../src/site-build/spill/spill-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const write = (text: string) => async (spillFolder: string | null) => {
  await writeFile(join(spillFolder ?? '', 'page'), text)
}

describe('the spill folder', () => {
  test('is removed with its new parent folders when the work ends or fails', async () => {
    const parent = await temporaryFolder()
    const out = join(parent, 'deep', 'dist')
    await withSpillFolder(out, write('x'))
    expect(await readdir(parent)).toEqual([])
    const failing = withSpillFolder(out, async (spillFolder) => {
      await write('x')(spillFolder)
      throw new Error('Failed.')
    })
    await expect(failing).rejects.toThrow('Failed.')
    expect(await readdir(parent)).toEqual([])
  })

  test('leaves existing folders, and files that the work wrote next to it', async () => {
    const parent = await temporaryFolder()
    const [existing, created] = [join(parent, 'existing'), join(parent, 'created')]
    await mkdir(existing)
    await withSpillFolder(existing, write('x'))
    expect(await readdir(existing)).toEqual([])
    await withSpillFolder(created, async (spillFolder) => {
      await write('x')(spillFolder)
      await writeFile(join(created, 'index.html'), 'x')
    })
    expect(await readdir(created)).toEqual(['index.html'])
  })

  test('is null where no folder can be created', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    for (const out of [file, join(file, 'deeper'), '/proc/quoin'])
      expect(await withSpillFolder(out, async (spillFolder) => spillFolder), out).toBeNull()
  })

  test.each([
    ['is removed after an hour', false, ['shards', 'spill-new']],
    ['is removed at once in Data Mode', true, ['shards']],
  ])('after an aborted build %s', async (_, isSealed, remaining) => {
    const out = await temporaryFolder()
    const folder = join(out, '.quoin')
    const now = Date.now() / 1000
    for (const [name, age] of [
      ['spill-old', 3_700],
      ['spill-new', 3_500],
      ['shards', 9_999],
    ] as const) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, 'page'), '')
      await utimes(join(folder, name), now - age, now - age)
    }
    await removeStaleSpills(out, isSealed)
    expect((await readdir(folder)).sort()).toEqual(remaining)
    for (const name of remaining) expect(existsSync(join(folder, name, 'page'))).toBe(true)
  })
})
