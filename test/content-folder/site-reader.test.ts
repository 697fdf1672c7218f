import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSite } from '../../src/content-folder/read-site.ts'
import { createSiteReader } from '../../src/content-folder/site-reader.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n[b](b.md)\n`
const FILES = {
  'site.yaml': 'name: Notes\n',
  'docs/index.md': page('Docs'),
  'docs/a.md': page('A'),
  'docs/b.md': page('B', 'parent: a\n'),
}
const NO_CHANGE = { files: new Set<string>(), isListDue: false }
const changed = (...files: string[]) => ({ files: new Set(files), isListDue: false })

async function readerOf(files: Readonly<Record<string, string>> = FILES) {
  const folder = await temporaryFolder()
  await writeFiles(folder, files)
  const reader = createSiteReader(folder, null)
  return { folder, reader, first: await reader.read(NO_CHANGE) }
}

/** Values that an author may write into any of the files of a site. */
const CONTENTS = [
  null,
  page('New'),
  page('New', 'parent: b\n'),
  page('New', 'slug: moved\n'),
  page('New', 'parent: none\n'),
  page('New', 'redirect_from: /old\n'),
  'no front matter',
  'name: Other\ntypes: { docs: article }\n',
]

describe('a folder that is read again', () => {
  test('gives what a reader without any memory gives, after any edits, and last versions of pages with errors', async () => {
    const paths = [...Object.keys(FILES), 'docs/c.md', 'static/a.svg']
    const edit = fc.record({ path: fc.constantFrom(...paths), content: fc.constantFrom(...CONTENTS) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
        async (rounds) => {
          const { folder, reader } = await readerOf()
          for (const edits of rounds) {
            for (const { path, content } of edits) {
              if (content === null) await rm(join(folder, path), { force: true })
              else await writeFiles(folder, { [path]: content })
            }
            const files = new Set(edits.map(({ path }) => path))
            const [actual, expected] = [await reader.read({ files, isListDue: true }), await readSite(folder)]
            // With errors, it also has the last versions of pages.
            if (expected.errors.length === 0) expect(actual).toEqual(expected)
            expect(actual.errors).toEqual(expected.errors)
            const sources = actual.site.pages.map(({ source }) => source)
            expect(sources).toEqual(expect.arrayContaining(expected.site.pages.map(({ source }) => source)))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('is the same object while nothing has changed', async () => {
    const { reader, first } = await readerOf()
    expect(await reader.read(NO_CHANGE)).toBe(first)
    expect(await reader.read(changed('docs/unknown.md'))).toBe(first)
  })

  test('keeps each page that was not edited as the very same object', async () => {
    const { folder, reader, first } = await readerOf()
    await writeFile(join(folder, 'docs/a.md'), page('Edited'))
    const { site } = await reader.read(changed('docs/a.md'))
    expect(site.pages.map(({ title }) => title).sort()).toEqual(['B', 'Docs', 'Edited'])
    const before = new Map(first.site.pages.map((one) => [one.source, one]))
    for (const one of site.pages) expect(one === before.get(one.source)).toBe(one.source !== 'docs/a.md')
  })

  test('resolves the links of pages again when the page that they lead to moves', async () => {
    const { folder, reader } = await readerOf()
    await writeFile(join(folder, 'docs/b.md'), page('B', 'slug: moved\n'))
    const { site } = await reader.read(changed('docs/b.md'))
    expect(site.pages.find(({ source }) => source === 'docs/a.md')?.markdown).toBe('[b](/docs/moved)\n')
  })

  test('does not see a new file before it is told that there may be one', async () => {
    const { folder, reader } = await readerOf()
    await writeFile(join(folder, 'docs/c.md'), page('C'))
    expect((await reader.read(changed('docs/c.md'))).site.pages).toHaveLength(3)
    expect((await reader.read({ files: new Set(), isListDue: true })).site.pages).toHaveLength(4)
  })
})
