import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  editedSince,
  forgetLook,
  type Inputs,
  keepLook,
  lastLook,
  lookAt,
  sightOf,
} from '../../../src/site-build/incremental/change-detection.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let inputs: Inputs
let later: number
const told = { pages: 2 }

beforeEach(async () => {
  const root = await temporaryFolder()
  inputs = {
    content: join(root, 'site'),
    themes: [join(root, 'theme')],
    out: join(root, 'site/dist'),
    request: 1,
  }
  for (const folder of ['site/docs', 'site/dist/docs', 'site/dist/.quoin', 'theme'])
    await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'site/docs/page.md'), 'One')
  await writeFile(join(root, 'site/dist/docs/index.html'), '<p>One')
  await writeFile(join(root, 'theme/style.css'), 'p {}')
  // Long enough after all these were written.
  later = Date.now() + 10_000
})

/** What the next build is told to read again; null when it has to look for itself. */
const edited = (asked: Inputs = inputs, now = later) => {
  const { look, last, isOutAsLeft } = sightOf(asked, now)
  return look && last && editedSince(look, last, isOutAsLeft)
}
/** What it finds kept where nothing was edited. */
const found = (asked: Inputs = inputs, now = later) =>
  edited(asked, now)?.length === 0 ? lastLook(asked.out)?.told : null
const built = (now = later) => {
  const look = lookAt(inputs, now)
  if (look === null) throw new Error('There is too much to look at.')
  const own = new Set(['docs/index.html'])
  keepLook(look, null, inputs.out, { told, written: { own, foreign: [], touched: null }, noted: () => null })
}
const at = (path: string) => join(inputs.out, '../..', path)

describe('a build of a folder that was built before', () => {
  test('is told what the last one told, as long as nothing changed', async () => {
    expect(found()).toBeNull()
    built()
    expect(found()).toEqual(told)
    expect(found()).toEqual(told)
    forgetLook(inputs.out)
    expect(found()).toBeNull()
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a file that was written again', () => writeFile(at('site/docs/page.md'), 'Another')],
    [
      'one of the same length, whose time was set back',
      async () => {
        const { atime, mtime } = await stat(at('site/docs/page.md'))
        await writeFile(at('site/docs/page.md'), 'Two')
        await utimes(at('site/docs/page.md'), atime, mtime)
      },
    ],
    ['a new file', () => writeFile(at('site/docs/other.md'), 'Other')],
    ['a file that went', () => rm(at('site/docs/page.md'))],
    ['another name', () => rename(at('site/docs/page.md'), at('site/docs/named.md'))],
    ['another folder', () => rename(at('site/docs'), at('site/guide'))],
    ['a file of a theme', () => writeFile(at('theme/style.css'), 'p { color: red }')],
    ['a written file that is gone', () => rm(at('site/dist/docs/index.html'))],
    ['a file that somebody put there', () => writeFile(at('site/dist/mine.txt'), 'Mine')],
  ])('looks for itself after %s', async (_, change) => {
    built()
    await change()
    expect(found()).toBeNull()
  })

  test('is told which files were edited, where no other came or went', async () => {
    built()
    await writeFile(at('site/docs/page.md'), 'Another')
    expect(edited()).toEqual(['docs/page.md'])
    await writeFile(at('site/docs/other.md'), 'Other')
    expect(edited()).toBeNull()
    await rm(at('site/docs/other.md'))
    await writeFile(at('theme/style.css'), 'p { color: red }')
    expect(edited()).toBeNull()
  })

  test('reads again what was written just before the last one looked', async () => {
    await setTimeout(20)
    await writeFile(at('site/docs/page.md'), 'Another')
    const { mtimeMs, ctimeMs } = await stat(at('site/docs/page.md'))
    // Two seconds after all the rest.
    built(Math.max(mtimeMs, ctimeMs) + 1_990)
    expect(edited()).toEqual(['docs/page.md'])
    built()
    expect(edited()).toEqual([])
  })

  test('looks for itself when it is asked for something else', () => {
    built()
    expect(found({ ...inputs, request: 2 })).toBeNull()
  })

  test('relies on nothing that was written just before the last one', () => {
    built(Date.now() + 500)
    expect(found()).toBeNull()
  })

  test('passes over what no site is made of', async () => {
    built()
    await mkdir(at('site/.git'))
    await writeFile(at('site/.git/index'), 'x')
    expect(found()).toEqual(told)
  })

  test('where what it kept cannot be read, or the folder is none, nothing is known', async () => {
    built()
    const head = '{"request":"a","told":{}}'
    const half = `${head}\n{"paths":[],"stamps":""}\n{"paths":[],"names":[],"sta`
    const others = ['null', '{}', '[]', '{"paths":{}}'].map((line) => `${head}\n${line}\n{}\n{}\n`)
    for (const text of [
      '{"inputs":',
      '{}',
      'null',
      '\n\n\n\n',
      'null\nnull\nnull\nnull\n',
      half,
      ...others,
    ]) {
      await writeFile(at('site/dist/.quoin/looked.jsonl'), text)
      expect(lastLook(inputs.out)).toBeNull()
      expect(found()).toBeNull()
    }
    built()
    const seen = at('site/dist/.quoin/looked.jsonl')
    const lines = (await readFile(seen, 'utf8')).split('\n')
    for (const text of ['x', 'null', '{}', '{"paths":[],"stamps":""}']) {
      await writeFile(seen, lines.with(2, text).join('\n'))
      expect(found()).toBeNull()
    }
    await writeFile(seen, lines.with(3, 'x').join('\n'))
    expect(lastLook(inputs.out)?.noted).toBeNull()
    await rm(inputs.out, { recursive: true })
    await writeFile(inputs.out, 'A file')
    expect(found()).toBeNull()
    forgetLook(inputs.out)
    built()
    expect(found()).toBeNull()
  })
})
