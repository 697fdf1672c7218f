import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../../support/command.ts'
import { type DashboardClient, signedIn } from '../../support/dashboard.ts'
import { startService, type TestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFiles } from '../../support/written-files.ts'

let service: TestService
let owner: DashboardClient
beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

const pushed = async (folder: string, ...args: string[]) => {
  const env = { QUOIN_KEY: service.key, QUOIN_URL: service.url }
  const { out, code } = await startCommand(['push', folder, ...args, '--json'], env).ended
  return { code, ...JSON.parse(out) }
}
const read = async (page: string) => (await service.call('GET', `/pages/${page}`)).body.data

/** The version of the page of which both texts are shown. */
const shownVersion = async (view: string) =>
  /name="version" value="(\d+)"/.exec((await owner.get(view)).html)?.[1] ?? 'none'

let made = 0
/** A pushed folder of which a page was changed here and in its file. */
async function contested() {
  const folder = await temporaryFolder()
  const id = `conflict-${++made}-${process.pid}`
  await writeFiles(folder, {
    'site.yaml': `id: ${id}\nname: ${id}\n`,
    'docs/a.md': '---\ntitle: A\n---\nThe first text.\n',
    'docs/b.md': '---\ntitle: B\n---\nText.\n',
  })
  const { project_id: project } = await pushed(folder)
  const [{ id: page }] = (await service.call('GET', `/pages?project_id=${project}&slug=a`)).body.data
  await service.call('PUT', `/pages/${page}`, { markdown_content: 'Written in the dashboard.\n' })
  await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nWritten in the file.\n')
  expect(await pushed(folder)).toMatchObject({ code: 1, conflicts: [{ file: 'docs/a.md' }] })
  const path = `/dashboard/projects/${project}`
  return { folder, project, page, path, view: `${path}/pages/${page}/conflict` }
}

describe('a page that was changed here and in its file', () => {
  test('is named with the last push, and shown with both texts', async () => {
    const { path, view, page } = await contested()
    const overview = (await owner.get(path)).html
    expect(overview).toContain('Last push')
    expect(overview).toContain('1 page was changed here and in its file')
    const { html: list } = await owner.get(`${path}/conflicts`)
    expect(list).toContain(view)
    expect(list).toContain('docs/a.md')
    const { html: editor } = await owner.get(`${path}/pages/${page}`)
    expect(editor).toContain(
      'Pushed from <code>docs/a.md</code>. An edit here stays until the file changes too.',
    )
    expect(editor).toContain(view)
    const { html } = await owner.get(view)
    expect(html).toContain('<del>Written in the dashboard.</del>')
    expect(html).toContain('<ins>Written in the file.</ins>')
  })

  test('keeps the text here when a person chooses it, until the file changes again', async () => {
    const { folder, view, page, path } = await contested()
    const kept = await owner.post(view, { keep: 'stored' })
    expect(kept.location).toContain('done=conflictSolved')
    expect((await owner.get(path)).html).not.toContain('was changed here and in its file')
    expect(await pushed(folder)).toMatchObject({ code: 0, kept: ['docs/a.md'], updated: [], conflicts: [] })
    expect((await read(page)).markdown_content).toBe('Written in the dashboard.\n')

    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nWritten in the file again.\n')
    expect(await pushed(folder)).toMatchObject({ code: 1, conflicts: [{ file: 'docs/a.md' }] })
    expect((await owner.get(view)).html).toContain('<ins>Written in the file again.</ins>')
  })

  test('gets the text of the file when a person chooses that, and no push writes it again', async () => {
    const { folder, view, page } = await contested()
    const version = await shownVersion(view)
    expect((await owner.post(view, { keep: 'file', version })).location).toContain('done=conflictSolved')
    expect((await read(page)).markdown_content).toContain('Written in the file.')
    expect(await pushed(folder)).toMatchObject({ code: 0, kept: [], updated: [], conflicts: [] })
    expect((await owner.get(view)).html).toContain('The page has no conflict with its file any more.')
    expect((await owner.post(view, { keep: 'stored' })).html).toContain(
      'has no conflict with its file any more.',
    )
  })

  test('loses no edit that was made after both texts were shown', async () => {
    const { view, page } = await contested()
    const version = await shownVersion(view)
    await service.call('PUT', `/pages/${page}`, { markdown_content: 'A later edit.\n' })
    const refused = await owner.post(view, { keep: 'file', version })
    expect([refused.status, refused.html.includes('The page was edited since you saw both texts.')]).toEqual([
      400,
      true,
    ])
    expect((await read(page)).markdown_content).toBe('A later edit.\n')
  })

  test('is no conflict any more after a push with --force, or when it was deleted', async () => {
    const forced = await contested()
    expect(await pushed(forced.folder, '--force')).toMatchObject({ code: 0, updated: ['docs/a.md'] })
    expect((await owner.get(`${forced.path}/conflicts`)).html).toContain('No conflicts')
    const gone = await contested()
    await service.call('DELETE', `/pages/${gone.page}`)
    expect((await owner.get(`${gone.path}/conflicts`)).html).toContain('No conflicts')
    expect((await owner.get(gone.path)).html).not.toContain('was changed here and in its file')
  })
})
