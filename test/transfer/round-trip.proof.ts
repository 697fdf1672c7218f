import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { exportFiles } from '../../src/transfer/export-files.ts'
import { importProject } from '../../src/transfer/import-project.ts'
import { readExport } from '../../src/transfer/read-export.ts'
import { readProject } from '../../src/transfer/read-project.ts'
import { writeExport } from '../../src/transfer/write-export.ts'
import { LONG_FORM, runs } from '../support/long-form.ts'
import { flatPng, gif, svg } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { listFiles } from './list-files.ts'
import { shownAssets, shownPages, shownProject } from './shown-project.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const slug = fc.constantFrom('index', 'site', 'con', 'nul', 'a', 'b-c', '-x', 'docs', 'draft')
const subroute = fc.constantFrom('', '', 'docs', 'docs/a', 'static', 'dist/con', 'blog')
const odd = fc.constantFrom(
  ...[
    '',
    'plain',
    ' spaces ',
    'a\r\nb\r\n',
    '\n\n  lead',
    'true',
    '2026-01-02',
    '- # not: yaml',
    '---\nx: 1\n---\nText',
    '![Ada](/media/team/ada%20lovelace.jpg) and [data](/media/data.json "x") ![](</media/logo.png>) ![](/media/%6Cogo.png)',
  ],
  ...[
    '---\nnav_order: 3\npublish_date: 2026-02-03\nauthor: Ada\n---\nBody.\n',
    '[['.repeat(40),
    'null',
    '~',
    '"\'`',
  ],
  ...[
    '\u2028\u0085\u00a0\ufeff\0\u0007',
    'tab\tand \\ back',
    `${' '.repeat(140)}deep`,
    '\ud83d\ude00 日本語 عربي',
    '<b>&amp;',
  ],
)
const text = fc.oneof({ weight: 2, arbitrary: odd }, fc.string({ unit: 'grapheme', maxLength: 40 }))
const json = fc.jsonValue({ maxDepth: 3 })
const config = fc.oneof(
  fc.constant({}),
  fc.dictionary(
    fc.oneof(text, fc.constantFrom('lang', 'badge', 'edit_url', 'title', 'theme')),
    fc.oneof(json, text),
    { maxKeys: 4 },
  ),
  fc.record({
    nav_order: fc.nat(9),
    publish_date: fc.constant('2026-05-06'),
    author: fc.constant({ name: 'Eve' }),
  }),
  fc.record({
    redirect_from: fc.oneof(
      fc.array(fc.constantFrom('/old', '/a/', '/docs/b-c', '/old.html', '/Up')),
      text,
      json,
    ),
  }),
  fc.record({
    sections: fc.array(fc.record({ type: text, title: text, items: json }), { maxLength: 3 }),
    theme: fc.constantFrom('dark', null),
  }),
)
const page = fc.record({
  surface: fc.constantFrom('/pages', '/v1/pages'),
  type: fc.constantFrom('page', 'article', 'docs', 'item'),
  slug,
  subroute,
  title: fc.oneof(
    fc.constant('A page'),
    fc.constant('  Spaces  '),
    text.filter((given) => given.trim() !== ''),
  ),
  markdown_content: text,
  config,
  description: text,
  meta: fc.record({ title: fc.constantFrom('', ' T: x ', '#'), keywords: text }, { requiredKeys: [] }),
  og_image_url: fc.constantFrom(null, '/a.png', '/media/logo.png', 'https://example.com/ä.png?x=[1]'),
  own: fc.record(
    {
      publish_date: fc.constantFrom('2026-03-04T05:06:07Z', null),
      author: fc.constantFrom('Ada', { name: ' Bo ', avatar: '/bo.png' }, null),
      nav_order: fc.integer({ min: -5, max: 5 }),
      parent: fc.nat(2),
      tags: fc.constantFrom(['Node.js'], [], ['a', 'b']),
      locale: fc.constantFrom('de', 'pt-BR', null),
      translation_key: fc.constantFrom('docs/install', ' - # x', null),
    },
    { requiredKeys: [] },
  ),
  becomes: fc.constantFrom('draft', 'draft', 'published', 'archived', 'edited', 'scheduled'),
})
const settings = fc.record(
  {
    footer_text: text,
    meta_title: text,
    custom_head_html: text,
    theme: fc.constantFrom('dark', 'minimal'),
    favicon_url: fc.constantFrom('/media/logo.png', '/media/caf\u00e9@2x+1.svg', '/media/data.json'),
    custom_css: fc.constant('a { background: url("/media/logo.png") }'),
    nav_links: fc.array(
      fc.record({ label: text, href: fc.constantFrom('/docs', '#x', 'mailto:a@b.example') }),
      { maxLength: 3 },
    ),
    docs_nav: fc.array(fc.record({ title: text, slug: fc.constantFrom('a', 'docs/index', 'none') }), {
      maxLength: 3,
    }),
    branding: fc.record({ primary_color: fc.constant('#123456'), font: text }),
    site_routes: fc.constantFrom({ docs: '/' }, { blog: '/docs' }, {}),
    context: text,
    legacy: fc.dictionary(fc.constantFrom('a', 'b c'), json),
    hosting: fc.constantFrom({ base_path: '/help', mode: 'rewrite' }, { ssl_enabled: true }, {}),
  },
  { requiredKeys: [] },
)

/** Names that content folders hold, and those that they cannot, or not next to others. */
const assetName = fc.constantFrom(
  'logo.png',
  'LOGO.png',
  'team/ada lovelace.jpg',
  'team',
  'team/a.md',
  'data.json',
  'con.png',
  'server.key',
  'b-c/index.html',
  'node_modules/x.pdf',
  'draft.bak',
  'a/b/c/d/e/f/g/h/i.pdf',
  'ends.',
  '__proto__',
  'caf\u00e9@2x+1.svg',
)
const asset = fc.record({
  name: assetName,
  bytes: fc.oneof(
    fc.constantFrom(
      flatPng(40, 20),
      svg('<script>alert(1)</script><path d="M0 0h1"/>'),
      gif(3),
      Buffer.from('%PDF-1.7\n'),
    ),
    fc
      .constantFrom('<!doctype html><script>1</script>', 'WEBVTT\n', '{"title":"x"}', '\u65e5')
      .map((given) => Buffer.from(given)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((given) => Buffer.from(given)),
  ),
  texts: fc.record(
    {
      alt: text,
      title: fc.constantFrom('Ada', '  x'),
      focus: fc.constantFrom({ x: 0.5, y: 0 }, { x: 0.1, y: 1 }),
    },
    { requiredKeys: [] },
  ),
})

type GivenAsset = typeof asset extends fc.Arbitrary<infer T> ? T : never
type GivenPage = typeof page extends fc.Arbitrary<infer T> ? T : never
type GivenSettings = typeof settings extends fc.Arbitrary<infer T> ? T : never

/** Creates a project. Values that the service refuses are skipped. */
async function makeProject(
  pages: readonly GivenPage[],
  given: GivenSettings,
  assets: readonly GivenAsset[],
): Promise<string> {
  const project = await service.newProject('Moved')
  for (const { name, bytes, texts } of assets) {
    const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
    const headers = { 'Content-Type': 'application/octet-stream' }
    const made = await service.call('POST', path, bytes, { headers })
    if (made.status === 201) await service.call('PUT', `/assets/${made.body.data.id}`, texts)
  }
  const { docs_nav, branding, site_routes, context, legacy, hosting, ...own } = given
  for (const [name, value] of Object.entries(own))
    await service.call('PUT', `/projects/${project}/settings`, { [name]: value })
  for (const [name, value] of Object.entries({ docs_nav, branding, site_routes }))
    if (value !== undefined) await service.call('PUT', `/v1/projects/${project}/settings`, { [name]: value })
  if (context !== undefined) await service.call('PUT', `/v1/projects/${project}`, { context })
  if (legacy !== undefined) await service.call('PUT', `/v1/projects/${project}`, { settings: legacy })
  if (hosting !== undefined) await service.call('PUT', `/projects/${project}`, { hosting })

  const docs: string[] = []
  for (const { surface, title, own: fields, becomes, ...rest } of pages) {
    const { parent, ...others } = fields
    const isLegacy = surface !== '/pages'
    const body = isLegacy
      ? { ...rest, project_id: project, page_name: title }
      : {
          ...rest,
          ...others,
          project_id: project,
          title,
          ...(parent !== undefined && docs[parent] && { parent_page: docs[parent] }),
        }
    const made = await service.call('POST', surface, body)
    if (made.status !== 201) continue
    const id = isLegacy ? `page_${made.body.data.id}` : made.body.data.id
    if (rest.type === 'docs') docs.push(id)
    if (becomes === 'scheduled')
      await service.call('POST', `/pages/${id}/publish`, { publish_at: '2095-01-02', strict: isLegacy })
    else if (becomes !== 'draft')
      await service.call('PUT', `/pages/${id}`, { status: becomes === 'archived' ? becomes : 'published' })
    if (becomes === 'edited') await service.call('PUT', `/pages/${id}`, { description: 'Edited since.' })
  }
  return project
}

const api = () => createClient({ baseUrl: service.url, key: service.key })
const ports = () => ({
  api: api(),
  monotonic: () => 0,
  now: () => '2026-11-21T00:00:00.000Z',
  readFile: () => Promise.reject(new Error('The folder has no other files.')),
  onSent: () => {},
  onPublished: () => {},
})
const REQUEST = {
  publish: true,
  overwrite: false,
  dryRun: false,
  allow: { missing: false, changed: false },
}

async function exported(project: string, folder: string) {
  const whole = await readProject(api(), project, () => {})
  const files = exportFiles(whole)
  await writeExport(folder, files, { content: api().assets.content, onFile: () => {} })
  return files
}

/** An export states the id that feeds show of an article, and an import keeps it. */
function withStatedIds(pages: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(pages).map(([address, page]) => {
      const { feed_id: id = null } = page as { readonly feed_id?: string | null }
      return [address, id === null ? page : { ...page, feed_guid: id }]
    }),
  )
}

const assets = fc.uniqueArray(asset, { maxLength: 6, selector: ({ name }) => name })

describe('a project that was exported and imported', () => {
  test.runIf(LONG_FORM)(
    'has the same pages and settings, and its next export has the same bytes',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(page, { maxLength: 7 }), settings, assets, async (pages, given, files) => {
          const source = await makeProject(pages, given, files)
          const [first, second] = [await temporaryFolder(), await temporaryFolder()]
          await exported(source, first)
          expect((await readSite(first)).errors).toEqual([])

          const project = await service.newProject('Moved')
          const read = await readExport(first)
          expect(read.errors).toEqual([])
          const report = await importProject(read, { ...REQUEST, project }, ports())
          expect([report.conflicts, report.failures]).toEqual([[], []])
          expect(await shownPages(service, project)).toEqual(withStatedIds(await shownPages(service, source)))
          expect(await shownProject(service, project)).toEqual(await shownProject(service, source))
          expect(await shownAssets(service, project)).toEqual(await shownAssets(service, source))

          await exported(project, second)
          expect(await listFiles(second)).toEqual(await listFiles(first))
          expect(await importProject(read, { ...REQUEST, project }, ports())).toMatchObject({
            settings: [],
            created: [],
            updated: [],
            unchanged: read.site.pages.length,
            files: { sent: [], unchanged: read.assets.length, described: [] },
            published: [],
            unpublished: [],
            archived: [],
            scheduled: [],
            conflicts: [],
            failures: [],
          })
          // The project that it was exported from has these files too.
          expect(await importProject(read, { ...REQUEST, project: source }, ports())).toMatchObject({
            files: { sent: [], unchanged: read.assets.length, described: [] },
            conflicts: [],
          })
        }),
        { numRuns: runs(12) },
      )
    },
  )
})
