import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SECTION_TYPES } from '../../src/sections/catalogue.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { sendRaw } from '../support/raw-request.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const SCRIPT = /<script src="\/__quoin\/client\.js" data-version="[^"]+"><\/script>\n/

/** Files with times of a build. All others are served byte for byte as built. */
const OF_A_BUILD = /^(_index\.json|sitemap\.xml|_feed\.json|feed\.xml)$/

const titled = (title: string, body = 'Text.', more = '') => `---\ntitle: ${title}\n${more}---\n\n${body}\n`

describe('quoin dev', () => {
  test.each(some(['handbook', 'quoin'] as const))(
    'serves what a build of %s writes, and writes nothing itself',
    async (site) => {
      const folder = SAMPLE_SITES[site]
      const before = [...(await readSiteFiles(folder)).keys()]
      const { origin } = await startDev(folder)
      const out = join(await temporaryFolder(), 'dist')
      const built = startCommand(['build', folder, '--out', out, '--url', origin])
      expect(await built.ended).toMatchObject({ code: 0 })

      for (const [key, text] of await readSiteFiles(out)) {
        if (key.startsWith('.') || OF_A_BUILD.test(key)) continue
        const answer = await fetch(`${origin}/${key.replace(/(^|\/)index\.html$/, '$1')}`)
        const served = await answer.text()
        expect(answer.status, key).toBe(200)
        expect(served.replace(SCRIPT, ''), key).toBe(text)
        expect(SCRIPT.test(served), key).toBe(key.endsWith('.html'))
      }
      expect([...(await readSiteFiles(folder)).keys()]).toEqual(before)
    },
  )

  test('shows saved files, however an editor saves them, and drafts', async () => {
    const folder = await newSite({ 'a.md': titled('A'), 'index.md': titled('Home', 'To [A](/a).') })
    const { origin, events } = await startDev(folder)
    const beats = await events()
    const before = await stateOf(origin, '/a/')
    const home = await stateOf(origin, '/')

    await writeFile(join(folder, 'a.md'), titled('A', 'Written over.'))
    await until(async () => (await textOf(origin, '/a/')).includes('Written over.'))
    expect(beats()).toBeGreaterThan(0)
    expect((await stateOf(origin, '/a/')).version).not.toBe(before.version)
    expect((await stateOf(origin, '/')).version).toBe(home.version)

    await writeFile(join(folder, 'a.md.tmp~'), titled('A', 'Put in its place.'))
    await rename(join(folder, 'a.md.tmp~'), join(folder, 'a.md'))
    await until(async () => (await textOf(origin, '/a/')).includes('Put in its place.'))
    await writeFile(join(folder, 'a.md'), titled('A', 'And over that.'))
    await until(async () => (await textOf(origin, '/a/')).includes('And over that.'))

    await mkdir(join(folder, 'more'))
    await writeFile(join(folder, 'more/b.md'), titled('B', 'New.', 'draft: true\n'))
    await until(async () => (await textOf(origin, '/more/b/')).includes('New.'))
    expect(await stateOf(origin, '/more/b/')).toMatchObject({ isDraft: true })
    // A browser that shows the 404 page asks without the trailing slash.
    expect(await stateOf(origin, '/more/b')).toEqual(await stateOf(origin, '/more/b/'))

    await writeFile(join(folder, 'more/b.md'), titled('B', 'New.', 'redirect_from: [/old, /old/b.html]\n'))
    await until(async () => (await textOf(origin, '/old?a=b')).includes('New.'))
    for (const path of ['/old/?a=b', '/old/b.html?a=b'])
      expect((await fetch(`${origin}${path}`)).url).toBe(`${origin}/more/b/?a=b`)

    await writeFile(
      join(folder, 'redirects.yaml'),
      '/part: /more/b#x\n/gone: https://example.org/a?b=c\n/all.xml: /feed.xml\n',
    )
    const leadsTo = async (path: string) =>
      (await fetch(`${origin}${path}`, { redirect: 'manual' })).headers.get('location')
    await until(async () => (await leadsTo('/part?a=b')) === '/more/b/?a=b#x')
    expect(await leadsTo('/gone/')).toBe('https://example.org/a?b=c')
    expect(await leadsTo('/all.xml')).toBe('/feed.xml')

    await rename(join(folder, 'more/b.md'), join(folder, 'c.md'))
    await until(async () => (await statusOf(origin, '/more/b/')) === 404)
    await until(async () => (await textOf(origin, '/c/')).includes('New.'))
    await rm(join(folder, 'c.md'))
    await until(async () => (await statusOf(origin, '/c/')) === 404)
    await rm(join(folder, 'more'), { recursive: true })

    await mkdir(join(folder, 'static'))
    await writeFile(join(folder, 'static/note.txt'), 'one')
    await until(async () => (await textOf(origin, '/note.txt')) === 'one')
    await writeFile(join(folder, 'static/note.txt'), 'two')
    await until(async () => (await textOf(origin, '/note.txt')) === 'two')
  })

  test('shows files beside pages as they come, change and go, and sends ranges of them', async () => {
    const folder = await newSite({ 'trip/index.md': titled('Trip', '![Tram](<my tram@2x.png>)') })
    const { origin } = await startDev(folder)
    const picture = `${origin}/trip/my%20tram@2x.png`
    expect(await textOf(origin, '/trip/')).toContain('src="my%20tram@2x.png"')
    expect((await fetch(picture)).status).toBe(404)

    await writeFile(join(folder, 'trip/my tram@2x.png'), '0123456789')
    await until(async () => (await fetch(picture)).status === 200)
    expect(await textOf(origin, '/trip/')).toContain('src="../trip/my%20tram@2x.png"')
    const before = await stateOf(origin, '/trip/')
    const range = (value: string, more: Record<string, string> = {}) =>
      fetch(picture, { headers: { range: value, ...more } })
    const part = await range('bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect((await range('bytes=10-')).status).toBe(416)
    const etag = part.headers.get('etag') ?? ''
    expect((await fetch(picture, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await (await range('bytes=2-4', { 'if-range': '"other"' })).text()).toBe('0123456789')
    const head = await fetch(picture, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])

    await writeFile(join(folder, 'trip/my tram@2x.png'), 'other')
    await until(async () => (await textOf(origin, '/trip/my%20tram@2x.png')) === 'other')
    await until(async () => (await stateOf(origin, '/trip/')).version !== before.version)
    await rm(join(folder, 'trip/my tram@2x.png'))
    await until(async () => (await fetch(picture)).status === 404)
  })

  test.runIf(LONG_FORM)('a thousand changes in a row end in the last state', async () => {
    const folder = await newSite({ 'index.md': titled('Home') })
    const { origin, events } = await startDev(folder)
    const beats = await events()
    const name = (n: number) => join(folder, `page-${n % 250}.md`)
    for (let n = 0; n < 1000; n++) await writeFile(name(n), titled(`Page ${n}`, `Text ${n}.`))
    for (let n = 750; n < 1000; n++)
      await until(async () => (await textOf(origin, `/page-${n % 250}/`)).includes(`Text ${n}.`))
    expect(beats()).toBeLessThan(200)
  })

  test('shows an error by file, line and column in the browser and on the terminal until it is fixed', async () => {
    const folder = await newSite({ 'docs/a.md': titled('A', 'Good.') })
    const { origin, printed } = await startDev(folder)
    expect(await textOf(origin, '/docs/a/')).toContain('Good.')

    await writeFile(join(folder, 'docs/a.md'), titled('A', 'Bad.', 'nav_order: soon\n'))
    // A file may be read while it is empty, before its content is written.
    await until(async () => (await stateOf(origin, '/docs/a/')).errors[0]?.line === 3)
    expect((await stateOf(origin, '/docs/a/')).errors).toMatchObject([
      {
        file: 'docs/a.md',
        line: 3,
        column: 1,
        message: 'nav_order must be a number.',
        frame: [{ number: 1 }, { number: 2 }, { number: 3, text: 'nav_order: soon', isMarked: true }, {}, {}],
      },
    ])
    expect(await textOf(origin, '/docs/a/')).toContain('Good.')
    expect(printed()).toContain('docs/a.md:3:1: error QN-BAD-VALUE nav_order must be a number.\n')
    expect(printed()).toContain('> 3 | nav_order: soon\n    | ^\n')

    // At once: a moment of emptiness would mend the fault, and it would rightly be printed again.
    await writeFile(`${folder}.md`, titled('Again', 'Bad.', 'nav_order: soon\n'))
    await rename(`${folder}.md`, join(folder, 'docs/a.md'))
    await until(async () => JSON.stringify(await stateOf(origin, '/docs/a/')).includes('title: Again'))
    expect(printed().split('nav_order must be a number.')).toHaveLength(2)

    await writeFile(join(folder, 'docs/a.md'), titled('A', 'Better.'))
    await until(async () => (await textOf(origin, '/docs/a/')).includes('Better.'))
    expect((await stateOf(origin, '/docs/a/')).errors).toEqual([])
    await until(async () => printed().includes('Fixed.'))
  })

  test.runIf(LONG_FORM)('follows changes of a theme: styles, templates and their errors', async () => {
    const folder = await newSite({ 'a.md': titled('A') })
    const theme = join(await temporaryFolder(), 'mine')
    await cp(join(root, 'themes/minimal'), theme, { recursive: true })
    const manifest = JSON.parse(await readFile(join(theme, 'theme.json'), 'utf8'))
    await writeFile(join(theme, 'theme.json'), JSON.stringify({ ...manifest, name: 'mine' }))
    await mkdir(join(theme, 'layouts'))
    const layout = join(theme, 'layouts/docs.eta')
    const shared = await readFile(join(root, 'themes/_shared/layouts/docs.eta'), 'utf8')
    const { origin, printed } = await startDev(folder, '--theme-folder', theme, '--trust')
    const first = await stateOf(origin, '/a/')

    await writeFile(join(theme, 'style.css'), 'h1 { color: rebeccapurple }')
    await until(async () => `${(await stateOf(origin, '/a/')).styles}` !== `${first.styles}`)
    const restyled = await stateOf(origin, '/a/')
    expect(restyled.version).toBe(first.version)
    expect(await textOf(origin, `/a/${restyled.styles[0]}`)).toContain('rebeccapurple')
    expect(await statusOf(origin, `/a/${first.styles[0]}`)).toBe(200)

    await writeFile(layout, `${shared}\n<p>Of my own.</p>\n`)
    await until(async () => (await textOf(origin, '/a/')).includes('Of my own.'))

    await writeFile(layout, `${shared}\n<p><%= it.page.nothing.here %></p>\n`)
    await until(async () => (await stateOf(origin, '/a/')).errors.length > 0)
    const line = shared.split('\n').length + 1
    expect((await stateOf(origin, '/a/')).errors).toMatchObject([
      {
        line,
        column: 24,
        message: expect.stringContaining('reading'),
        page: { path: '/a', source: 'a.md' },
      },
    ])
    expect(await textOf(origin, '/a/')).toContain('Of my own.')
    await writeFile(layout, `${shared}\n<% if ( { %>\n`)
    await until(async () => (await stateOf(origin, '/a/')).errors[0]?.page === null)
    expect(printed()).toMatch(/layouts\/docs\.eta:\d+:\d+: error QN-BAD-TEMPLATE Unexpected token/)

    await writeFile(layout, `${shared}\n<p>Fixed.</p>\n`)
    await until(async () => (await stateOf(origin, '/a/')).errors.length === 0)
    expect(await textOf(origin, '/a/')).toContain('<p>Fixed.</p>')
    expect(await textOf(origin, '/__quoin/themes/dark/a/')).toContain(
      '<meta name="color-scheme" content="dark">',
    )
  })

  test('an error at the start is printed, and the page appears when it is fixed', async () => {
    const folder = await newSite({ 'a.md': '---\ntitle: A\n' })
    const { origin, printed } = await startDev(folder)
    expect(printed()).toContain('a.md:1:1: error QN-NO-FRONT-MATTER The front matter does not end')
    expect(await statusOf(origin, '/a/')).toBe(500)
    expect(await textOf(origin, '/a/')).toMatch(SCRIPT)
    await writeFile(join(folder, 'a.md'), titled('A', 'Here.'))
    await until(async () => (await textOf(origin, '/a/')).includes('Here.'))
  })

  test.runIf(LONG_FORM)(
    'prints dead links by file and line, also of pages that were not requested',
    async () => {
      const folder = await newSite({ 'a.md': titled('A', 'To [B](/b).') })
      const { origin, printed } = await startDev(folder)
      const warning = 'The link "/b" is dead: no page is live at /b.'
      await until(async () => printed().includes(`a.md:5: warning QN-DEADLINK ${warning}`))
      expect((await stateOf(origin, '/a/')).warnings).toMatchObject([
        { code: 'QN-DEADLINK', file: 'a.md', line: 5, message: warning },
      ])
    },
  )

  test.runIf(LONG_FORM)('shows every component and sample of a section in every theme', async () => {
    const { origin } = await startDev(await newSite({ 'a.md': titled('A') }))
    const catalogue = JSON.parse(await textOf(origin, '/__quoin/catalogue.json'))
    expect(catalogue).toMatchObject({
      name: 'Notes',
      theme: 'default',
      themes: ['dark', 'default', 'minimal'],
      pages: [{ path: '/a', title: 'A', isDraft: false }],
    })
    const types: string[] = catalogue.sections.map(({ type }: { type: string }) => type)
    expect(types).toEqual(expect.arrayContaining(SECTION_TYPES.map(({ name }) => name)))
    const samples: string[] = catalogue.sections.flatMap((section: { samples: string[] }) => section.samples)
    const components = (await readdir(join(root, 'themes/_shared/components')))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => `component-${file.replace(/\.yaml$/, '')}`)
    const sections = await readdir(join(root, 'templates/section-samples'))
    expect(samples.toSorted()).toEqual([...components, ...sections].sort())
    for (const sample of some(samples, 6)) {
      for (const theme of catalogue.themes)
        expect(await statusOf(origin, `/__quoin/gallery/${theme}/${sample}/`), sample).toBe(200)
    }
    const rightToLeft = await textOf(origin, '/__quoin/gallery/dark/pricing-right-to-left/')
    expect(rightToLeft).toContain('dir="rtl"')
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(rightToLeft) ?? []
    expect(await statusOf(origin, style)).toBe(200)
    expect(await statusOf(origin, '/__quoin/gallery/dark/none/')).toBe(404)
    expect(await statusOf(origin, '/__quoin/gallery/none/hero-full/')).toBe(404)
  })

  test.runIf(LONG_FORM)('responds to this machine only, with nothing but the files of the site', async () => {
    const folder = await newSite({ 'a.md': titled('A'), '.secret': 'hidden', 'static/x/y.txt': 'Y' })
    const { origin } = await startDev(folder)
    const { port } = new URL(origin)
    const asked = async (host: string, path = '/a/', method = 'GET') => {
      return (await sendRaw(origin, path, { method, headers: { host } })).status
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST'])
      expect(await asked(host), host).toBe(200)
    for (const host of ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.nip.io', '10.0.0.1'])
      expect(await asked(host), host).toBe(403)
    expect(await asked('localhost', '/a/', 'POST')).toBe(405)
    expect(await asked('localhost', '/%E0%A4%A')).toBe(400)
    for (const path of [
      '/x/',
      '/.secret',
      '/../a.md',
      '/a.md',
      '/static/x/y.txt',
      '/site.yaml',
      '/%2e%2e/site.yaml',
    ])
      expect(await asked('localhost', path), path).toBe(404)
    expect(await asked('localhost', '/__quoin/themes/none/a/')).toBe(404)
    expect(await asked('localhost', '/x/y.txt')).toBe(200)
    expect(await asked('localhost', '/a?b=c')).toBe(302)
  })

  test.runIf(LONG_FORM)('exits with 0 on SIGTERM, also while a browser is connected', async () => {
    const folder = await newSite({ 'a.md': titled('A') })
    const { command, events } = await startDev(folder)
    await events()
    command.kill('SIGTERM')
    expect((await command.ended).code).toBe(0)
  })

  test.each(
    some(
      [
        [['dev', '/no/such/folder'], /folder \/no\/such\/folder does not exist/],
        [['dev', '.', '--port', 'web'], /--port: must be a whole number/],
        [['dev', '.', '--theme', 'dark', '--theme-folder', '.'], /--theme, --theme-folder: only one/],
      ],
      3,
    ),
  )('%j exits 2 with a clear line', async (args, line) => {
    const { code, err } = await startCommand(args).ended
    expect(code).toBe(2)
    expect(err).toMatch(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('a port that is in use is an error', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void holder.close())
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as AddressInfo
    const { code, err } = await startCommand(['dev', await newSite({}), '--port', `${port}`]).ended
    expect(code).toBe(2)
    expect(err).toBe(`quoin: --port: port ${port} is in use. Choose another one, or 0 for any free port.\n`)
  })
})

async function newSite(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries({ 'site.yaml': 'name: Notes\n', ...files })) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

async function startDev(folder: string, ...args: string[]) {
  const command = startCommand(['dev', folder, '--port', '0', ...args])
  const [, origin = ''] = await command.line(/ready at (\S+)\/\n/)
  return { origin, command, printed: command.err, events: () => listenTo(origin) }
}

/** Counts change events from the moment it listens. */
async function listenTo(origin: string): Promise<() => number> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { body } = await fetch(`${origin}/__quoin/events`, { signal: controller.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  let beats = 0
  const read = async () => {
    for (;;) {
      const { value = '', done } = (await reader?.read()) ?? { done: true }
      if (done) return
      beats += value.split('data: ').length - 1
    }
  }
  // Ends when the test does.
  read().catch(() => {})
  return () => beats
}

async function stateOf(origin: string, path: string) {
  const answer = await fetch(`${origin}/__quoin/state?path=${encodeURIComponent(path)}`)
  return (await answer.json()) as {
    version: string
    styles: string[]
    errors: { page: object | null; line: number | null }[]
    warnings: object[]
    isDraft: boolean
  }
}

async function textOf(origin: string, path: string): Promise<string> {
  return (await fetch(origin + path)).text()
}

async function statusOf(origin: string, path: string): Promise<number> {
  return (await fetch(origin + path)).status
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}
