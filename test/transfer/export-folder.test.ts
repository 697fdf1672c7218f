import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite, readSiteTexts } from '../../src/content-folder/read-site.ts'
import type { SitePage } from '../../src/content-folder/site.ts'
import { DEFAULT_HOSTING } from '../../src/domain/project.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts'
import { exportFiles } from '../../src/transfer/export-files.ts'
import type { ExportedPage, ExportedProject } from '../../src/transfer/exported-project.ts'
import { fileName } from '../../src/transfer/file-name.ts'
import { readExport } from '../../src/transfer/read-export.ts'
import { readProject } from '../../src/transfer/read-project.ts'
import { writeExport } from '../../src/transfer/write-export.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { everyFile } from './list-files.ts'

/** @param address as in `docs/a`. */
function docsPage(address: string, more: Partial<SitePage> = {}): ExportedPage {
  const [, subroute = '', slug = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(address) ?? []
  const page: SitePage = {
    source: fileName({ subroute, slug }, 'md'),
    type: 'docs',
    title: address,
    slug,
    subroute,
    description: '',
    ogImageUrl: null,
    meta: {},
    config: {},
    markdown: 'Text.\n',
    ownFields: {},
    parent: null,
    draft: false,
    ...more,
  }
  return { page, isArchived: false, scheduled: null, isEdited: false }
}

function project(pages: readonly ExportedPage[], more: Partial<ExportedProject> = {}): ExportedProject {
  const home = { status: 'active', hosting: DEFAULT_HOSTING, context: '', legacySettings: {} } as const
  const inOrder = pages.toSorted((a, b) => (a.page.source < b.page.source ? -1 : 1))
  return {
    name: 'Notes',
    settings: DEFAULT_SETTINGS,
    details: home,
    isSuspended: false,
    pages: inOrder,
    ...more,
  }
}

const textsOf = (pages: readonly ExportedPage[]) => Object.fromEntries(exportFiles(project(pages)).texts)

describe('the files of an export', () => {
  test('say what they must and no more', () => {
    const parent = { subroute: 'docs', slug: 'index' }
    const texts = textsOf([
      docsPage('docs/index'),
      docsPage('docs/a', { parent }),
      docsPage('docs/b', { parent: { subroute: '', slug: 'docs-of' } }),
      docsPage('docs/c'),
      docsPage('docs-of', { draft: true }),
    ])
    expect(texts).toEqual({
      'site.yaml': 'name: Notes\n',
      'docs-of.md': '---\ntitle: docs-of\ndraft: true\n---\nText.\n',
      'docs/index.md': '---\ntitle: docs/index\n---\nText.\n',
      'docs/a.md': '---\ntitle: docs/a\n---\nText.\n',
      'docs/b.md': '---\ntitle: docs/b\nparent: /docs-of\n---\nText.\n',
      'docs/c.md': '---\ntitle: docs/c\nparent: null\n---\nText.\n',
    })
  })

  test('have names that every file system takes, and that mean something else to none', () => {
    const names = ['static/a', 'dist/b', 'docs/con', 'nul/x', 'com1', 'docs/static', 'site', 'index']
    const pages = names.map((name) => docsPage(name))
    expect(pages.map(({ page }) => page.source)).toEqual([
      'static_/a.md',
      'dist_/b.md',
      'docs/con_.md',
      'nul_/x.md',
      'com1_.md',
      'docs/static.md',
      'site.md',
      'index.md',
    ])
    expect(fileName({ subroute: '', slug: 'site' }, 'yaml')).toBe('site_.yaml')
    const { site, errors: faults } = readSiteTexts(exportFiles(project(pages)).texts)
    expect(faults).toEqual([])
    expect(
      site.pages.map(({ subroute, slug }) => [subroute, slug].filter((part) => part !== '').join('/')).sort(),
    ).toEqual(names.toSorted())
  })

  test('of pages on one path hold the live one; the others are told of and kept beside', async () => {
    const pages = [
      docsPage('docs/index', { draft: true }),
      docsPage('docs'),
      docsPage('docs/a', { parent: { subroute: 'docs', slug: 'index' } }),
    ]
    const files = exportFiles(project(pages))
    expect([...files.texts.keys()]).toEqual(['site.yaml', 'docs.md', 'docs/a.md'])
    expect(files.notes).toEqual([
      { file: 'docs/a.md', message: expect.stringContaining('cannot hold its parent') },
      { file: 'docs/index.md', message: 'It has no file: /docs is the path of docs.md too.' },
    ])
    const folder = await temporaryFolder()
    await writeExport(folder, files)
    expect((await readSite(folder)).errors).toEqual([])
    const { site } = await readExport(folder)
    expect(site.pages).toEqual(
      pages
        .map(({ page }) => page)
        .toSorted(
          (a, b) => Number(b.parent === null) - Number(a.parent === null) || (a.source < b.source ? -1 : 1),
        ),
    )
  })

  test('leave out what they cannot hold, which is told and kept beside', async () => {
    const config = { deep: '['.repeat(65), note: 'kept\r\nto the letter' }
    const files = exportFiles(
      project([docsPage('a', { config, markdown: '\n\nOne\r\nTwo\n' })], {
        settings: { ...DEFAULT_SETTINGS, docsNav: [{ title: 'Gone', slug: 'gone' }], footerText: 'Bye' },
      }),
    )
    expect(Object.fromEntries(files.texts)).toEqual({
      'site.yaml': 'name: Notes\nfooter_text: Bye\n',
      'a.md': '---\ntitle: a\n---\n\n\nOne\r\nTwo\n',
    })
    expect(files.notes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'site.yaml: A content folder cannot hold its docs_nav: kept in .quoin/export.json, for quoin import alone.',
      'a.md: A content folder cannot hold its config: kept in .quoin/export.json, for quoin import alone.',
    ])
    const folder = await temporaryFolder()
    await writeExport(folder, files)
    const { site } = await readExport(folder)
    expect(site.settings).toEqual({ docsNav: [{ title: 'Gone', slug: 'gone' }], footerText: 'Bye' })
    expect(site.pages[0]).toMatchObject({ config, markdown: '\n\nOne\r\nTwo\n' })
  })

  test('name the paths that lead to a page, but for those that another has', () => {
    const named = (...paths: readonly string[]) => ({ config: { redirect_from: paths } })
    const { texts, notes } = exportFiles(
      project([docsPage('a', named('/old', '/older.html')), docsPage('b', named('/a'))]),
    )
    expect(texts.get('a.md')).toBe('---\ntitle: a\nredirect_from:\n  - /old\n  - /older.html\n---\nText.\n')
    expect(texts.get('b.md')).toBe('---\ntitle: b\n---\nText.\n')
    expect(notes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'b.md: A content folder cannot hold its config: kept in .quoin/export.json, for quoin import alone.',
    ])
  })

  test('of a project with more pages than a folder takes are refused', () => {
    const pages = Array.from({ length: 20_000 }, (_, index) => docsPage(`p${index}`))
    expect(() => exportFiles(project(pages))).toThrow('A content folder has at most 20000 files.')
  })
})

describe('writing an export', () => {
  const FIRST = exportFiles(project([docsPage('a'), docsPage('docs/b'), docsPage('docs/c')]))
  const SECOND = exportFiles(
    project([docsPage('a'), docsPage('docs/b', { title: 'Changed' }), docsPage('d')]),
  )

  test('brings a former one up to date, and touches nothing else', async () => {
    const folder = await temporaryFolder()
    expect(await writeExport(folder, FIRST)).toMatchObject({ removed: [], unchanged: 0 })
    await mkdir(join(folder, 'static'))
    for (const own of ['.gitignore', '.quoin/push.json', 'static/a.png'])
      await writeFile(join(folder, own), 'mine')
    expect(await writeExport(folder, SECOND)).toEqual({
      written: ['d.md', 'docs/b.md'],
      removed: ['docs/c.md'],
      unchanged: 2,
    })
    const files = await everyFile(folder)
    expect(Object.keys(files).sort()).toEqual([
      '.gitignore',
      '.quoin/export.json',
      '.quoin/push.json',
      'a.md',
      'd.md',
      'docs/b.md',
      'site.yaml',
      'static/a.png',
    ])
  })

  test.each([
    ['README.md', 'README.md was written by no export.'],
    ['a.md', 'a.md was edited since it was exported.'],
    ['docs/c.md', 'docs/c.md was edited since it was exported.'],
  ])('with %s of somebody else in the way writes nothing at all', async (path, message) => {
    const folder = await temporaryFolder()
    await writeExport(folder, FIRST)
    await writeFile(join(folder, path), 'mine')
    const before = await everyFile(folder)
    await expect(writeExport(folder, SECOND)).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining(message),
    })
    expect(await everyFile(folder)).toEqual(before)
  })

  test('follows no symbolic link out of the folder', async () => {
    for (const name of ['docs', '.quoin']) {
      const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
      await symlink(elsewhere, join(folder, name))
      await expect(writeExport(folder, FIRST)).rejects.toMatchObject({ name: 'conflict' })
      expect(await readdir(elsewhere)).toEqual([])
    }
  })

  test('broken off at any file, it does not look complete, and the next one ends it', async () => {
    for (const path of ['a.md', 'docs/b.md', 'd.md']) {
      const folder = await temporaryFolder()
      await writeExport(folder, FIRST)
      // Nothing can be written over a folder.
      await rm(join(folder, path), { force: true })
      await mkdir(join(folder, path))
      await expect(writeExport(folder, SECOND)).rejects.toMatchObject({ syscall: 'rename' })
      await expect(readExport(folder)).rejects.toThrow(/was not finished/)
      await rm(join(folder, path), { recursive: true })
      await writeExport(folder, SECOND)
      const whole = await temporaryFolder()
      await writeExport(whole, SECOND)
      expect(await everyFile(folder)).toEqual(await everyFile(whole))
    }
  })

  test('an address that leaves the folder is refused before anything is written', async () => {
    const answers = (path: string) => {
      if (path.includes('/schedule')) return { data: [], meta: { has_more: false } }
      if (path.startsWith('/pages?')) return { data: [{ id: 'page_a' }], meta: { has_more: false } }
      if (path.startsWith('/pages/'))
        return { data: { id: 'page_a', subroute: '../../etc', slug: 'x', markdown_content: '' } }
      return { data: { hosting: {}, settings: {}, branding: {} } }
    }
    const transport = async (url: unknown) =>
      Response.json(answers(String(url).replace('http://server.test', '')))
    const api = createClient({ baseUrl: 'http://server.test', key: 'k', fetch: transport as typeof fetch })
    await expect(readProject(api, 'proj_a', () => {})).rejects.toThrow(
      'The server says that page_a has an address that is none.',
    )
  })
})

describe('reading an export', () => {
  test('takes edited files as they are now, and tells what is not as it was exported', async () => {
    const folder = await temporaryFolder()
    const archived = { ...docsPage('old', { draft: true }), isArchived: true }
    const exported = exportFiles(project([docsPage('a', { title: ' A ' }), docsPage('b'), archived]))
    await writeExport(folder, exported)
    expect((await readExport(folder)).archived).toEqual(new Set(['old.md']))

    await writeFile(join(folder, 'a.md'), '---\ntitle: Mine\n---\nText.\n')
    await writeFile(join(folder, 'new.md'), '---\ntitle: New\n---\n')
    await writeFile(join(folder, 'old.md'), '---\ntitle: Old\n---\n')
    await rm(join(folder, 'b.md'))
    const { site, lost, archived: still, faults } = await readExport(folder)
    expect(faults).toEqual([])
    expect(site.pages.map(({ title }) => title)).toEqual(['Mine', 'New', 'Old'])
    expect(still).toEqual(new Set())
    expect(lost).toEqual([
      { file: 'b.md', message: 'It was exported, and is not in the folder any more.' },
      {
        file: 'a.md',
        message: 'It was edited since it was exported: title is as the file says, not as it was exported.',
      },
    ])
  })

  test('refuses a folder that no export wrote', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'site.yaml'), 'name: Notes\n')
    await expect(readExport(folder)).rejects.toThrow(
      /holds no export: \.quoin\/export\.json is missing\. quoin push/,
    )
    await mkdir(join(folder, '.quoin'))
    await writeFile(join(folder, '.quoin/export.json'), '{"format":2}')
    await expect(readExport(folder)).rejects.toThrow(/is not of this version/)
    expect(await readFile(join(folder, '.quoin/export.json'), 'utf8')).toBe('{"format":2}')
  })
})
