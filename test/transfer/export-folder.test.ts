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
import { listFiles } from './list-files.ts'
import { NO_ASSETS } from './no-assets.ts'

/** @param address e.g. `docs/a`. */
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
  const details = { status: 'active', hosting: DEFAULT_HOSTING, context: '', legacySettings: {} } as const
  const inOrder = pages.toSorted((a, b) => (a.page.source < b.page.source ? -1 : 1))
  return {
    name: 'Notes',
    settings: DEFAULT_SETTINGS,
    details,
    isSuspended: false,
    pages: inOrder,
    assets: [],
    redirects: [],
    ...more,
  }
}

const textsOf = (pages: readonly ExportedPage[]) => Object.fromEntries(exportFiles(project(pages)).texts)

describe('the files of an export', () => {
  test('hold only fields that differ from their default', () => {
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

  test('have names that all file systems allow and that have no other meaning in a content folder', () => {
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
    const { site, errors } = readSiteTexts(exportFiles(project(pages)).texts)
    expect(errors).toEqual([])
    expect(
      site.pages.map(({ subroute, slug }) => [subroute, slug].filter((part) => part !== '').join('/')).sort(),
    ).toEqual(names.toSorted())
  })

  test('contain the live one of several pages with one path, and the manifest holds the others', async () => {
    const pages = [
      docsPage('docs/index', { draft: true }),
      docsPage('docs'),
      docsPage('docs/a', { parent: { subroute: 'docs', slug: 'index' } }),
    ]
    const files = exportFiles(project(pages))
    expect([...files.texts.keys()]).toEqual(['site.yaml', 'docs.md', 'docs/a.md'])
    expect(files.notes).toEqual([
      expect.objectContaining({
        code: 'QN-NOT-EXPORTED',
        file: 'docs/a.md',
        message: expect.stringContaining('cannot hold these fields: parent.'),
      }),
      expect.objectContaining({
        code: 'QN-NOT-EXPORTED',
        file: 'docs/index.md',
        message: 'The page has no file. docs.md has the same path, /docs.',
      }),
    ])
    const folder = await temporaryFolder()
    await writeExport(folder, files, NO_ASSETS)
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

  test('leave out values that a content folder refuses, which are reported and stored in the manifest', async () => {
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
      'site.yaml: A content folder cannot hold these fields: docs_nav. They are in .quoin/export.json, which only quoin import reads.',
      'a.md: A content folder cannot hold these fields: config. They are in .quoin/export.json, which only quoin import reads.',
    ])
    const folder = await temporaryFolder()
    await writeExport(folder, files, NO_ASSETS)
    const { site } = await readExport(folder)
    expect(site.settings).toEqual({ docsNav: [{ title: 'Gone', slug: 'gone' }], footerText: 'Bye' })
    expect(site.pages[0]).toMatchObject({ config, markdown: '\n\nOne\r\nTwo\n' })
  })

  test('contain the redirects of a page, except those from the path of another page', () => {
    const named = (...paths: readonly string[]) => ({ config: { redirect_from: paths } })
    const { texts, notes } = exportFiles(
      project([docsPage('a', named('/old', '/older.html')), docsPage('b', named('/a'))]),
    )
    expect(texts.get('a.md')).toBe('---\ntitle: a\nredirect_from:\n  - /old\n  - /older.html\n---\nText.\n')
    expect(texts.get('b.md')).toBe('---\ntitle: b\n---\nText.\n')
    expect(notes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'b.md: A content folder cannot hold these fields: config. They are in .quoin/export.json, which only quoin import reads.',
    ])
  })

  test('are refused for a project with more pages than a content folder may have files', () => {
    const pages = Array.from({ length: 20_000 }, (_, index) => docsPage(`p${index}`))
    expect(() => exportFiles(project(pages))).toThrow(
      'The project has too many pages: a content folder has at most 20000 files.',
    )
  })
})

describe('writing an export', () => {
  const FIRST = exportFiles(project([docsPage('a'), docsPage('docs/b'), docsPage('docs/c')]))
  const SECOND = exportFiles(
    project([docsPage('a'), docsPage('docs/b', { title: 'Changed' }), docsPage('d')]),
  )

  test('updates an earlier export, and leaves all other files alone', async () => {
    const folder = await temporaryFolder()
    expect(await writeExport(folder, FIRST, NO_ASSETS)).toMatchObject({ removed: [], unchanged: 0 })
    await mkdir(join(folder, 'static'))
    for (const own of ['.gitignore', '.quoin/push.json', 'static/a.png'])
      await writeFile(join(folder, own), 'mine')
    expect(await writeExport(folder, SECOND, NO_ASSETS)).toEqual({
      written: ['d.md', 'docs/b.md'],
      removed: ['docs/c.md'],
      unchanged: 2,
      assets: [],
    })
    const files = await listFiles(folder)
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
    ['README.md', 'README.md was not written by an export.'],
    ['a.md', 'a.md was edited since the export.'],
    ['docs/c.md', 'docs/c.md was edited since the export.'],
  ])('writes nothing when it would replace or remove an edited or foreign %s', async (path, message) => {
    const folder = await temporaryFolder()
    await writeExport(folder, FIRST, NO_ASSETS)
    await writeFile(join(folder, path), 'mine')
    const before = await listFiles(folder)
    await expect(writeExport(folder, SECOND, NO_ASSETS)).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining(message),
    })
    expect(await listFiles(folder)).toEqual(before)
  })

  test('does not follow symbolic links out of the folder', async () => {
    for (const name of ['docs', '.quoin']) {
      const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
      await symlink(elsewhere, join(folder, name))
      await expect(writeExport(folder, FIRST, NO_ASSETS)).rejects.toMatchObject({ name: 'conflict' })
      expect(await readdir(elsewhere)).toEqual([])
    }
  })

  test('an interrupted export never looks complete, and the next one finishes it', async () => {
    for (const path of ['a.md', 'docs/b.md', 'd.md']) {
      const folder = await temporaryFolder()
      await writeExport(folder, FIRST, NO_ASSETS)
      // A folder at the path of a file makes the export fail there.
      await rm(join(folder, path), { force: true })
      await mkdir(join(folder, path))
      await expect(writeExport(folder, SECOND, NO_ASSETS)).rejects.toMatchObject({ syscall: 'rename' })
      await expect(readExport(folder)).rejects.toThrow(/is not complete/)
      await rm(join(folder, path), { recursive: true })
      await writeExport(folder, SECOND, NO_ASSETS)
      const whole = await temporaryFolder()
      await writeExport(whole, SECOND, NO_ASSETS)
      expect(await listFiles(folder)).toEqual(await listFiles(whole))
    }
  })

  test('an address of the server that leaves the folder is refused before anything is written', async () => {
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
      'The server returned an invalid address for the page page_a.',
    )
  })
})

describe('reading an export', () => {
  test('reads edited files as they are, and reports exported values that no longer apply', async () => {
    const folder = await temporaryFolder()
    const archived = { ...docsPage('old', { draft: true }), isArchived: true }
    const exported = exportFiles(project([docsPage('a', { title: ' A ' }), docsPage('b'), archived]))
    await writeExport(folder, exported, NO_ASSETS)
    expect((await readExport(folder)).archived).toEqual(new Set(['old.md']))

    await writeFile(join(folder, 'a.md'), '---\ntitle: Mine\n---\nText.\n')
    await writeFile(join(folder, 'new.md'), '---\ntitle: New\n---\n')
    await writeFile(join(folder, 'old.md'), '---\ntitle: Old\n---\n')
    await rm(join(folder, 'b.md'))
    const { site, outdated, archived: stillArchived, errors } = await readExport(folder)
    expect(errors).toEqual([])
    expect(site.pages.map(({ title }) => title)).toEqual(['Mine', 'New', 'Old'])
    expect(stillArchived).toEqual(new Set())
    expect(outdated).toEqual([
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'b.md',
        message: 'The file was removed from the folder after the export.',
      }),
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'a.md',
        message:
          'The file was edited after the export, so the exported values of these fields do not apply: title.',
      }),
    ])
  })

  test('refuses a folder without a manifest, or with one of another version', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'site.yaml'), 'name: Notes\n')
    await expect(readExport(folder)).rejects.toThrow(
      /holds no export: \.quoin\/export\.json is missing\. Use quoin push/,
    )
    await mkdir(join(folder, '.quoin'))
    await writeFile(join(folder, '.quoin/export.json'), '{"format":2}')
    await expect(readExport(folder)).rejects.toThrow(/is damaged or of another version/)
    expect(await readFile(join(folder, '.quoin/export.json'), 'utf8')).toBe('{"format":2}')
  })
})
