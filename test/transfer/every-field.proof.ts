import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../src/app/backup.ts'
import { readConfig } from '../../src/app/config.ts'
import { restore } from '../../src/app/restore.ts'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import type { Settings } from '../../src/domain/settings.ts'
import { SETTING_KEYS, settingsToFields } from '../../src/fields/settings-record.ts'
import { UpdateAsset } from '../../src/http/asset-schemas.ts'
import { CreatePage, UpdatePage } from '../../src/http/bodies/page-schemas.ts'
import { projectSchema } from '../../src/http/bodies/project-schemas.ts'
import { readFileBody } from '../../src/platform/file-body.ts'
import { pushSite } from '../../src/push/push-site.ts'
import { exportFiles } from '../../src/transfer/export-files.ts'
import { importProject } from '../../src/transfer/import-project.ts'
import { readExport } from '../../src/transfer/read-export.ts'
import { HOSTING_NAMES, readProject } from '../../src/transfer/read-project.ts'
import { writeExport } from '../../src/transfer/write-export.ts'
import { runs } from '../support/long-form.ts'
import { flatPng } from '../support/pictures.ts'
import { SQLITE, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ASSET_VALUES, HOSTING_VALUES, PAGE_VALUES, SETTING_VALUES } from './field-values.ts'
import { shownAssets, shownPages, shownProject } from './shown-project.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: SQLITE })
})
afterAll(() => service.close())

/** A project in which every field of pages, settings, hosting and pictures has a value. */
const anyProject = fc.record({
  pages: fc.tuple(...PAGE_VALUES),
  settings: fc.record(SETTING_VALUES),
  hosting: fc.record(HOSTING_VALUES),
  texts: fc.record({ alt: ASSET_VALUES.alt, title: ASSET_VALUES.title, focus: ASSET_VALUES.focus }),
})

type AnyProject = typeof anyProject extends fc.Arbitrary<infer T> ? T : never

let projects = 0

async function createProject({ pages, settings, hosting: given, texts }: AnyProject): Promise<string> {
  // No two projects have one subdomain.
  const hosting = { ...given, subdomain: `${given.subdomain}-${++projects}` }
  const { body: made } = await accepted('POST', '/projects', { name: 'Whole', hosting: { slugs: 'wide' } })
  const project = made.data.id
  for (const name of ['logo.png', 'team/ada.png']) {
    const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
    const { body } = await service.call('POST', path, flatPng(40, name.length), {
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    await accepted('PUT', `/assets/${body.data.id}`, texts)
  }
  const named = Object.entries(HOSTING_NAMES).map(([key, name]) => [
    name,
    hosting[key as keyof typeof hosting],
  ])
  await accepted('PUT', `/projects/${project}`, { hosting: Object.fromEntries(named) })
  await accepted('PUT', `/projects/${project}/settings`, settingsToFields('api', settings as Settings))
  const ids = new Map<unknown, string>()
  for (const page of pages) {
    const parent = 'parent_page' in page && { parent_page: ids.get(page.parent_page) }
    const { body } = await accepted('POST', '/pages', { ...page, ...parent, project_id: project })
    ids.set(`${page.subroute}/${page.slug}`, body.data.id)
  }
  return project
}

async function accepted(method: string, path: string, body: object) {
  const answer = await service.call(method, path, body)
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer
}

const api = () => createClient({ baseUrl: service.url, key: service.key })
const silent = { monotonic: () => 0, onSent: () => {}, onPublished: () => {} }
const REQUEST = { publish: false, overwrite: false, dryRun: false }

async function exported(project: string): Promise<string> {
  const folder = await temporaryFolder()
  await writeExport(folder, exportFiles(await readProject(api(), project, () => {})), {
    content: api().assets.content,
    onFile: () => {},
  })
  return folder
}

async function imported(folder: string): Promise<string> {
  const project = await service.newProject('Whole')
  const read = await readExport(folder)
  const allow = { missing: false, changed: false }
  const report = await importProject(
    read,
    { ...REQUEST, project, allow },
    {
      ...silent,
      api: api(),
      now: () => '2026-11-21T00:00:00.000Z',
      readFile: () => Promise.reject(new Error('The folder has no other files.')),
    },
  )
  expect([report.conflicts, report.failures]).toEqual([[], []])
  return project
}

async function pushed(folder: string): Promise<string> {
  const { body } = await accepted('POST', '/projects', { name: 'Whole', hosting: { slugs: 'wide' } })
  const project = body.data.id
  const { site, errors } = await readSite(folder)
  expect(errors).toEqual([])
  const files = { read: (source: string) => readFileBody(join(folder, source)) }
  const push = { ...REQUEST, project, folder: null, prune: false }
  const report = await pushSite(site, push, { ...silent, api: api(), files })
  expect([report.conflicts, report.failures]).toEqual([[], []])
  return project
}

/** Without the project of a page, and the file that it was pushed from: both belong to a server. */
function withoutPlace(names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== 'project_id' && name !== 'source')
}

/** The names of the fields that differ, such as `docs/guide locale`. */
function lost(before: Record<string, object>, after: Record<string, object>): readonly string[] {
  return Object.entries(before).flatMap(([name, fields]) => {
    const moved = new Map(Object.entries(after[name] ?? {}))
    return Object.entries(fields)
      .filter(([field, value]) => !isDeepStrictEqual(moved.get(field), value))
      .map(([field]) => `${name} ${field}`)
  })
}

describe('every field that a client can write', () => {
  const [pages = []] = fc.sample(fc.tuple(...PAGE_VALUES), 1)
  const pageNames = [...new Set(pages.flatMap((page) => Object.keys(page)))]

  test.each([
    ['a page', pageNames, withoutPlace(Object.keys(CreatePage.shape))],
    ['a page, later', [...pageNames, 'status'], withoutPlace(Object.keys(UpdatePage.shape))],
    ['a picture', Object.keys(ASSET_VALUES), Object.keys(UpdateAsset.shape)],
    ['the settings', Object.keys(SETTING_VALUES), SETTING_KEYS],
    // `domain` is another name of `custom_domain`; the state of its proof is read-only.
    ['a project', ['name', 'domain', 'status', 'settings', 'hosting'], Object.keys(projectSchema([]).shape)],
    [
      'its hosting',
      [...Object.values(HOSTING_NAMES), 'domain_status', 'domain_challenge'],
      Object.keys(projectSchema([]).shape.hosting.unwrap().shape),
    ],
  ])('has, for %s, values that are moved below', (_, withValues, fields) => {
    expect([...withValues].sort()).toEqual([...fields].sort())
  })

  test('survives export, import, and a push of the exported folder', async () => {
    await fc.assert(
      fc.asyncProperty(anyProject, async (given) => {
        const source = await createProject(given)
        const folder = await exported(source)
        const before = await shownPages(service, source)
        expect(Object.keys(before)).toHaveLength(PAGE_VALUES.length)
        const home = await shownProject(service, source)

        await accepted('PUT', `/projects/${source}`, { hosting: { subdomain: null } })
        const byImport = await imported(folder)
        expect(lost(before, await shownPages(service, byImport)), 'by an import').toEqual([])
        expect(lost(home, await shownProject(service, byImport)), 'by an import').toEqual([])
        expect(await shownAssets(service, byImport)).toEqual(await shownAssets(service, source))

        const byPush = await pushed(folder)
        expect(lost(before, await shownPages(service, byPush)), 'by a push').toEqual([])
        const { settings } = await shownProject(service, byPush)
        expect(lost({ settings: home.settings }, { settings }), 'by a push').toEqual([])
      }),
      { numRuns: runs(10), endOnFailure: true },
    )
  })

  test('survives a backup and its restore', async () => {
    const [given] = fc.sample(anyProject, 1)
    if (given === undefined) throw new Error('There is no project to back up.')
    const project = await createProject(given)
    const to = { kind: 'folder', folder: await temporaryFolder() } as const
    const passphrase = 'correct horse battery staple'
    const onProgress = () => {}
    await backUp(readConfig({ QUOIN_DATA: service.data }), { to, passphrase, media: true, onProgress })
    const restored = join(await temporaryFolder(), 'data')
    await restore(readConfig({ QUOIN_DATA: restored }), { from: to, passphrase, force: false, onProgress })
    const again = await startService({ data: restored, env: SQLITE })
    try {
      expect(lost(await shownPages(service, project), await shownPages(again, project, service.key))).toEqual(
        [],
      )
      expect(
        lost(await shownProject(service, project), await shownProject(again, project, service.key)),
      ).toEqual([])
      expect(await shownAssets(again, project, service.key)).toEqual(await shownAssets(service, project))
    } finally {
      await again.close()
    }
  })
})
