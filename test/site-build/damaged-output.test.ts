import { randomBytes } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { siteIgnoreRules } from '../../src/content-folder/list-files.ts'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { detectChanges } from '../../src/site-build/incremental/change-detection.ts'
import { buildIncrementally } from '../../src/site-build/incremental/incremental-build.ts'
import { picture, sharpIfInstalled } from '../support/pictures.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

/** A built site, and its next build as the command runs it. */
async function builtSite() {
  const site = await temporarySite()
  const { folder, out, run } = site
  const build = () =>
    buildIncrementally(
      detectChanges(
        { content: folder, ignored: siteIgnoreRules(folder), themes: [], request: 1, out },
        Date.now() + 10_000,
      ),
      out,
      '2026-01-01T00:00:00.000Z',
      (since, damaged) => run({ now: () => '2026-01-01T00:00:00.000Z' }, false, null, since, null, damaged),
    )
  await build()
  return { ...site, build, read: (key: string) => readFile(join(out, key), 'utf8') }
}

test.each([0, 100])('a page of the output that was cut to %s bytes is written again', async (bytes) => {
  const { out, build, read } = await builtSite()
  const whole = await read('docs/a/index.html')
  await truncate(join(out, 'docs/a/index.html'), bytes)
  await build()
  expect(await read('docs/a/index.html')).toBe(whole)
  expect(await build()).toMatchObject({ report: { files: { written: 0 } } })
})

const loaded = await loadDecoder()
const decoding = createInProcessImages('decoder' in loaded ? loaded.decoder : null)

describe.skipIf((await sharpIfInstalled()) === null)(
  'a smaller picture in the cache that was cut off',
  () => {
    test.each([
      ['in plain', null],
      ['in Data Mode', randomBytes(32)],
    ])('is derived again, %s', async (_, contentKey) => {
      const files = { ...NOTES, 'docs/a.md': '---\ntitle: A\n---\n![A tram](tram.jpg)\n' }
      const { folder, out, build, put } = await temporarySite(files)
      await writeFile(
        join(folder, 'docs/tram.jpg'),
        await picture({ width: 900, height: 600, format: 'jpeg', noise: true }),
      )
      const images = () => decoding
      await build({ images }, false, contentKey)
      const cache = join(out, '.quoin/media')
      for (const name of await readdir(cache)) await truncate(join(cache, name), 10)
      await put('docs/b.md', '---\ntitle: B\n---\nMore. ![A tram](tram.jpg)\n')
      await build({ images }, false, contentKey)
      for (const name of await readdir(cache))
        expect((await readFile(join(cache, name))).length, name).toBeGreaterThan(10)
    })
  },
)
