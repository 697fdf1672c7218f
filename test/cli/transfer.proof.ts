import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { some } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { listFiles } from '../transfer/list-files.ts'

let service: TestService
let other: TestService
beforeAll(async () => {
  ;[service, other] = await Promise.all([startService(), startService()])
})
afterAll(() => Promise.all([service.close(), other.close()]))

const quoin = (to: TestService, ...args: string[]) =>
  startCommand(args, { QUOIN_KEY: to.key, QUOIN_URL: to.url }).ended

/** A project with pages of every type, one that a content folder cannot hold, and one edited since its publish. */
async function fieldNotes(): Promise<string> {
  const project = await service.newProject('Field notes')
  const make = async (fields: object): Promise<string> =>
    (await service.call('POST', '/pages', { project_id: project, subroute: '', ...fields })).body.data.id
  const sections = [{ type: 'hero', props: { title: 'Notes', subtitle: 'From\nthe field' } }]
  const live = [
    await make({ title: 'Home', slug: 'index', type: 'page', config: { sections, theme: 'minimal' } }),
    await make({
      title: 'Docs',
      slug: 'index',
      subroute: 'docs',
      type: 'docs',
      markdown_content: '# Docs\n\nBegin.\n',
    }),
  ]
  await make({
    title: 'Draft',
    slug: 'a',
    subroute: 'docs',
    type: 'docs',
    nav_order: 2,
    parent_page: live[1],
  })
  const article = {
    title: 'Herons',
    slug: 'herons',
    subroute: 'notes',
    type: 'article',
    description: 'Seen: two.',
    markdown_content: '---\nauthor: Ada\n---\nTwo of them.\n',
    publish_date: '2026-04-01',
    feed_guid: 'https://old.example.com/?p=7',
    meta: { keywords: 'birds' },
  }
  live.push(await make(article))
  const old = await make({
    title: 'Old',
    slug: 'old',
    subroute: 'notes',
    type: 'article',
    markdown_content: 'Gone.\n',
  })
  await make({
    title: ' Caddy ',
    slug: 'con',
    subroute: 'static',
    type: 'item',
    config: { port: 443, tags: ['web'] },
  })
  await service.call('PUT', `/projects/${project}/settings`, {
    footer_text: 'Bye',
    nav_links: [{ label: 'Notes', href: '/notes' }],
  })
  for (const id of live) await service.call('POST', `/pages/${id}/publish`)
  await service.call('PUT', `/pages/${live[1]}`, { title: 'All docs' })
  await service.call('PUT', `/pages/${old}`, { status: 'archived' })
  return project
}

/** Compares files with a golden folder, which `npm run golden` rewrites. */
async function expectGolden(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(PACKAGE_ROOT, 'fixtures/transfer', name)
  if (process.env['QUOIN_REWRITE'] === 'golden') {
    await rm(folder, { recursive: true, force: true })
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text, 'latin1')
    }
  }
  expect(files).toEqual(await listFiles(folder))
}

/** The output of an import without the end of its last line. */
function withoutEnd(output: string): string {
  return output.replace(/(\. Dry run: nothing was changed\.|; \d+\.\d\d s\.)\n$/, '')
}

describe('quoin export and import', () => {
  test('move a project to another server through a readable folder', async () => {
    const project = await fieldNotes()
    const folder = join(await temporaryFolder(), 'backup')
    const exported = await quoin(service, 'export', project, '--out', folder)
    expect(exported).toMatchObject({ code: 0, err: '' })
    const files = await listFiles(folder)
    await expectGolden('folder', files)

    const plain = { QUOIN_KEY: service.key }
    const built = await startCommand(['build', folder, '--out', join(folder, 'dist'), '--json'], plain).ended
    expect(JSON.parse(built.out)).toMatchObject({ ok: true })

    const plan = await quoin(other, 'import', folder, '--publish', '--dry-run')
    expect(plan).toMatchObject({ code: 0, err: '' })
    const planned = JSON.parse((await quoin(other, 'import', folder, '--publish', '--dry-run', '--json')).out)
    expect(planned).toMatchObject({ ok: true, dry_run: true, project_id: null, project_created: true })
    expect((await other.call('GET', '/projects')).body.data).toEqual([])

    const first = await quoin(other, 'import', folder, '--publish', '--verbose')
    expect(first).toMatchObject({ code: 0, err: '' })
    const [, there = ''] = /(proj_\w+):/.exec(first.out) ?? []
    const address = `The site is at ${other.url}/public/${there}/\n`
    expect(first.out.endsWith(address)).toBe(true)
    const output = first.out.replace(address, '')
    expect(withoutEnd(plan.out)).toBe(withoutEnd(output).replace(there, 'New project "Field notes"'))
    const lines = {
      'export.txt': exported.out.replaceAll(folder, 'FOLDER'),
      'import.txt': output.replaceAll(there, 'proj_THERE'),
    }
    await expectGolden(
      'output',
      Object.fromEntries(
        Object.entries(lines).map(([name, text]) => [name, text.replace(/\d+\.\d\d s/g, 'N s')]),
      ),
    )
    const page = await fetch(`${other.url}/public/${there}/notes/herons/`)
    expect(await page.text()).toContain('Two of them.')
    expect(JSON.parse((await quoin(other, 'import', folder, '--publish', '--json')).out)).toMatchObject({
      ok: true,
      project_id: there,
      settings: [],
      created: [],
      updated: [],
      unchanged: 6,
      published: [],
    })

    const again = join(await temporaryFolder(), 'again')
    const json = JSON.parse((await quoin(other, 'export', there, '--out', again, '--json')).out)
    expect(json).toMatchObject({ ok: true, project_id: there, pages: 6, unchanged: 0, removed: [] })
    // A project that import creates has wide addresses.
    const wide = Object.entries(files).map(([name, text]) => [
      name,
      text.replace('"slugs": "standard"', '"slugs": "wide"'),
    ])
    expect(await listFiles(again)).toEqual(Object.fromEntries(wide))
    expect(await quoin(other, 'export', there, '--out', again, '--quiet')).toMatchObject({ code: 0, err: '' })
    expect(Object.values(files).join('')).not.toContain(service.key)
  })

  test('an import that publishes prints warnings by file and line', async () => {
    const project = await service.newProject('Warned')
    const fields = { title: 'A', slug: 'a', subroute: '', type: 'article' }
    const markdown = 'One.\n\nTo [none](/none).\n'
    const { body } = await service.call('POST', '/pages', {
      project_id: project,
      ...fields,
      markdown_content: markdown,
    })
    await service.call('POST', `/pages/${body.data.id}/publish`)
    const folder = join(await temporaryFolder(), 'backup')
    await quoin(service, 'export', project, '--out', folder)
    const line = (await readFile(join(folder, 'a.md'), 'utf8')).split('\n').indexOf('To [none](/none).') + 1
    const imported = await quoin(other, 'import', folder, '--publish')
    expect(imported).toMatchObject({ code: 0, err: '' })
    expect(imported.out).toMatch(
      new RegExp(
        `^${folder}/a\\.md:${line}: warning QN-DEADLINK .*/none.*\n.*; 1 published, 0 scheduled, 1 warning; .*\nThe site is at .*\n$`,
      ),
    )
    const again = await quoin(other, 'import', folder, '--publish', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ published: [], warnings: [], warning_count: 0 })
  })

  test.each(
    some(
      [
        [['export', 'proj_aaaaaaaaaaaaaaaa', '--out', 'NEW'], 1, /No project has the id/],
        [['export', 'mine', '--out', 'NEW'], 2, /"mine" is not an id\. Ids of this kind begin with proj_\./],
        [['export', 'proj_aaaaaaaaaaaaaaaa'], 2, /required option '--out/],
        [['import', 'NEW'], 1, /holds no export: \.quoin\/export\.json is missing/],
        [['import', '/no/such'], 2, /The folder \/no\/such does not exist\./],
        [['import', 'NEW', '--server', 'http://quoin.example.com'], 2, /--server: must use https/],
      ] as const,
      3,
    ),
  )('%j fails with one line', async (args, code, line) => {
    const folder = await temporaryFolder()
    const ended = await quoin(service, ...args.map((arg) => (arg === 'NEW' ? folder : arg)))
    expect(ended.err).toMatch(line)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expect(ended.code).toBe(code)
  })
})
