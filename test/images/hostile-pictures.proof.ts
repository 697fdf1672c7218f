import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createImagePool } from '../../src/images/child-pool.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { ACTIVE, hostilePictures } from '../support/hostile-pictures.ts'
import { flatPng, picture, SECRET, sharpIfInstalled } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const entry = join(PACKAGE_ROOT, 'dist/image-child.js')

describe.skipIf((await sharpIfInstalled()) === null)('hostile pictures', () => {
  test('each is refused or cleaned, nothing of it is active, and the next picture is read', async () => {
    const folder = await temporaryFolder()
    const images = createImagePool({ entry, size: 1 })
    const harmless = join(folder, 'harmless.png')
    await writeFile(harmless, flatPng(30, 20))
    const cases = await hostilePictures()
    for (const [name, { bytes }] of Object.entries(cases)) await writeFile(join(folder, name), bytes)
    expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60)
    const before = process.memoryUsage().rss

    const outcomes: Record<string, string> = {}
    for (const [name, { expected }] of Object.entries(cases)) {
      const [file, into] = [join(folder, name), join(folder, `${name}.clean`)]
      const outcome = await images.clean(file, into).then(
        () => 'cleaned',
        (error: Error) => (error.name === 'validation_error' ? 'refused' : String(error)),
      )
      if (expected !== 'either') outcomes[name] = outcome
      else expect(['cleaned', 'refused']).toContain(outcome)
      if (outcome === 'cleaned') {
        const text = (await readFile(into)).toString('latin1')
        expect(ACTIVE.exec(text)?.[0], name).toBeUndefined()
        expect(text.includes(SECRET), name).toBe(false)
      }
      expect(await images.inspect(harmless), `after ${name}`).toMatchObject({ width: 30 })
    }
    await images.close()

    const expected = Object.entries(cases).filter(([, { expected }]) => expected !== 'either')
    expect(outcomes).toEqual(Object.fromEntries(expected.map(([name, { expected }]) => [name, expected])))
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  test.each([
    ['computing', { cpuMs: 0, wallMs: 60_000, memory: Number.POSITIVE_INFINITY }],
    ['memory', { cpuMs: 60_000, wallMs: 60_000, memory: 1_000_000 }],
  ])(
    'a process that uses too much %s is ended, and another one reads the next picture',
    async (why, limit) => {
      const folder = await temporaryFolder()
      const [costly, harmless] = [join(folder, 'costly.jpg'), join(folder, 'harmless.png')]
      const costs = { width: 4_000, height: 4_000, format: 'jpeg', orientation: 6, noise: true } as const
      await writeFile(costly, await picture(costs))
      await writeFile(harmless, flatPng(30, 20))
      const images = createImagePool({
        entry,
        size: 1,
        limits: { inspect: NO_LIMIT, clean: limit, derive: limit, deriveAll: limit, drawCard: limit },
      })
      const into = join(folder, 'clean')

      await expect(images.clean(costly, into)).rejects.toThrow(`it ${why === 'memory' ? 'needs' : 'takes'} `)
      await expect(readFile(into)).rejects.toThrow('ENOENT')
      expect(await images.inspect(harmless)).toMatchObject({ width: 30 })
      await images.close()
    },
  )

  test('closing rejects the work under way', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'a.png'), flatPng(30, 20))
    const images = createImagePool({ entry, size: 1 })
    const work = [images.inspect(join(folder, 'a.png')), images.inspect(join(folder, 'a.png'))]
    const outcomes = Promise.allSettled(work)
    await images.close()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

const NO_LIMIT = {
  cpuMs: Number.POSITIVE_INFINITY,
  wallMs: Number.POSITIVE_INFINITY,
  memory: Number.POSITIVE_INFINITY,
}
