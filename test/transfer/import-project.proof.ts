import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { exportFiles } from '../../src/transfer/export-files.ts'
import { type ImportRequest, importProject } from '../../src/transfer/import-project.ts'
import { type ReadExport, readExport } from '../../src/transfer/read-export.ts'
import { readProject } from '../../src/transfer/read-project.ts'
import { writeExport } from '../../src/transfer/write-export.ts'
import { LONG_FORM, shareOf } from '../support/long-form.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Exports a project with a page of each status, two of them parent and child, and reads the export. */
async function exportedProject(change?: (project: string) => Promise<unknown>): Promise<ReadExport> {
  const project = await service.newProject('Moved')
  const make = async (fields: object) =>
    (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
  const top = await make({ slug: 'index', subroute: 'docs', type: 'docs' })
  const child = await make({ slug: 'a', subroute: 'docs', type: 'docs', parent_page: top })
  const old = await make({ slug: 'old', subroute: 'news' })
  await make({ slug: 'draft', subroute: 'news' })
  for (const id of [top, child]) await service.call('POST', `/pages/${id}/publish`)
  await service.call('PUT', `/pages/${old}`, { status: 'archived' })
  await service.call('PUT', `/projects/${project}/settings`, { footer_text: 'Bye', theme: 'dark' })
  await service.call('PUT', `/projects/${project}`, { hosting: { ssl_enabled: true, manifest: 'minimal' } })
  await change?.(project)
  const folder = await temporaryFolder()
  const api = clientOf(service)
  const { content } = api.assets
  await writeExport(folder, exportFiles(await readProject(api, project, () => {})), {
    content,
    onFile: () => {},
  })
  return readExport(folder)
}

function clientOf({ url, key }: TestService, transport: typeof fetch = fetch) {
  return createClient({ baseUrl: url, key, fetch: transport, retries: 0 })
}

/** Imports into a project, and records the writes. @param request.requests the number of answers before the import is killed. */
async function importInto(
  to: TestService,
  read: ReadExport,
  request: Partial<ImportRequest> & { project: string; requests?: number },
) {
  const { requests = Number.POSITIVE_INFINITY, ...wanted } = request
  const writes: string[] = []
  let remaining = requests
  const transport: typeof fetch = async (url, init) => {
    if (remaining < 0) throw new Error('killed')
    const response = await fetch(url, init)
    // A dry run changes nothing.
    if (init?.method !== 'GET' && !String(url).includes('dry_run=true'))
      writes.push(`${init?.method} ${new URL(String(url)).pathname}`)
    if (remaining-- <= 0) throw new Error('killed')
    return response
  }
  const report = await importProject(
    read,
    { publish: false, overwrite: false, dryRun: false, allow: { missing: false, changed: false }, ...wanted },
    {
      api: clientOf(to, transport),
      monotonic: () => 0,
      now: () => '2026-11-21T00:00:00.000Z',
      readFile: () => Promise.reject(new Error('The folder has no other files.')),
      onSent: () => {},
      onPublished: () => {},
    },
  )
  return { report, writes }
}

const statuses = async (project: string) => {
  const { body } = await service.call('GET', `/pages?project_id=${project}`)
  const entries = body.data.map(({ url, status }: { url: string; status: string }) => [url, status])
  return Object.fromEntries(entries)
}

const ALL = ['docs/index.md', 'news/draft.md', 'news/old.md', 'docs/a.md']

describe('importing a project', () => {
  test('creates drafts and archived pages, and publishes pages that were live when asked to', async () => {
    const read = await exportedProject()
    const project = await service.newProject('Moved')
    const { report } = await importInto(service, read, { project })
    expect(report).toMatchObject({
      created: ALL,
      published: [],
      archived: ['news/old.md'],
      conflicts: [],
      failures: [],
    })
    expect(report.settings).toEqual(['hosting.ssl_enabled', 'hosting.manifest', 'theme', 'footer_text'])
    expect(await statuses(project)).toEqual({
      '/docs': 'draft',
      '/docs/a': 'draft',
      '/news/draft': 'draft',
      '/news/old': 'archived',
    })
    const { report: second } = await importInto(service, read, { project, publish: true })
    expect(second).toMatchObject({
      created: [],
      unchanged: 4,
      published: ['docs/index.md', 'docs/a.md'],
      archived: [],
    })
    expect(await statuses(project)).toMatchObject({
      '/docs': 'published',
      '/news/draft': 'draft',
      '/news/old': 'archived',
    })
  })

  test('a dry run reports what an import would do, and changes nothing', async () => {
    const read = await exportedProject()
    const project = await service.newProject('Moved')
    const would = await importInto(service, read, { project, publish: true, dryRun: true })
    expect([would.writes, await statuses(project)]).toEqual([[], {}])
    const did = await importInto(service, read, { project, publish: true })
    // Only a site that is live has an address.
    expect(would.report).toEqual({ ...did.report, address: null })
  })

  test.runIf(LONG_FORM)(
    'an import that is killed after any request is finished by the next one, without duplicates or gaps',
    async () => {
      const read = await exportedProject()
      for (const requests of shareOf([...Array(24).keys()], 8, 3)) {
        const project = await service.newProject('Moved')
        const ended = importInto(service, read, { project, publish: true, requests })
        await ended.then(
          () => expect(requests).toBeGreaterThan(10),
          (error) => expect(error).toMatchObject({ message: 'killed' }),
        )
        const { report } = await importInto(service, read, { project, publish: true })
        expect([report.conflicts, report.failures]).toEqual([[], []])
        expect(await statuses(project)).toEqual({
          '/docs': 'published',
          '/docs/a': 'published',
          '/news/draft': 'draft',
          '/news/old': 'archived',
        })
        expect((await importInto(service, read, { project, publish: true })).writes).toEqual([])
      }
    },
  )

  test.runIf(LONG_FORM)(
    'values that differ on the server are reported and not replaced, unless overwriting is allowed',
    async () => {
      const read = await exportedProject()
      const project = await service.newProject('Moved')
      await service.call(
        'POST',
        '/pages',
        pageBody(project, { slug: 'old', subroute: 'news', title: 'Theirs' }),
      )
      await service.call('PUT', `/projects/${project}/settings`, { footer_text: 'Theirs' })
      await service.call('PUT', `/projects/${project}`, { hosting: { base_path: '/theirs' } })
      const { report } = await importInto(service, read, { project })
      expect(report.conflicts).toEqual([
        expect.objectContaining({
          code: 'QN-CONFLICT',
          file: '.quoin/export.json',
          message: '`hosting.base_path` has another value on the server. Replace it with --force.',
        }),
        expect.objectContaining({
          file: 'site.yaml',
          message: expect.stringContaining('`footer_text` has a value on the server'),
        }),
        expect.objectContaining({
          file: 'news/old.md',
          message: expect.stringContaining('Another page exists at /news/old'),
        }),
      ])
      expect(report.archived).toEqual([])
      const forced = await importInto(service, read, { project, overwrite: true })
      expect(forced.report).toMatchObject({
        updated: ['news/old.md'],
        archived: ['news/old.md'],
        conflicts: [],
      })
      expect((await importInto(service, read, { project })).writes).toEqual([])
    },
  )

  test('a setting that the server refuses does not stop the other settings', async () => {
    const read = await exportedProject()
    const site = { ...read.site, settings: { ...read.site.settings, theme: 'of-another-server' } }
    const project = await service.newProject('Moved')
    const { report } = await importInto(service, { ...read, site }, { project })
    expect(report.settings).toEqual(['hosting.ssl_enabled', 'hosting.manifest', 'footer_text'])
    expect(report.failures).toEqual([
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'site.yaml',
        message: expect.stringContaining('theme'),
      }),
    ])
  })

  test.runIf(LONG_FORM)(
    'a domain moves to another server, and on the same server stays with its project',
    async () => {
      const other = await startService()
      onTestFinished(() => other.close())
      const read = await exportedProject((project) =>
        service.call('PUT', `/projects/${project}`, {
          domain: 'moved.example',
          hosting: { subdomain: 'moved' },
        }),
      )
      expect(read.site.origin).toBe('https://moved.example')
      const there = await other.newProject('Moved')
      expect((await importInto(other, read, { project: there })).report.failures).toEqual([])
      const { body } = await other.call('GET', `/projects/${there}`)
      expect(body.data.hosting).toMatchObject({ custom_domain: 'moved.example', subdomain: 'moved' })

      const { report } = await importInto(service, read, { project: await service.newProject('Moved') })
      expect(report.failures.map(({ message }) => message.split(':')[0])).toEqual([
        'hosting.subdomain',
        'hosting.custom_domain',
      ])
      for (const { message } of report.failures) expect(message).not.toMatch(/^(\S+: )\1/)
      expect(report.created).toEqual(ALL)
    },
  )

  test('pages of a project in Data Mode are never published unencrypted', async () => {
    const read = await exportedProject((project) =>
      service.call('POST', `/projects/${project}/data-mode/enable`),
    )
    const project = await service.newProject('Moved')
    await expect(importInto(service, read, { project, publish: true })).rejects.toMatchObject({
      name: 'conflict',
      message: expect.stringContaining('is in Data Mode'),
    })
    expect(await statuses(project)).toEqual({})
    await importInto(service, read, { project })
    await service.call('POST', `/projects/${project}/data-mode/enable`)
    const { report } = await importInto(service, read, { project, publish: true })
    expect(report).toMatchObject({ published: ['docs/index.md', 'docs/a.md'], conflicts: [], failures: [] })
    const page = await fetch(`${service.url}/public/${project}/docs/`)
    expect(page.status).toBe(404)
  })

  test.runIf(LONG_FORM)('a scheduled page is scheduled again, unless its time is in the past', async () => {
    const at = '2095-01-02T00:00:00.000Z'
    const read = await exportedProject(async (project) => {
      const { body } = await service.call('GET', `/pages?project_id=${project}&slug=draft`)
      await service.call('POST', `/pages/${body.data[0].id}/publish`, { publish_at: at, strict: true })
    })
    const project = await service.newProject('Moved')
    const scheduled = async () => (await service.call('GET', `/projects/${project}/schedule`)).body.data
    expect((await importInto(service, read, { project })).report.scheduled).toEqual([])
    expect((await importInto(service, read, { project, publish: true })).report.scheduled).toEqual([
      'news/draft.md',
    ])
    expect(await scheduled()).toMatchObject([{ publish_at: at, strict: true }])
    expect((await importInto(service, read, { project, publish: true })).writes).toEqual([])

    const passed = new Map([['news/draft.md', { at: '2026-11-20T00:00:00.000Z', strict: false }]])
    const { report } = await importInto(service, { ...read, scheduled: passed }, { project, publish: true })
    expect(report.failures).toEqual([
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'news/draft.md',
        message:
          'The page was scheduled for 2026-11-20T00:00:00.000Z, which is in the past. It is not scheduled.',
      }),
    ])
  })

  test.runIf(LONG_FORM)(
    'an archived project is archived last, and accepts the same import again',
    async () => {
      const read = await exportedProject((project) =>
        service.call('PUT', `/projects/${project}`, { status: 'archived' }),
      )
      const project = await service.newProject('Moved')
      const first = await importInto(service, read, { project, publish: true })
      expect(first.report).toMatchObject({
        isProjectArchived: true,
        published: ['docs/index.md', 'docs/a.md'],
      })
      const { body } = await service.call('GET', `/projects/${project}`)
      expect(body.data.status).toBe('archived')
      expect((await importInto(service, read, { project, publish: true })).writes).toEqual([])
    },
  )
})
