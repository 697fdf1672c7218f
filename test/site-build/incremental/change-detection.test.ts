import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { ignoreRules } from '../../../src/content-folder/ignored-files.ts'
import {
  type BuildInputs,
  detectChanges,
  editedFiles,
  fingerprintInputs,
  forgetPreviousBuild,
  readPreviousBuild,
  recordBuild,
} from '../../../src/site-build/incremental/change-detection.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let inputs: BuildInputs
let later: number
const report = { pages: 2 }

beforeEach(async () => {
  const root = await temporaryFolder()
  inputs = {
    content: join(root, 'site'),
    ignored: ignoreRules(['notes/']),
    themes: [join(root, 'theme')],
    out: join(root, 'site/dist'),
    request: 1,
  }
  for (const folder of ['site/docs', 'site/dist/docs', 'site/dist/.quoin', 'theme'])
    await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'site/docs/page.md'), 'One')
  await writeFile(join(root, 'site/dist/docs/index.html'), '<p>One')
  await writeFile(join(root, 'theme/style.css'), 'p {}')
  // Late enough to trust the fingerprints of these files.
  later = Date.now() + 10_000
})

/** The files that the next build reads again. Null if it has to read everything. */
const edited = (given: BuildInputs = inputs, now = later) => {
  const { current, previous, isOutputUnchanged } = detectChanges(given, now)
  return current && previous && editedFiles(current, previous, isOutputUnchanged)
}
/** The recorded report of the previous build. Null if anything changed. */
const found = (given: BuildInputs = inputs, now = later) =>
  edited(given, now)?.length === 0 ? readPreviousBuild(given.out)?.report : null
const built = (now = later) => {
  const current = fingerprintInputs(inputs, now)
  if (current === null) throw new Error('Too many files for change detection.')
  const own = new Set(['docs/index.html'])
  recordBuild(current, null, inputs.out, {
    report,
    written: { own, foreign: [], touched: null },
    notes: () => null,
  })
}
const inputPaths = () => fingerprintInputs(inputs, later)?.files.paths
const at = (path: string) => join(inputs.out, '../..', path)

describe('a build of a folder that was built before', () => {
  test('does not see files that are left out', async () => {
    built()
    for (const folder of ['site/node_modules/left', 'site/notes'])
      await mkdir(at(folder), { recursive: true })
    for (const file of [
      'site/node_modules/left/index.js',
      'site/notes/a.md',
      'site/docs/page.md~',
      'site/package.json',
    ])
      await writeFile(at(file), 'x')
    expect(found()).toEqual(report)
    expect(inputPaths()).toEqual(['docs/page.md'])
  })

  test('sees every file of a theme of the site, whatever is left out of the content', async () => {
    inputs = { ...inputs, ignored: ignoreRules(['themes/', '*.css']) }
    await mkdir(at('site/themes/own'), { recursive: true })
    await writeFile(at('site/themes/own/style.css'), 'p {}')
    expect(inputPaths()).toEqual(['docs/page.md', 'themes/own/style.css'])
  })

  test('returns the recorded report as long as nothing changed', async () => {
    expect(found()).toBeNull()
    built()
    expect(found()).toEqual(report)
    expect(found()).toEqual(report)
    forgetPreviousBuild(inputs.out)
    expect(found()).toBeNull()
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a file is written again', () => writeFile(at('site/docs/page.md'), 'Another')],
    [
      'a file gets other text of the same length and its old time',
      async () => {
        const { atime, mtime } = await stat(at('site/docs/page.md'))
        await writeFile(at('site/docs/page.md'), 'Two')
        await utimes(at('site/docs/page.md'), atime, mtime)
      },
    ],
    ['a file is added', () => writeFile(at('site/docs/other.md'), 'Other')],
    ['a file is removed', () => rm(at('site/docs/page.md'))],
    ['a file is renamed', () => rename(at('site/docs/page.md'), at('site/docs/named.md'))],
    ['a folder is renamed', () => rename(at('site/docs'), at('site/guide'))],
    ['a file of a theme changes', () => writeFile(at('theme/style.css'), 'p { color: red }')],
    ['a file of the output is removed', () => rm(at('site/dist/docs/index.html'))],
    ['another file is added to the output', () => writeFile(at('site/dist/mine.txt'), 'Mine')],
  ])('finds a change if %s', async (_, change) => {
    built()
    await change()
    expect(found()).toBeNull()
  })

  test('lists the edited files if no other file was added or removed', async () => {
    built()
    await writeFile(at('site/docs/page.md'), 'Another')
    expect(edited()).toEqual(['docs/page.md'])
    await writeFile(at('site/docs/other.md'), 'Other')
    expect(edited()).toBeNull()
    await rm(at('site/docs/other.md'))
    await writeFile(at('theme/style.css'), 'p { color: red }')
    expect(edited()).toBeNull()
  })

  test('lists a file that was written just before its fingerprint was taken', async () => {
    await setTimeout(20)
    await writeFile(at('site/docs/page.md'), 'Another')
    const { mtimeMs, ctimeMs } = await stat(at('site/docs/page.md'))
    // Two seconds after all other files.
    built(Math.max(mtimeMs, ctimeMs) + 1_990)
    expect(edited()).toEqual(['docs/page.md'])
    built()
    expect(edited()).toEqual([])
  })

  test('finds a change if the options differ', () => {
    built()
    expect(found({ ...inputs, request: 2 })).toBeNull()
  })

  test('trusts no fingerprint of a file that was just written', () => {
    built(Date.now() + 500)
    expect(found()).toBeNull()
  })

  test('ignores files whose names start with a dot', async () => {
    built()
    await mkdir(at('site/.git'))
    await writeFile(at('site/.git/index'), 'x')
    expect(found()).toEqual(report)
  })

  test('finds nothing in a record that cannot be read', async () => {
    built()
    const head = '{"request":"a","report":{}}'
    const half = `${head}\n{"paths":[],"fingerprints":""}\n{"paths":[],"names":[],"fin`
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
      await writeFile(at('site/dist/.quoin/fingerprints.jsonl'), text)
      expect(readPreviousBuild(inputs.out)).toBeNull()
      expect(found()).toBeNull()
    }
    built()
    const record = at('site/dist/.quoin/fingerprints.jsonl')
    const lines = (await readFile(record, 'utf8')).split('\n')
    for (const text of ['x', 'null', '{}', '{"paths":[],"fingerprints":""}']) {
      await writeFile(record, lines.with(2, text).join('\n'))
      expect(found()).toBeNull()
    }
    await writeFile(record, lines.with(3, 'x').join('\n'))
    expect(readPreviousBuild(inputs.out)?.notes()).toBeNull()
    await rm(inputs.out, { recursive: true })
    await writeFile(inputs.out, 'A file')
    expect(found()).toBeNull()
    forgetPreviousBuild(inputs.out)
    built()
    expect(found()).toBeNull()
  })
})
