import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ignoreRules } from '../../src/content-folder/ignored-files.ts'
import { listFiles } from '../../src/content-folder/list-files.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { createSiteReader } from '../../src/content-folder/site-reader.ts'
import { DOT_NAMES } from '../../src/domain/site-names.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

async function folderOf(paths: readonly string[], siteFile = 'name: Notes\n'): Promise<string> {
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    ...Object.fromEntries(paths.map((path) => [path, 'no page'])),
    'site.yaml': siteFile,
    'docs/a.md': '---\ntitle: A\n---\nText.\n',
  })
  return folder
}

const LITTER = [
  '.DS_Store',
  '.git/config',
  '.idea/workspace.xml',
  '.vscode/settings.json',
  'Icon\r',
  'docs/#a.md#',
  'docs/.#a.md',
  'docs/Thumbs.db',
  'docs/a.md.bak',
  'docs/a.md.orig',
  'docs/a.md~',
  'docs/desktop.ini',
  '__MACOSX/docs/a.md',
  'static/.DS_Store',
  'static/images/a.svg~',
  '~$a.docx',
]

const PROJECT = [
  'LICENSE',
  'LICENSE-MIT',
  'LICENSE.md',
  'Makefile',
  'TODO.md',
  'docs/package.json',
  'node_modules/left/README.md',
  'node_modules/left/package.json',
  'package-lock.json',
  'package.json',
  'pnpm-lock.yaml',
  'tailwind.config.js',
  'tsconfig.json',
  'yarn.lock',
]

describe('files that are not content', () => {
  test.each([
    ['editors, systems and version control', LITTER],
    ['the tools of a project', PROJECT],
  ])('never stop a build when they are of %s, and are listed', async (_, paths) => {
    const folder = await folderOf(paths)
    const { site, errors } = await readSite(folder)
    expect(errors).toEqual([])
    expect(site.pages.map(({ source }) => source)).toEqual(['docs/a.md'])
    expect(site.assets).toEqual([])
    const { ignored } = listFiles(folder, null)
    for (const path of paths)
      expect(ignored.some((entry) => entry === path || path.startsWith(entry))).toBe(true)
  })

  test('are listed by their folder when all of it is left out', async () => {
    const folder = await folderOf(['node_modules/a/index.js', 'node_modules/b/index.js', '.git/HEAD'])
    expect(listFiles(folder, null).ignored).toEqual(['.git/', 'node_modules/'])
  })

  test('may have the names of pages: case and folder count', async () => {
    const folder = await folderOf([])
    const page = '---\ntitle: A\n---\nText.\n'
    const files = [
      'todo.md',
      'license.md',
      'notice.md',
      'docs/TODO.md',
      'docs/LICENSE.md',
      'docs/makefile.md',
    ]
    await writeFiles(folder, Object.fromEntries(files.map((path) => [path, page])))
    expect(listFiles(folder, null).ignored).toEqual([])
  })

  test('are still served from static/ when they are for visitors', async () => {
    const folder = await folderOf(['static/package.json', 'static/schemas/tsconfig.json'])
    const { site, errors } = await readSite(folder)
    expect(errors).toEqual([])
    expect(site.assets.map(({ path }) => path)).toEqual(['package.json', 'schemas/tsconfig.json'])
  })
})

test('names with a dot that a site may have are content in static/ alone, for files and for folders', () => {
  const rules = ignoreRules([])
  for (const name of DOT_NAMES)
    for (const kind of ['file', 'folder'] as const) {
      expect(rules.ignores(`static/${name}`, kind), name).toBe(false)
      expect(rules.ignores(`static/docs/${name}`, kind), name).toBe(false)
      expect(rules.ignores(name, kind), name).toBe(true)
    }
})

describe('the patterns in site.yaml', () => {
  const ignoring = (...patterns: readonly string[]) => `name: Notes\nignore: ${JSON.stringify(patterns)}\n`

  test('leave out files and folders, as in a .gitignore', async () => {
    const paths = [
      'drafts/b.md',
      'docs/drafts/b.md',
      'docs/art.psd',
      'static/art.psd',
      'docs/old/x.md',
      'docs/old/y.md',
    ]
    const folder = await folderOf(paths, ignoring('/drafts/', '*.psd', 'docs/old/*', '!docs/old/y.md'))
    const { files, ignored } = listFiles(folder, null)
    expect(files).toEqual(['docs/a.md', 'docs/drafts/b.md', 'docs/old/y.md', 'site.yaml'])
    expect(ignored).toEqual(['docs/art.psd', 'docs/old/x.md', 'drafts/', 'static/art.psd'])
  })

  test('take back one of the usual ones', async () => {
    const folder = await folderOf(['TODO.md', 'docs/package.json'], ignoring('!TODO.md', '!package.json'))
    expect(listFiles(folder, null).files).toEqual(['TODO.md', 'docs/a.md', 'docs/package.json', 'site.yaml'])
  })

  test('never leave out site.yaml itself', async () => {
    const folder = await folderOf([], ignoring('*'))
    expect(listFiles(folder, null)).toMatchObject({ files: ['site.yaml'], ignored: ['docs/'], errors: [] })
  })

  test('may be one text, and hold although another field of site.yaml is wrong', async () => {
    const folder = await folderOf(['docs/x.psd'], 'name: Notes\nignore: "*.psd"\nnonsense: 1\n')
    const { errors } = await readSite(folder)
    expect(errors.map(({ code, file, line }) => `${file}:${line} ${code}`)).toEqual([
      'site.yaml:3 QN-UNKNOWN-FIELD',
    ])
  })

  test('are refused with their line unless they are patterns', async () => {
    for (const value of ['{ a: b }', '[1, ""]', '[[]]']) {
      const folder = await folderOf([], `name: Notes\nignore: ${value}\n`)
      const { errors } = await readSite(folder)
      expect(errors.map(({ file, line }) => `${file}:${line}`)).toContain('site.yaml:2')
    }
  })

  test('hold at once for a folder that is being edited', async () => {
    const folder = await folderOf(['docs/b.txt'])
    const reader = createSiteReader(folder, null)
    const first = await reader.read({ files: new Set(), isListDue: true })
    expect(first.unused).toEqual(['docs/b.txt'])
    await writeFile(join(folder, 'site.yaml'), ignoring('b.txt'))
    const second = await reader.read({ files: new Set(['site.yaml']), isListDue: false })
    expect(second.unused).toEqual([])
  })
})
