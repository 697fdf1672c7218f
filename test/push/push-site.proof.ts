import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { SitePage } from '../../src/content-folder/site.ts'
import type { Settings } from '../../src/domain/settings.ts'
import { type PushRequest, pushSite } from '../../src/push/push-site.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

function page(source: string, more: Partial<SitePage> = {}): SitePage {
  const [, subroute = '', slug = ''] = /^(?:(.*)\/)?([^/]*)\.md$/.exec(source) ?? []
  return {
    source,
    type: 'docs',
    title: source,
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
}

const HOME = page('docs/index.md')
const INSTALL = page('docs/install.md', {
  parent: { subroute: 'docs', slug: 'index' },
  ownFields: { navOrder: 2 },
})
const NOTE = page('notes/one.md', {
  type: 'article',
  meta: { keywords: 'a' },
  ownFields: { author: { name: 'Ada', avatar: null } },
})
const PAGES = [HOME, NOTE, INSTALL]

const FOLDER = 'a-folder'

const ID = /\/[a-z]{3,4}_[a-z0-9]+/g

/** A new project, and functions that push to the project and read it. */
async function newTarget() {
  const project = await service.newProject()
  const writes: string[] = []
  let dieAfter = Number.POSITIVE_INFINITY
  let isRefused = async (_method: string, _path: string) => false
  /** Throws after this many answered requests. The next request reaches the server, but its answer is lost. */
  const transport: typeof fetch = async (url, init) => {
    if (dieAfter < 0) throw new Error('killed')
    if (await isRefused(init?.method ?? 'GET', new URL(String(url)).pathname))
      return Response.json({ statusCode: 403, name: 'forbidden', message: 'No.' }, { status: 403 })
    const response = await fetch(url, init)
    if (init?.method !== 'GET')
      writes.push(`${init?.method} ${new URL(String(url)).pathname.replace(ID, '')}`)
    if (dieAfter-- <= 0) throw new Error('killed')
    return response
  }
  const api = createClient({ baseUrl: service.url, key: service.key, fetch: transport, retries: 0 })
  return {
    project,
    writes,
    push: (
      pages: readonly SitePage[],
      options: Partial<PushRequest> & { settings?: Partial<Settings> } = {},
    ) => {
      const { settings = {}, ...request } = options
      writes.length = 0
      return pushSite(
        { name: 'Site', origin: null, settings, pages, assets: [] },
        {
          project,
          folder: FOLDER,
          publish: false,
          prune: false,
          overwrite: false,
          dryRun: false,
          ...request,
        },
        { api, monotonic: () => 0, onSent: () => {}, onPublished: () => {} },
      )
    },
    dieAfter(requests: number | null) {
      dieAfter = requests ?? Number.POSITIVE_INFINITY
    },
    /** Answers the requests for which this resolves with true as forbidden. */
    refuse(these: typeof isRefused) {
      isRefused = these
    },
    async listed() {
      const { body } = await service.call('GET', `/pages?project_id=${project}&sort=created_at&order=asc`)
      return body.data as { id: string; page_name: string; slug: string; status: string }[]
    },
    edit: async (slug: string, body: object) => {
      const { body: list } = await service.call('GET', `/pages?project_id=${project}&slug=${slug}`)
      await service.call('PUT', `/pages/${list.data[0].id}`, body)
      return list.data[0].id as string
    },
  }
}

const NOTHING = {
  settings: [],
  created: [],
  updated: [],
  removed: [],
  unpruned: [],
  conflicts: [],
  failures: [],
}

test('a link to a page that the same push publishes later is not reported as dead', async () => {
  const { push, writes } = await newTarget()
  const many = Array.from({ length: 120 }, (_, i) => page(`many/p-${i}.md`, { type: 'article' }))
  const first = page('many/a.md', {
    type: 'article',
    markdown: 'To [the last](/many/p-119) and to [none](/none).\n',
  })
  const { warnings, warningCount, failures } = await push([first, ...many], { publish: true })
  expect([failures, warningCount]).toEqual([[], 1])
  expect(warnings).toEqual([
    {
      file: 'many/a.md',
      code: 'QN-DEADLINK',
      at: 'markdown_content',
      message: 'The link "/none" is dead: no page is live at /none.',
      written: '/none',
    },
  ])
  // One job publishes all pages, and one those with warnings.
  expect(writes.filter((write) => write === 'POST /projects/publish')).toHaveLength(2)
})

test('syntax of another tool is reported once for each kind and page, by the service and by push', async () => {
  const { push } = await newTarget()
  const markdown = 'A {{ b }} and {{ c }}.\n\n`{{ d }}` and {% e %}.\n'
  const { warnings } = await push([page('a.md', { type: 'article', markdown })], { publish: true })
  expect(warnings).toEqual([
    {
      file: 'a.md',
      code: 'QN-FOREIGN-SYNTAX',
      at: 'markdown_content',
      message: '"{{ b }}" looks like a template tag: no template language runs in pages. Write its result.',
      written: '{{ b }}',
    },
  ])
})

describe('pushing a site', () => {
  test('the first push creates and publishes everything, and the second one writes nothing', async () => {
    const { push, writes, listed, project } = await newTarget()
    const settings = { theme: 'dark', footerText: 'Bye', branding: { primary_color: '#123456' } }
    const report = await push(PAGES, { settings, publish: true })
    expect(report).toMatchObject({
      settings: ['theme', 'footer_text', 'branding'],
      created: PAGES.map(({ source }) => source),
      published: PAGES.map(({ source }) => source),
    })
    expect([...report.live].sort()).toEqual(['/docs', '/docs/install', '/notes/one'])
    expect(report.address).toBe(`${service.url}/public/${project}/`)
    expect((await listed()).map(({ status }) => status)).toEqual(['published', 'published', 'published'])
    const html = await fetch(`${service.url}/public/${project}/docs/install/`).then((answer) => answer.text())
    expect(html).toContain('Bye')

    expect(await push(PAGES, { settings, publish: true })).toMatchObject({
      ...NOTHING,
      unchanged: 3,
      published: [],
    })
    expect(writes).toEqual([])
  })

  test('a first push gives articles the ids that builds show in feeds, and later ones leave them', async () => {
    const { push, listed } = await newTarget()
    const feedGuids = async () => {
      const pages = await listed()
      const shown = pages.map(({ id }) => service.call('GET', `/pages/${id}`))
      return (await Promise.all(shown)).map(({ body }) => body.data.feed_guid)
    }
    const dated = page('notes/dated.md', {
      type: 'article',
      ownFields: { publishDate: '2026-03-01T23:00:00.000-05:00' },
    })
    const stated = page('notes/stated.md', { type: 'article', ownFields: { feedGuid: 'urn:mine' } })
    await push([dated, stated])
    const guid = 'tag:localhost,2026-03-01:/notes/dated'
    expect(await feedGuids()).toEqual([guid, 'urn:mine'])

    const moved = { ...dated, slug: 'moved' }
    await push([moved, stated])
    expect(await feedGuids()).toEqual([guid, 'urn:mine'])
    // Another article at the former address of the first one.
    const next = { ...dated, source: 'notes/next.md', markdown: 'Other.\n' }
    expect((await push([moved, stated, next])).failures).toEqual([])
    expect(await feedGuids()).toEqual([guid, 'urn:mine', null])
  })

  test('a first push of 250 pages writes them with three requests, children below parents of other requests too', async () => {
    const { push, writes, project } = await newTarget()
    const parent = { subroute: 'docs', slug: 'index' }
    const chapters = Array.from({ length: 124 }, (_, n) => page(`docs/chapter-${n}/index.md`, { parent }))
    const parts = chapters.map(({ subroute, slug }, n) =>
      page(`${subroute}/part.md`, { parent: { subroute, slug }, title: `Part ${n}` }),
    )
    const pages = [HOME, ...chapters, ...parts, NOTE]
    const report = await push(pages)
    expect(report).toMatchObject({ failures: [], conflicts: [] })
    expect(report.created).toHaveLength(250)
    expect(writes).toEqual(Array(3).fill('POST /projects/pages/bulk'))
    const query = `/pages?project_id=${project}&slug=part&limit=100`
    const { body } = await service.call('GET', query)
    const part = body.data.find((one: { page_name: string }) => one.page_name === 'Part 99')
    const { body: whole } = await service.call('GET', `/pages/${part.id}`)
    const { body: above } = await service.call('GET', `/pages/${whole.data.parent_page}`)
    expect(above.data).toMatchObject({ subroute: 'docs/chapter-99', slug: 'index' })
    expect(await push(pages)).toMatchObject({ created: [], updated: [], unchanged: 250 })
  })

  test('a page that is refused among others is named with its own error, and the others are written', async () => {
    const { push } = await newTarget()
    const others = Array.from({ length: 30 }, (_, n) => page(`docs/page-${n}.md`))
    const refused = page('docs/refused.md', { config: { filler: 'x'.repeat(600_000) } })
    const report = await push([...others.slice(0, 15), refused, ...others.slice(15)])
    expect(report.created).toHaveLength(30)
    expect(report.failures).toEqual([
      expect.objectContaining({
        file: 'docs/refused.md',
        code: 'QN-REFUSED',
        message: expect.stringMatching(/^config/),
      }),
    ])
  })

  test('a server that does not tell the address of the site does not make the push fail', async () => {
    const { push, refuse } = await newTarget()
    refuse(async (method, path) => method === 'GET' && /^\/pages\/\w+$/.test(path))
    const report = await push(PAGES, { publish: true })
    expect(report).toMatchObject({ published: PAGES.map(({ source }) => source), address: null })
  })

  test('a push sends only what changed, and resets what the folder no longer has', async () => {
    const { push, writes, project } = await newTarget()
    const settings = { footerText: 'Bye', branding: { font: 'serif', primary_color: '#123456' } }
    await push(PAGES, { settings })
    const bare = { ...NOTE, meta: {}, ownFields: {}, markdown: 'Other.\n' }
    const report = await push([HOME, bare, INSTALL], { settings: { branding: { primary_color: '#123456' } } })
    expect(report).toMatchObject({
      settings: ['footer_text', 'branding'],
      updated: ['notes/one.md'],
      unchanged: 2,
    })
    expect(writes).toEqual(['PUT /projects/settings', 'POST /projects/pages/bulk'])
    const { body } = await service.call('GET', `/pages?project_id=${project}&slug=one&include_content=true`)
    const { body: one } = await service.call('GET', `/pages/${body.data[0].id}`)
    expect(one.data).toMatchObject({ markdown_content: 'Other.\n', author: null, meta: { keywords: null } })
    const { body: shown } = await service.call('GET', `/v1/projects/${project}/settings`)
    expect(shown.data.branding).toEqual({ primary_color: '#123456', theme: 'default' })
  })

  test('changes on the server are reported and not replaced, unless overwriting is allowed', async () => {
    const { push, edit, listed, project } = await newTarget()
    await push(PAGES, { settings: { footerText: 'Mine' } })
    const id = await edit('one', { title: 'Theirs' })
    await service.call('PUT', `/projects/${project}/settings`, { footer_text: 'Theirs' })
    const mine = [HOME, { ...NOTE, title: 'Mine' }, INSTALL]
    const settings = { footerText: 'Mine again' }

    const report = await push(mine, { settings, publish: true })
    expect(report.conflicts).toEqual([
      expect.objectContaining({
        code: 'QN-CONFLICT',
        file: 'site.yaml',
        message: expect.stringContaining('`footer_text` was changed on the server'),
      }),
      expect.objectContaining({
        code: 'QN-CONFLICT',
        file: 'notes/one.md',
        message: `The page ${id} was edited on the server since the last push. These fields differ: title. Replace the page with --force notes/one.md.`,
      }),
    ])
    expect(report.published).toEqual(['docs/index.md', 'docs/install.md'])
    expect((await listed()).map((item) => item.page_name)).toContain('Theirs')

    await expect(push(mine, { settings, overwrite: new Set(['notes/no.md']) })).rejects.toThrow(
      '--force: notes/no.md is neither site.yaml nor a page or another file of the site.',
    )
    const some = await push(mine, { settings, overwrite: new Set(['site.yaml']) })
    expect(some.settings).toEqual(['footer_text'])
    expect(some.conflicts.map(({ file }) => file)).toEqual(['notes/one.md'])

    expect(await push(mine, { settings, overwrite: true })).toMatchObject({
      settings: [],
      updated: ['notes/one.md'],
      conflicts: [],
    })
    expect((await listed()).map((item) => item.page_name)).toContain('Mine')
  })

  test('a page that others created at the same address is not replaced, unless its content is the same', async () => {
    const { push, project } = await newTarget()
    const taken = { project_id: project, slug: 'one', subroute: 'notes', type: 'article' }
    await service.call('POST', '/pages', { ...taken, title: 'Other' })
    const { conflicts } = await push([NOTE])
    expect(conflicts).toEqual([
      expect.objectContaining({
        code: 'QN-CONFLICT',
        file: 'notes/one.md',
        message: expect.stringContaining('No push of this folder created it.'),
      }),
    ])
    const same = { ...NOTE, title: 'Other', markdown: '', meta: {}, ownFields: {} }
    expect(await push([same])).toMatchObject({ ...NOTHING, unchanged: 1 })
    // The push did not create the page, so it never removes it.
    expect(await push([], { prune: true })).toMatchObject(NOTHING)

    const docs = { ...NOTE, type: 'docs' as const }
    expect((await push([docs])).failures).toEqual([
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'notes/one.md',
        message: expect.stringContaining('a type cannot change'),
      }),
    ])
  })

  test('pruning removes only pages that a push created and that were not edited since', async () => {
    const { push, edit, listed, project } = await newTarget()
    await push(PAGES, { publish: true })
    await service.call('POST', '/pages', {
      project_id: project,
      slug: 'by-hand',
      subroute: '',
      type: 'docs',
      title: 'By hand',
    })
    expect(await push([HOME])).toMatchObject({ removed: [], unpruned: ['docs/install.md', 'notes/one.md'] })
    await edit('one', { title: 'Theirs' })
    const report = await push([HOME], { prune: true, publish: true })
    expect(report).toMatchObject({ removed: ['docs/install.md'], unpruned: [] })
    expect(report.conflicts.map(({ file }) => file)).toEqual(['notes/one.md'])
    expect((await listed()).map(({ slug }) => slug)).toEqual(['index', 'one', 'by-hand'])
    expect(await push([HOME], { prune: true, overwrite: true })).toMatchObject({ removed: ['notes/one.md'] })
    expect(await push([HOME], { prune: true })).toMatchObject({ ...NOTHING, unchanged: 1 })
  })

  test('a pruned page disappears from the lists of pages that the same push publishes', async () => {
    const { push, writes, project } = await newTarget()
    const config = { sections: [{ type: 'posts', title: 'Notes' }] }
    const front = page('index.md', { type: 'page', title: 'Front', config })
    const gone = { ...NOTE, source: 'notes/gone.md', slug: 'gone', title: 'Soon gone' }
    const shown = () => fetch(`${service.url}/public/${project}/`).then((answer) => answer.text())
    await push([front, NOTE, gone], { publish: true })
    expect(await shown()).toContain('Soon gone')

    expect(await push([front, NOTE], { publish: true, prune: true })).toMatchObject({
      removed: ['notes/gone.md'],
      // The other note led to the one that is gone.
      published: ['index.md', 'notes/one.md'],
    })
    expect(await shown()).not.toContain('Soon gone')
    expect(await push([front, NOTE], { publish: true, prune: true })).toMatchObject({ published: [] })
    expect(writes).toEqual([])
  })

  test('a renamed file and a changed slug keep the page and its id', async () => {
    const { push, listed } = await newTarget()
    await push([NOTE])
    const [before] = await listed()
    const renamed = { ...NOTE, source: 'notes/one.page.md' }
    expect(await push([renamed], { prune: true })).toMatchObject({ ...NOTHING, unchanged: 1 })
    expect(await push([{ ...renamed, slug: 'first' }], { prune: true })).toMatchObject({
      ...NOTHING,
      updated: ['notes/one.page.md'],
    })
    expect(await listed()).toMatchObject([{ id: before?.id, slug: 'first' }])
  })

  test('a renamed file with unchanged content keeps its page at a new address', async () => {
    const { push, listed } = await newTarget()
    const index = page('docs/guide/index.md', { title: 'Guide' })
    const parent = { subroute: 'docs/guide', slug: 'index' }
    const one = page('docs/guide/one.md', { title: 'One', parent })
    const other = page('docs/guide/other.md', { title: 'Other', parent })
    await push([index, one, other], { publish: true })
    const before = await listed()
    const moved = (to: string, { source: _, slug: __, subroute: ___, ...as }: SitePage) => page(to, as)
    const under = { parent: { subroute: 'manual', slug: 'index' } }
    const renamed = [
      moved('manual/index.md', index),
      { ...moved('manual/first.md', one), ...under },
      { ...moved('manual/other.md', other), ...under, markdown: 'Other text.\n' },
    ]
    expect(await push(renamed, { publish: true })).toMatchObject({
      created: ['manual/other.md'],
      updated: ['manual/index.md', 'manual/first.md'],
      unpruned: ['docs/guide/other.md'],
    })
    const after = await listed()
    const idOf = (items: typeof before, title: string) =>
      items.filter((item) => item.page_name === title).map(({ id }) => id)
    expect(idOf(after, 'Guide')).toEqual(idOf(before, 'Guide'))
    expect(idOf(after, 'One')).toEqual(idOf(before, 'One'))
    expect(after.find(({ page_name: title }) => title === 'One')).toMatchObject({
      subroute: 'manual',
      slug: 'first',
      status: 'published',
    })
  })

  test('two files that swap their content keep the pages of their names', async () => {
    const { push, listed } = await newTarget()
    const [one, other] = [page('a.md', { title: 'One' }), page('b.md', { title: 'Other' })]
    await push([one, other])
    const before = await listed()
    const swapped = [page('a.md', { title: 'Other' }), page('b.md', { title: 'One' })]
    expect(await push(swapped)).toMatchObject({ created: [], updated: ['a.md', 'b.md'] })
    expect((await listed()).map(({ id, slug }) => [id, slug])).toEqual(
      before.map(({ id, slug }) => [id, slug]),
    )
  })

  test('drafts are sent but not published, and a live page that becomes a draft is unpublished', async () => {
    const { push, listed } = await newTarget()
    const draft = { ...NOTE, draft: true }
    expect(await push([HOME, draft], { publish: true })).toMatchObject({ published: ['docs/index.md'] })
    expect((await listed()).map(({ status }) => status)).toEqual(['published', 'draft'])
    expect(await push([HOME, NOTE], { publish: true })).toMatchObject({ published: ['notes/one.md'] })
    expect(await push([HOME, draft], { publish: true })).toMatchObject({
      published: [],
      unpublished: ['notes/one.md'],
    })
    expect((await listed()).map(({ status }) => status)).toEqual(['published', 'draft'])
  })

  test('a page that the server refuses does not stop the other pages', async () => {
    const { push } = await newTarget()
    const wrong = { ...NOTE, config: { filler: 'x'.repeat(600_000) } }
    const report = await push([HOME, wrong, INSTALL])
    expect(report).toMatchObject({ created: ['docs/index.md', 'docs/install.md'] })
    expect(report.failures).toEqual([
      expect.objectContaining({
        code: 'QN-REFUSED',
        file: 'notes/one.md',
        message: expect.stringContaining('config'),
      }),
    ])
  })

  test('a dry run reports what a push would do, and changes nothing', async () => {
    const { push, writes, listed } = await newTarget()
    const would = await push(PAGES, { dryRun: true, publish: true, settings: { theme: 'dark' } })
    expect([writes, await listed()]).toEqual([[], []])
    const { live: _, ...did } = await push(PAGES, { publish: true, settings: { theme: 'dark' } })
    // Only a site that is live has an address.
    expect(would).toMatchObject({ ...did, address: null })
  })

  test.runIf(LONG_FORM)(
    'a push that is killed after any request is finished by the next one, without duplicates or conflicts',
    async () => {
      const changed = [HOME, { ...NOTE, markdown: 'Other.\n' }, { ...INSTALL, title: 'Changed' }]
      for (let requests = 0, isKilled = true; isKilled; requests++) {
        const { push, dieAfter, listed } = await newTarget()
        for (const pages of [PAGES, changed]) {
          dieAfter(requests)
          isKilled = await push(pages, { settings: { footerText: 'Bye' } }).then(
            () => false,
            (error) => {
              expect(error).toMatchObject({ message: 'killed' })
              return true
            },
          )
          dieAfter(null)
        }
        expect((await push(changed, { settings: { footerText: 'Bye' } })).conflicts).toEqual([])
        expect(await listed()).toHaveLength(3)
        expect(await push([], { prune: true })).toMatchObject({
          removed: expect.objectContaining({ length: 3 }),
        })
        expect(await listed()).toEqual([])
        expect(requests).toBeLessThan(30)
      }
    },
  )
})
