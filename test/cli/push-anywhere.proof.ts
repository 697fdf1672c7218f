import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const quoin = (...args: string[]) =>
  startCommand(args, { QUOIN_KEY: service.key, QUOIN_URL: service.url }).ended
const pushed = async (...args: string[]) => {
  const { out, code } = await quoin('push', ...args, '--json')
  return { code, ...JSON.parse(out) }
}
const run = promisify(execFile)
const git = async (folder: string, ...args: string[]) => {
  const { stdout } = await run('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...args], { cwd: folder })
  return stdout.trim()
}

let made = 0
const unique = () => `Site ${++made} ${process.pid}`

async function siteFolder(name = unique(), more: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  const id = `folder-${++made}-${process.pid}`
  await writeFiles(folder, {
    'site.yaml': `id: ${id}\nname: ${name}\n`,
    'docs/index.md': '---\ntitle: Docs\n---\nText.\n',
    'docs/a.md': '---\ntitle: A\n---\nText of A.\n',
    ...more,
  })
  return { folder, id, name }
}

/** A copy of the folder without anything that a push left in it, as a runner of CI has it. */
async function freshCopy(folder: string) {
  const copy = join(await temporaryFolder(), 'site')
  await cp(folder, copy, { recursive: true })
  return copy
}

const live = (project: string, path: string) =>
  fetch(`${service.url}/public/${project}/${path}`).then((answer) => answer.text())
const pageAt = async (project: string, slug: string) =>
  (await service.call('GET', `/pages?project_id=${project}&slug=${slug}`)).body.data[0]

describe('a push from anywhere', () => {
  test('ten pushes from ten fresh clones each bring their change live, and write nothing else', async () => {
    const { folder } = await siteFolder()
    await git(folder, 'init', '-q')
    let project = ''
    for (let count = 1; count <= 10; count++) {
      await writeFile(join(folder, 'docs/a.md'), `---\ntitle: A\n---\nChange ${count}.\n`)
      await git(folder, 'add', '-A')
      await git(folder, 'commit', '-qm', `change ${count}`)
      const clone = join(await temporaryFolder(), 'clone')
      // The first five know the history, the others are shallow.
      await git(folder, 'clone', '-q', ...(count > 5 ? ['--depth', '1'] : []), `file://${folder}`, clone)
      const result = await pushed(clone, '--publish')
      expect(result).toMatchObject({
        code: 0,
        ok: true,
        conflicts: [],
        kept: [],
        project_created: count === 1,
      })
      expect([result.created.length, result.updated]).toEqual(count === 1 ? [2, []] : [0, ['docs/a.md']])
      project = result.project_id
      expect(await live(project, 'docs/a/')).toContain(`Change ${count}.`)
      expect(existsSync(join(clone, '.quoin'))).toBe(false)
    }
    const { body } = await service.call('GET', `/projects/${project}/pushes`)
    expect(body.meta.total).toBe(10)
    expect(body.data[0]).toMatchObject({ state: 'done', revision: await git(folder, 'rev-parse', 'HEAD') })
  }, 300_000)

  test('a push without changes sends no write, from a copy and without Git', async () => {
    const { folder, id } = await siteFolder()
    const { project_id: project } = await pushed(folder, '--publish')
    const versions = async () =>
      (await service.call('GET', `/projects/${project}/sources/${id}`)).body.data.map(
        ({ version }: { version: number }) => version,
      )
    const before = await versions()
    const again = await quoin('push', await freshCopy(folder), '--publish')
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toContain('0 created, 0 updated, 2 unchanged')
    expect(await versions()).toEqual(before)
    expect((await service.call('GET', `/projects/${project}/pushes`)).body.meta.total).toBe(1)
  })

  test('a copied folder under another name changes no page of the first site, and a renamed directory changes nothing', async () => {
    const { folder, name } = await siteFolder()
    const { project_id: project } = await pushed(folder, '--publish')
    const copy = await freshCopy(folder)
    const settings = (await readFile(join(copy, 'site.yaml'), 'utf8')).replace(name, 'Customer Two')
    await writeFile(join(copy, 'site.yaml'), settings)
    await writeFile(join(copy, 'docs/a.md'), '---\ntitle: Two\n---\nOf the second site.\n')

    const refused = await quoin('push', copy, '--publish')
    expect(refused.code).toBe(1)
    expect(`${refused.out}${refused.err}`).toMatch(/QN-OTHER-SITE/)
    for (const way of [`--project ${project}`, 'quoin new-id', name]) expect(refused.out).toContain(way)
    expect(await live(project, 'docs/a/')).toContain('Text of A.')

    expect((await quoin('new-id', copy)).code).toBe(0)
    const own = await pushed(copy, '--publish')
    expect(own).toMatchObject({ code: 0, project_created: true, project: 'Customer Two' })
    expect(await live(own.project_id, 'docs/a/')).toContain('Of the second site.')
    expect(await live(project, 'docs/a/')).toContain('Text of A.')

    const moved = `${await freshCopy(folder)}-renamed`
    await cp(folder, moved, { recursive: true })
    expect(await pushed(moved, '--publish')).toMatchObject({ code: 0, project_id: project, unchanged: 2 })
  })

  test('a renamed site goes on in its project when that is named once', async () => {
    const { folder, name } = await siteFolder()
    const { project_id: project } = await pushed(folder)
    const settings = (await readFile(join(folder, 'site.yaml'), 'utf8')).replace(name, 'Another name')
    await writeFile(join(folder, 'site.yaml'), settings)
    expect((await quoin('push', folder)).code).toBe(1)
    expect((await quoin('push', folder, '--project', project)).code).toBe(0)
    expect(await pushed(folder)).toMatchObject({ code: 0, project_id: project })
  })

  test('the first line names the project and the address of its site', async () => {
    const { folder, name } = await siteFolder()
    const first = await quoin('push', folder)
    const [line = ''] = first.out.split('\n')
    const [, project] = /\((proj_\w+)\)/.exec(line) ?? []
    expect(line).toBe(`Pushing to the new project "${name}" (${project}), ${service.url}/public/${project}/`)
  })

  test('an edit on the server alone is kept, and one of another field joins the change of the file', async () => {
    const { folder } = await siteFolder()
    const { project_id: project } = await pushed(folder)
    const page = await pageAt(project, 'a')
    await service.call('PUT', `/pages/${page.id}`, { title: 'Theirs' })
    expect(await pushed(await freshCopy(folder))).toMatchObject({ code: 0, kept: ['docs/a.md'], updated: [] })

    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nMine.\n')
    expect(await pushed(await freshCopy(folder))).toMatchObject({ code: 0, updated: ['docs/a.md'] })
    const joined = (await service.call('GET', `/pages/${page.id}`)).body.data
    expect([joined.page_name, joined.markdown_content.trim()]).toEqual([
      'Theirs',
      expect.stringContaining('Mine.'),
    ])
    // The edit is still one of the server alone.
    expect(await pushed(await freshCopy(folder))).toMatchObject({ code: 0, kept: ['docs/a.md'], updated: [] })

    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: B\n---\nMine.\n')
    const conflict = await pushed(await freshCopy(folder))
    expect(conflict).toMatchObject({ code: 1, updated: [] })
    expect(conflict.conflicts[0].message).toContain('These fields differ: title.')
    expect(await pushed(folder, '--force')).toMatchObject({ code: 0, updated: ['docs/a.md'] })
    expect((await service.call('GET', `/pages/${page.id}`)).body.data.page_name).toBe('B')
  })

  test('an older commit is refused, and wins with --force', async () => {
    const { folder } = await siteFolder()
    await git(folder, 'init', '-q')
    await git(folder, 'add', '-A')
    await git(folder, 'commit', '-qm', 'one')
    const old = join(await temporaryFolder(), 'old')
    await git(folder, 'clone', '-q', `file://${folder}`, old)
    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nNewer.\n')
    await git(folder, 'commit', '-qam', 'two', '--date', '2030-01-01T00:00:00Z')
    const { project_id: project } = await pushed(folder)
    await git(folder, 'checkout', '-q', 'HEAD~1')
    const refused = await pushed(folder)
    expect(refused).toMatchObject({ code: 1, ok: false, diagnostics: [{ code: 'QN-BEHIND' }] })
    expect((await service.call('GET', `/projects/${project}/pushes`)).body.meta.total).toBe(1)
    expect(await pushed(folder, '--force')).toMatchObject({ code: 0, updated: ['docs/a.md'] })
  })

  test('a page keeps its id when its file moves and names the old address', async () => {
    const { folder } = await siteFolder()
    const { project_id: project } = await pushed(folder, '--publish')
    const { id } = await pageAt(project, 'a')
    await rename(join(folder, 'docs/a.md'), join(folder, 'docs/other.md'))
    await writeFile(
      join(folder, 'docs/other.md'),
      '---\ntitle: B\nredirect_from: /docs/a\n---\nAnother text.\n',
    )
    expect(await pushed(folder, '--publish')).toMatchObject({
      code: 0,
      created: [],
      updated: ['docs/other.md'],
    })
    expect((await pageAt(project, 'other')).id).toBe(id)
  })

  test('pages of people and of other folders are never pruned', async () => {
    const { folder } = await siteFolder()
    const { project_id: project } = await pushed(folder)
    await service.call('POST', '/pages', {
      ...{ project_id: project, title: 'By hand', slug: 'by-hand', subroute: 'docs', type: 'docs' },
    })
    const other = await siteFolder(unique(), { 'more/index.md': '---\ntitle: More\n---\nText.\n' })
    await writeFiles(other.folder, { 'docs/index.md': '---\ntitle: Docs\ndraft: true\nslug: other\n---\n' })
    await quoin('push', other.folder, '--project', project)
    const { removed } = await pushed(folder, '--prune')
    expect(removed).toEqual([])
    expect((await service.call('GET', `/pages?project_id=${project}`)).body.meta.total).toBeGreaterThan(3)
  })
})

const FRONT = { 'index.md': '---\ntitle: Home\ntype: docs\n---\nWelcome.\n' }

describe('--strict', () => {
  test('stops before anything is sent while the folder has warnings, and publishes pages that link to each other', async () => {
    const { folder, name } = await siteFolder(unique(), {
      ...FRONT,
      'docs/a.md': '---\ntitle: A\n---\nTo [none](/none).\n',
    })
    const refused = await quoin('push', folder, '--publish', '--strict')
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('QN-DEADLINK')
    const { body } = await service.call('GET', '/projects?limit=100')
    expect(body.data.map((project: { name: string }) => project.name)).not.toContain(name)

    await writeFiles(folder, {
      'docs/index.md': '---\ntitle: Docs\n---\nTo [A](a.md).\n',
      'docs/a.md': '---\ntitle: A\n---\nTo [the docs](index.md).\n',
    })
    const result = await pushed(folder, '--publish', '--strict')
    expect(result).toMatchObject({ code: 0, warnings: [], failures: [] })
    expect(result.published).toHaveLength(3)
  })
})

describe('an article with a date in the future', () => {
  const article = (fields: string) => `---\ntitle: Later\ntype: article\n${fields}---\nText.\n`

  test('is scheduled, moved and cancelled as its file says, and published at once with --future', async () => {
    const { folder } = await siteFolder(unique(), {
      ...FRONT,
      'blog/later.md': article('date: 2099-03-01\n'),
    })
    const scheduledAt = async (project: string) => (await pageAt(project, 'later')).scheduled_at
    const first = await pushed(folder, '--publish')
    expect(first).toMatchObject({ code: 0, scheduled: ['blog/later.md'], warnings: [] })
    const project = first.project_id
    expect(await scheduledAt(project)).toBe('2099-03-01T00:00:00.000Z')
    expect(await pushed(folder, '--publish')).toMatchObject({ code: 0, scheduled: [], push_id: null })

    const settings = await readFile(join(folder, 'site.yaml'), 'utf8')
    await writeFile(join(folder, 'site.yaml'), `${settings}time_zone: America/New_York\n`)
    expect(await pushed(folder, '--publish')).toMatchObject({ scheduled: ['blog/later.md'] })
    expect(await scheduledAt(project)).toBe('2099-03-01T05:00:00.000Z')

    await writeFiles(folder, { 'blog/later.md': article('date: 2099-03-01\ndraft: true\n') })
    await pushed(folder, '--publish')
    expect(await scheduledAt(project)).toBe(null)

    await writeFiles(folder, { 'blog/later.md': article('date: 2099-03-01\n') })
    expect(await pushed(folder, '--publish', '--no-schedule')).toMatchObject({ scheduled: [] })
    expect(await scheduledAt(project)).toBe(null)
    expect(await pushed(folder, '--publish', '--future')).toMatchObject({ published: ['blog/later.md'] })
    expect((await pageAt(project, 'later')).status).toBe('published')
  })
})
