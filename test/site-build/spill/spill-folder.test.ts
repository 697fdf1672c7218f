import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeSpools, withSpool } from '../../../src/site-build/spill/spill-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const write = (text: string) => async (spool: string | null) => {
  await writeFile(join(spool ?? '', 'page'), text)
}

describe('the folder for what is not to stay in memory', () => {
  test('is gone when the work is done or has failed, with all that was made for it', async () => {
    const place = await temporaryFolder()
    const out = join(place, 'deep', 'dist')
    await withSpool(out, write('x'))
    expect(await readdir(place)).toEqual([])
    const failing = withSpool(out, async (spool) => {
      await write('x')(spool)
      throw new Error('Out of order.')
    })
    await expect(failing).rejects.toThrow('Out of order.')
    expect(await readdir(place)).toEqual([])
  })

  test('leaves what was there, and what the work put beside it', async () => {
    const place = await temporaryFolder()
    const [there, made] = [join(place, 'there'), join(place, 'made')]
    await mkdir(there)
    await withSpool(there, write('x'))
    expect(await readdir(there)).toEqual([])
    await withSpool(made, async (spool) => {
      await write('x')(spool)
      await writeFile(join(made, 'index.html'), 'x')
    })
    expect(await readdir(made)).toEqual(['index.html'])
  })

  test('is none where none can be made', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    for (const out of [file, join(file, 'deeper'), '/proc/quoin'])
      expect(await withSpool(out, async (spool) => spool), out).toBeNull()
  })

  test.each([
    ['is removed an hour later, not before', false, ['parts', 'spool-new']],
    ['is removed at once where nothing may be read', true, ['parts']],
  ])('of a build that was broken off %s', async (_, isSealed, left) => {
    const out = await temporaryFolder()
    const folder = join(out, '.quoin')
    const now = Date.now() / 1000
    for (const [name, age] of [
      ['spool-old', 3_700],
      ['spool-new', 3_500],
      ['parts', 9_999],
    ] as const) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, 'page'), '')
      await utimes(join(folder, name), now - age, now - age)
    }
    await removeSpools(out, isSealed)
    expect((await readdir(folder)).sort()).toEqual(left)
    for (const name of left) expect(existsSync(join(folder, name, 'page'))).toBe(true)
  })
})
