import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function quoin(...args: string[]) {
  const { out, err, code } = await startCommand(args, { QUOIN_KEY: service.key, QUOIN_URL: service.url })
    .ended
  return { code, err, ...(args.includes('--json') ? JSON.parse(out) : { out }) }
}
async function siteFolder(redirects: string) {
  const folder = await temporaryFolder()
  await writeFiles(folder, {
    'site.yaml': `name: Moves ${folder}\n`,
    'docs/a.md': '---\ntitle: A\n---\n## Install\n\nText.\n',
    'blog/one.md': '---\ntitle: One\ntype: article\npublish_date: 2026-01-01\n---\nText.\n',
    'redirects.yaml': redirects,
  })
  return folder
}
const redirectsOf = async (project: string) =>
  (await service.call('GET', `/projects/${project}/redirects?limit=100`)).body.data
const pairs = (list: readonly { from: string; to: string; kind: string }[]) =>
  list.map(({ from, to, kind }) => `${kind} ${from} ${to}`)

test('a push gives redirects that name no page to the project, and only with --publish', async () => {
  const folder = await siteFolder(
    '/old: /docs/a\n/old/install: /docs/a#install\n/index.xml: /feed.xml\n/gh: https://example.org/\n',
  )
  const draft = await quoin('push', folder, '--json')
  expect([draft.code, draft.redirects]).toEqual([0, []])
  const published = await quoin('push', folder, '--publish', '--json')
  expect(published.redirects).toEqual(['/old/install', '/index.xml', '/gh'])
  const project = published.project_id
  expect(pairs(await redirectsOf(project))).toEqual([
    'project /gh https://example.org/',
    'project /index.xml /feed.xml',
    'stated /old /docs/a',
    'project /old/install /docs/a#install',
  ])
  const again = await quoin('push', folder, '--publish', '--json')
  expect([again.code, again.redirects]).toEqual([0, []])

  await writeFiles(folder, {
    'redirects.yaml': '/old: /docs/a\n/gh: https://example.net/\n/docs/a/: /blog\n',
  })
  const changed = await quoin('push', folder, '--publish', '--json')
  expect(changed.code).toBe(1)
  await writeFiles(folder, {
    'redirects.yaml': '/old: /docs/a\n/gh: https://example.net/\n/blog: /feed.xml\n',
  })
  const refused = await quoin('push', folder, '--publish', '--json')
  expect([refused.code, refused.redirects]).toEqual([1, ['/gh']])
  expect(refused.failures).toMatchObject([
    { file: 'redirects.yaml', line: 3, message: '/blog is the path of a list or file.' },
  ])
})

test('an export writes all redirects, and an import keeps them', async () => {
  const folder = await siteFolder('/start: /docs/a#install\n/index.xml: /feed.xml\n')
  const { project_id: project } = await quoin('push', folder, '--publish', '--json')
  const [page] = (await service.call('GET', `/pages?project_id=${project}&slug=a`)).body.data
  await service.call('PUT', `/pages/${page.id}`, { slug: 'moved' })
  await service.call('POST', `/pages/${page.id}/publish`)
  await service.call('POST', `/projects/${project}/redirects`, { from: '/page', to: page.id })
  const out = join(await temporaryFolder(), 'export')
  expect((await quoin('export', project, '--out', out, '--json')).code).toBe(0)
  expect(await readFile(join(out, 'redirects.yaml'), 'utf8')).toBe(
    '/docs/a: /docs/moved\n/index.xml: /feed.xml\n/page: /docs/moved\n/start: /docs/moved#install\n',
  )
  const again = await quoin('export', project, '--out', out, '--json')
  expect([again.written, again.removed]).toEqual([[], []])

  const copy = await service.newProject('A copy')
  const imported = await quoin('import', out, '--project', copy, '--publish', '--json')
  expect(imported).toMatchObject({ code: 0, redirects: ['/docs/a', '/index.xml', '/page', '/start'] })
  const list = await redirectsOf(copy)
  expect(pairs(list)).toEqual([
    'project /docs/a /docs/moved',
    'project /index.xml /feed.xml',
    'project /page /docs/moved',
    'project /start /docs/moved#install',
  ])
  expect(list.every(({ live }: { live: boolean }) => live)).toBe(true)
  expect((await quoin('export', copy, '--out', out, '--json')).written).toEqual(['site.yaml'])
})

test('quoin redirects --project adds, changes and removes redirects, and check-links reports dead ones', async () => {
  const project = await service.newProject('Moves')
  const page = { project_id: project, title: 'A', type: 'docs', subroute: 'docs', slug: 'page' }
  await service.call('POST', `/pages/${(await service.call('POST', '/pages', page)).body.data.id}/publish`)
  const redirects = (...args: string[]) => quoin('redirects', '--project', project, ...args)
  const added = await redirects('--add', '/a=/docs/page', '--add', '/b=/none', '--json')
  expect(added).toMatchObject({ code: 0, created: 2, updated: 0, unchanged: 0, removed: 0 })
  const changed = await redirects('--add', '/a=/docs/page#x', '--remove', '/b')
  expect(changed.out).toContain('0 created, 1 changed, 0 unchanged, 1 deleted.')
  expect((await redirects()).out).toMatch(/\/a → \/docs\/page#x {2}rdr_\w{16}\n1 redirect/)
  expect((await redirects('--add', '/docs/page=/x')).err).toContain('/docs/page is the path of a page.')
  expect((await redirects('--remove', '/none')).code).toBe(1)
  expect((await redirects('--add', 'nonsense')).code).toBe(2)
  expect((await quoin('redirects', '--add', '/a=/b')).code).toBe(2)

  await redirects('--add', '/dead=/nothing')
  const checked = await quoin('check-links', '--project', project, '--json')
  expect(checked.code).toBe(1)
  expect(checked.dead).toMatchObject([{ code: 'QN-DEAD-REDIRECT', field: '/dead' }])
})
