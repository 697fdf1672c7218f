import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDevRoutes, type DocumentState } from '../../src/dev/dev-routes.ts'
import { createDevSession } from '../../src/dev/dev-session.ts'
import { type Changes, createDevSite } from '../../src/dev/dev-site.ts'
import { createSiteResponder } from '../../src/dev/site-responses.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'
import { compileTemplates } from '../../src/theme/compile-templates.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { FOLDERS } from '../theme/load-built-in.ts'

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })

const NOW = '2026-03-01T00:00:00.000Z'

const page = (body: string, fields = '') => `---\ntitle: A\n${fields}---\n\n${body}\n`

const edited = (...files: string[]): Changes => ({
  content: { files: new Set(files), isListDue: true },
  themes: new Set(),
})

/** A session on real files, with a clock that the test moves: no request is pending, so that checks start at once. */
async function startSession(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'site.yaml': 'name: Notes\n', 'static/index.html': '', ...files })
  const printed: string[] = []
  const onBug = vi.fn()
  let time = 0
  const dev = createDevSite(
    { folder, theme: null, origin: 'http://127.0.0.1:4000' },
    {
      loadThemes: () => loadThemes(FOLDERS, compileTemplates),
      createRenderer: createInProcessRenderer,
      now: NOW,
    },
  )
  const session = createDevSession(dev, {
    folder,
    masterKey: parseMasterKey(newMasterKey()),
    now: NOW,
    monotonic: () => (time += 10_000),
    print: (text) => printed.push(text),
    onBug,
  })
  onTestFinished(() => session.stop())
  onTestFinished(() => expect(onBug).not.toHaveBeenCalled())
  return { folder, session, printed, state: await session.start() }
}

test('the first state has every page and no errors', async () => {
  const { state, printed } = await startSession({ 'a.md': page('Text.'), 'b.md': page('Text.') })
  expect(state.errors).toEqual([])
  expect(state.renderable?.site.pages).toHaveLength(2)
  expect(printed).toEqual([])
})

test('an error keeps the last valid state, is printed once with its lines, and then as fixed', async () => {
  const { folder, session, printed } = await startSession({ 'a.md': page('Good.') })
  const valid = session.state().renderable?.site.pages
  await writeFiles(folder, { 'a.md': page('Bad.', 'meta: { titel: A }\n') })
  session.change(edited('a.md'))
  await eventually(() => expect(session.state().faults).toHaveLength(1))
  expect(session.state()).toMatchObject({
    renderable: { site: { pages: valid } },
    errors: [],
    faults: [{ code: 'QN-UNKNOWN-FIELD', severity: 'error', file: 'a.md', line: 3, column: 9, page: null }],
  })
  expect(printed).toHaveLength(1)
  expect(printed[0]).toMatch(/^a\.md:3:9: error QN-UNKNOWN-FIELD Unknown field "meta\.titel"\..*\n/)
  expect(printed[0]).toContain('> 3 | meta: { titel: A }\n    |         ^')

  session.change(edited('a.md'))
  await eventually(() => expect(session.state().revision).toBe(3))
  expect(printed).toHaveLength(1)

  await writeFiles(folder, { 'a.md': page('Better.') })
  session.change(edited('a.md'))
  await eventually(() => expect(printed).toEqual([expect.anything(), 'Fixed.']))
  expect(session.state().faults).toEqual([])
})

/** What a browser gets of a page: its status, its text, and the messages that the dev tools show on it. */
async function seen({ folder, session }: Awaited<ReturnType<typeof startSession>>, path: string) {
  const site = createSiteResponder({ folder, session })
  const routes = createDevRoutes({ session, site, toolFiles: '', samples: '', now: NOW })
  const page = await routes.respond(path, new URLSearchParams())
  const state = await routes.respond('/__quoin/state', new URLSearchParams({ path }))
  if (page?.kind !== 'document' || state?.kind !== 'file') return { kind: page?.kind ?? null }
  const { errors, faults, heldUntil } = JSON.parse(Buffer.from(state.body).toString()) as DocumentState
  const filesOf = (messages: readonly { file: string }[]) => messages.map(({ file }) => file)
  return {
    status: page.status,
    html: page.document.html,
    errors: filesOf(errors),
    faults: filesOf(faults),
    heldUntil,
  }
}

test('an error at the start is shown at the address of its file, and named on all other pages', async () => {
  const started = await startSession({
    'a.md': page('To [B](b.md).'),
    'docs/b.md': '---\ntitle: B\n',
    'docs/c.md': page('C.', 'publish_date: 5\nnav_order: soon\n'),
    'docs/c++.md': page('D.'),
    'static/%.svg': '<svg/>',
  })
  const all = ['docs/b.md', 'docs/c++.md', 'docs/c.md', 'static/%.svg']
  expect(await seen(started, '/a/')).toMatchObject({
    status: 200,
    html: expect.stringContaining('<main'),
    errors: [],
    faults: all,
  })
  expect(await seen(started, '/docs/b')).toEqual({ kind: 'folder' })
  expect(await seen(started, '/docs/b/')).toMatchObject({
    status: 500,
    errors: ['docs/b.md'],
    faults: all.filter((file) => file !== 'docs/b.md'),
  })
  expect(await seen(started, '/docs/none/')).toMatchObject({ status: 404, errors: [], faults: all })
})

test('an unknown path has the nearest page for unknown paths, that of the default language below its folder too', async () => {
  const started = await startSession({
    'site.yaml':
      'name: Notes\nlocales:\n  - { code: en, label: English, subroute: en }\n  - { code: fr, label: Français, subroute: fr }\n',
    'en/index.md': page('Home.'),
    'en/404.md': page('Nothing is here.'),
    'fr/index.md': page('Accueil.'),
  })
  const answered = async (path: string) => (await seen(started, path)) as { status: number; html: string }
  const english = await answered('/en/docs/none/')
  expect(english).toMatchObject({ status: 404, html: expect.stringContaining('Nothing is here.') })
  const french = await answered('/fr/none/')
  expect(french).toMatchObject({ status: 404, html: expect.stringContaining('lang="fr"') })
  expect((await answered('/none/')).status).toBe(404)
})

test('a page with an error stays in its last version, and other pages follow their edits', async () => {
  const started = await startSession({
    'docs/index.md': page('Docs.', 'description: Top\n'),
    'docs/a.md': page('Good A.'),
    'docs/b.md': page('Good B. To [A](a.md).', 'parent: a\n'),
  })
  const { folder, session } = started
  await writeFiles(folder, { 'docs/a.md': page('Bad A.', 'nav_order: soon\n') })
  session.change(edited('docs/a.md'))
  await eventually(() => expect(session.state().faults).toHaveLength(1))
  await writeFiles(folder, { 'docs/b.md': page('Better B. To [A](a.md).', 'parent: a\n') })
  session.change(edited('docs/b.md'))
  await eventually(() => expect(session.state().revision).toBe(3))
  expect(await seen(started, '/docs/a/')).toMatchObject({
    status: 200,
    html: expect.stringContaining('Good A.'),
    errors: ['docs/a.md'],
    faults: [],
  })
  expect(await seen(started, '/docs/b/')).toMatchObject({
    html: expect.stringMatching(/Better B\. To <a href="\.\.\/\.\.\/docs\/a\/"/),
    errors: [],
    faults: ['docs/a.md'],
  })
  const nav = await seen(started, '/docs/')
  expect(nav.html).toContain('href="../docs/a/"')
})

test('a page that cannot be rendered is named beside the errors of other files, and hides nothing of the rest', async () => {
  const started = await startSession({
    'a.md': page('To [bad](bad.md) and [rest](rest.md).\n\n<x-y>T</x-y>'),
    'bad.md': page(`${'> '.repeat(5000)}Deep.`),
    'broken.md': page('Text.', 'nav_order: soon\n'),
    'rest.md': page('Rest.'),
  })
  const { session } = started
  await eventually(() => expect(session.pageErrorsExcept([])).toHaveLength(1))
  expect(await seen(started, '/a/')).toMatchObject({
    status: 200,
    errors: [],
    faults: ['broken.md', 'bad.md'],
  })
  expect(await seen(started, '/bad/')).toMatchObject({
    status: 500,
    errors: ['bad.md'],
    faults: ['broken.md'],
  })
  await eventually(() => expect(session.warningsOf('a.md')).toMatchObject([{ code: 'QN-DROPPED-HTML' }]))
  const index = (await session.whole())?.files.get('_index.json')
  const { pages } = JSON.parse(Buffer.from(index ?? []).toString())
  expect(pages).toMatchObject([{ slug: 'a' }, { slug: 'rest' }])
})

test.each([
  ['a page takes the address of one with an error', { 'c.md': page('C.', 'slug: a\n') }, /C\./],
  [
    'pages are the parents of each other',
    { 'b.md': page('B.', 'parent: c\n'), 'c.md': page('C.', 'parent: b\n') },
    /A\./,
  ],
])('the site is shown where %s', async (_, files, shown) => {
  const started = await startSession({ 'a.md': page('A.') })
  await writeFiles(started.folder, { 'a.md': page('Bad.', 'draft: maybe\n'), ...files })
  started.session.change(edited('a.md', ...Object.keys(files)))
  await eventually(() => expect(started.session.state().faults).not.toEqual([]))
  expect((await seen(started, '/a/')).html).toMatch(shown)
})

test.each([
  ['site.yaml', 'name: [\n'],
  ['data/x.yaml', 'a: [\n'],
])('an error in %s is shown on every page', async (file, text) => {
  const started = await startSession({ 'a.md': page('A.') })
  await writeFiles(started.folder, { [file]: text })
  started.session.change(edited(file))
  await eventually(() => expect(started.session.state().errors).toHaveLength(1))
  expect(await seen(started, '/a/')).toMatchObject({ status: 200, errors: [file], faults: [] })
})

test('an article with a date in the future is shown with a mark', async () => {
  const started = await startSession({
    'blog/a.md': page('A.', 'type: article\ndate: 2026-03-02\n'),
    'blog/b.md': page('B.', 'type: article\ndate: 2026-02-28\n'),
  })
  expect(await seen(started, '/blog/a/')).toMatchObject({
    status: 200,
    heldUntil: '2026-03-02T00:00:00.000Z',
  })
  expect(await seen(started, '/blog/b/')).toMatchObject({ status: 200, heldUntil: null })
})

test('changes that arrive during an update are applied together after it', async () => {
  const { folder, session } = await startSession({ 'a.md': page('A.') })
  await writeFiles(folder, Object.fromEntries([1, 2, 3, 4].map((n) => [`page-${n}.md`, page('New.')])))
  for (const n of [1, 2, 3, 4]) session.change(edited(`page-${n}.md`))
  await eventually(() => expect(session.state().renderable?.site.pages).toHaveLength(5))
  expect(session.state().revision).toBe(3)
})

test('the background check reports warnings of all pages and notifies browsers', async () => {
  const { session, printed } = await startSession({ 'a.md': page('To [B](/b).'), 'c.md': page('Text.') })
  const listener = vi.fn()
  session.listen(listener)
  await eventually(() => expect(session.warningsOf('a.md')).toHaveLength(1))
  expect(session.warningsOf('a.md')).toMatchObject([{ code: 'QN-DEADLINK', file: 'a.md', line: 5 }])
  expect(session.warningsOf('c.md')).toEqual([])
  expect(printed).toEqual(['a.md:5: warning QN-DEADLINK The link "/b" is dead: no page is live at /b.'])
  expect(listener).toHaveBeenCalled()
})

test('a listener is called for each update until it is removed', async () => {
  const { session } = await startSession({ 'a.md': page('A.') })
  const listener = vi.fn()
  const unlisten = session.listen(listener)
  session.change(edited('a.md'))
  await eventually(() => expect(listener).toHaveBeenCalled())
  unlisten()
  const calls = listener.mock.calls.length
  session.change(edited('a.md'))
  await eventually(() => expect(session.state().revision).toBe(3))
  expect(listener).toHaveBeenCalledTimes(calls)
})

test('files that depend on all pages are built on request', async () => {
  const { session } = await startSession({ 'a.md': page('A.'), 'b.md': page('B.') })
  const index = (await session.whole())?.files.get('_index.json')
  const { pages } = JSON.parse(Buffer.from(index ?? []).toString())
  expect(pages).toHaveLength(2)
})

test('a changed asset is recorded with the revision of its change', async () => {
  const { folder, session } = await startSession({ 'a.md': page('A.'), 'static/a.svg': '<svg/>' })
  await writeFiles(folder, { 'static/a.svg': '<svg></svg>' })
  session.change(edited('static/a.svg'))
  await eventually(() => expect(session.changedAssets.get('a.svg')).toBe('2'))
})

test('a folder that cannot be read is an error until it can be', async () => {
  const { folder, session, printed } = await startSession({ 'a.md': page('A.') })
  await rm(folder, { recursive: true })
  session.change(edited('a.md'))
  await eventually(() => expect(session.state().errors).toMatchObject([{ code: 'QN-UNREADABLE', file: '.' }]))
  await writeFiles(folder, { 'site.yaml': 'name: Notes\n', 'static/index.html': '', 'a.md': page('A.') })
  session.change(edited('a.md'))
  await eventually(() => expect(printed.at(-1)).toBe('Fixed.'))
})
