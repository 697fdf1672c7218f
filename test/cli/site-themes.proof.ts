import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

/** Test folders are not created by Quoin, so their themes have to be trusted. */
const TRUST = { QUOIN_TRUST: 'true' }
const quoin = (...args: string[]) => startCommand(args, TRUST).ended

const MINE = {
  'theme.json': { extends: 'minimal', tokens: { brand: '#123456' } },
  'partials/footer.eta': '<footer>Made by hand</footer>\n',
  'partials/toc.eta': '<img src="<%= it.asset(\'mark.svg\') %>" alt="">\n',
  'style.css':
    '@font-face { font-family: S; src: url("assets/serif.woff2") }\n.site-header { color: rebeccapurple }\n',
  'assets/serif.woff2': 'no font',
  'assets/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'sections/mark.eta': '<img src="<%= it.asset(\'mark.svg\') %>" alt="">\n',
}
const inFolder = (path: string, files: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(files).map(([file, content]) => [`${path}/${file}`, content]))
const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\ntheme: mine\n',
  'a.md': '---\ntitle: A\n---\n\nText.\n',
  'marks.yaml': 'title: Marks\nsections: [{ type: mark }]\n',
}

describe('quoin build with a site theme', () => {
  test('finds the theme in themes/, does not read it as content, and rebuilds the pages that it changes', async () => {
    const folder = await temporaryFolder()
    await writeFiles(folder, {
      ...SITE,
      ...inFolder('themes/mine', MINE),
      'themes/on-themes.md': SITE['a.md'],
    })
    const out = join(folder, 'dist')
    expect(await quoin('build', folder, '--out', out)).toMatchObject({ code: 0, err: '' })
    const built = await readSiteFiles(out)
    expect(built.get('a/index.html')).toContain('<footer>Made by hand</footer>')
    expect([...built.keys()]).toContain('themes/on-themes/index.html')
    const [style = ''] = [...built.keys()].filter((key) => key.startsWith('_assets/theme.'))
    expect(built.get(style)).toContain('.site-header{color:rebeccapurple}')
    expect(built.get(style)).toContain('--brand:#123456')

    const [font = '', mark = ''] = ['serif', 'mark'].map((name) =>
      [...built.keys()].find((key) => key.startsWith(`_assets/${name}.`)),
    )
    expect(built.get(font)).toBe('no font')
    expect(built.get(style)).toContain(`src:url(${font.slice('_assets/'.length)})`)
    expect(built.get('a/index.html')).toContain(`<img src="../${mark}" alt="">`)
    expect(built.get('marks/index.html')).toContain(`<img src="../${mark}" alt="">`)
    expect(built.get('404.html')).toContain(`src:url(https://notes.example/${font})`)

    await writeFiles(folder, { 'themes/mine/partials/footer.eta': '<footer>Made again</footer>\n' })
    const again = await quoin('build', folder, '--out', out)
    expect(again.out).toContain('3 rendered')
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('<footer>Made again</footer>')
    expect((await quoin('build', folder, '--out', out)).out).toContain('0 rendered')
  })

  test.runIf(LONG_FORM)(
    'reads a theme from --theme-folder, and prints its errors by file and line',
    async () => {
      const folder = await temporaryFolder()
      await writeFiles(folder, { ...inFolder('site', SITE), ...inFolder('mine', MINE) })
      const args = [
        'build',
        join(folder, 'site'),
        '--out',
        join(folder, 'dist'),
        '--theme-folder',
        join(folder, 'mine'),
      ]
      expect(await quoin(...args)).toMatchObject({ code: 0, err: '' })
      const missing = await quoin(...args.slice(0, 4))
      expect(missing).toMatchObject({
        code: 1,
        out: `${join(folder, 'site/site.yaml')}:3: error QN-UNKNOWN-THEME There is no theme "mine". Available themes: dark, default, minimal. Add others to themes/, or name their folder with --theme-folder.\n`,
      })

      const file = join(folder, 'mine/partials/footer.eta')
      await writeFiles(folder, { 'mine/partials/footer.eta': '\n<% if (it.site { %>\n' })
      const broken = await quoin(...args)
      expect(broken).toMatchObject({ code: 1, err: 'quoin: 1 error; nothing was built.\n' })
      expect(broken.out).toMatch(new RegExp(`^${file}:2:16: error QN-BAD-TEMPLATE Unexpected token`))
      await writeFiles(folder, { 'mine/partials/footer.eta': '\n\n<%= it.site.none.at.all %>\n' })
      expect((await quoin(...args)).out).toMatch(
        new RegExp(`^${file}:3:18: error QN-BAD-TEMPLATE Cannot read properties of undefined`),
      )
    },
  )
})

describe('quoin dev with a site theme', () => {
  test('updates styles without a reload, then templates, and shows errors until they are fixed', async () => {
    const folder = await temporaryFolder()
    await writeFiles(folder, { ...SITE, ...inFolder('themes/mine', MINE) })
    const command = startCommand(['dev', folder, '--port', '0'], TRUST)
    const [, origin = ''] = await command.line(/ready at (\S+)\/\n/)
    const page = async () => (await fetch(`${origin}/a/`)).text()
    const state = async () =>
      (await (await fetch(`${origin}/__quoin/state?path=/a/`)).json()) as {
        version: string
        styles: string[]
        errors: { file: string; line: number; message: string }[]
      }
    expect(await page()).toContain('<footer>Made by hand</footer>')
    const first = await state()

    await writeFiles(folder, { 'themes/mine/style.css': '.site-header { color: teal }\n' })
    await until(async () => `${(await state()).styles}` !== `${first.styles}`)
    expect((await state()).version).toBe(first.version)
    await writeFiles(folder, { 'themes/mine/theme.json': { extends: 'dark' } })
    await until(async () => (await page()).includes('<meta name="color-scheme" content="dark">'))

    await writeFiles(folder, { 'themes/mine/partials/footer.eta': '\n<% if ( { %>' })
    await until(async () => (await state()).errors.length > 0)
    expect((await state()).errors).toMatchObject([
      {
        file: expect.stringMatching(/themes\/mine\/partials\/footer.eta$/),
        line: 2,
        message: expect.stringContaining('Unexpected token'),
      },
    ])
    expect(await page()).toContain('<footer>Made by hand</footer>')
    await writeFiles(folder, { 'themes/mine/partials/footer.eta': '<footer>Fixed</footer>\n' })
    await until(async () => (await page()).includes('<footer>Fixed</footer>'))

    await writeFiles(folder, { 'themes/mine/partials/footer.eta': '<% while (true) {} %>' })
    await until(async () => (await state()).errors.length > 0)
    expect((await state()).errors).toMatchObject([
      { file: expect.stringMatching(/footer.eta$/), message: expect.stringContaining('an endless loop') },
    ])
    await writeFiles(folder, { 'themes/mine/partials/footer.eta': '<footer>Fixed again</footer>\n' })
    await until(async () => (await page()).includes('<footer>Fixed again</footer>'))
    expect((await state()).errors).toEqual([])

    await writeFiles(folder, { 'themes/other/theme.json': { extends: 'minimal' } })
    await until(async () => (await fetch(`${origin}/__quoin/themes/other/a/`)).status === 200)
  })
})

describe('quoin serve with themes of the operator', () => {
  test('selects a theme by name, previews it and publishes with it', async () => {
    const folder = await temporaryFolder()
    await writeFiles(folder, inFolder('themes/mine', MINE))
    const { api, project, origin, key } = await serving(folder)
    expect(await api('GET', '/openapi.json')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"mine"'),
    })
    const unknown = await api('PUT', `/projects/${project}/settings`, { theme: '../themes/mine' })
    expect(unknown.status).toBe(422)
    expect(unknown.text).toContain('dark, default, mine, minimal')

    const page = {
      project_id: project,
      title: 'A',
      slug: 'a',
      subroute: '',
      type: 'article',
      markdown_content: 'Text.',
    }
    const { id } = (await api('POST', '/pages', page)).data
    await api('POST', `/pages/${id}/publish`)
    expect((await api('GET', `/render/${id}?theme=mine`)).text).toContain('<footer>Made by hand</footer>')

    expect((await api('PUT', `/projects/${project}/settings`, { theme: 'mine' })).status).toBe(200)
    expect((await api('GET', `/pages/${id}`)).data.stale).toContain('theme')
    expect((await api('POST', `/pages/${id}/publish`)).status).toBe(200)
    const html = await (await fetch(`${origin}/public/${project}/a/`)).text()
    expect(html).toContain('<footer>Made by hand</footer>')
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
    const css = await fetch(new URL(style, `${origin}/public/${project}/a/`))
    expect(await css.text()).toContain('rebeccapurple')
    expect(await (await fetch(`${origin}/public/${project}/404.html`)).text()).toContain('Made by hand')

    const exported = ['export', project, '--out', join(folder, 'out'), '--server', origin]
    const { out } = await startCommand(exported, { QUOIN_KEY: key }).ended
    expect(out).toMatch(
      /site\.yaml: warning QN-NOT-EXPORTED The theme `mine` is installed on the server only\..* themes\//,
    )
  })

  test.runIf(LONG_FORM)(
    'refuses to publish a page whose theme was removed, until another theme is selected, but unpublishes it',
    async () => {
      const folder = await temporaryFolder()
      await writeFiles(folder, inFolder('themes/mine', MINE))
      const first = await serving(folder)
      const { api, project } = first
      await api('PUT', `/projects/${project}/settings`, { theme: 'mine' })
      const page = {
        project_id: project,
        title: 'A',
        slug: 'a',
        subroute: '',
        type: 'article',
        markdown_content: 'Text.',
      }
      const { id } = (await api('POST', '/pages', page)).data
      await api('POST', `/pages/${id}/publish`)
      first.stop()
      await first.ended

      const verify = (...args: string[]) =>
        quoin('verify', '--data', join(folder, 'data'), '--repair', '--json', ...args)
      const stored = await readdir(join(folder, 'data/cdn'), { recursive: true })
      const [notFound = ''] = stored.filter((file) => file.endsWith('404.html'))
      const before = await readFile(join(folder, 'data/cdn', notFound), 'utf8')
      await rm(join(folder, 'data/cdn', notFound))
      const without = await verify()
      expect(without.code).toBe(1)
      expect(without.out).toContain('the theme mine is not installed. Name its folder in QUOIN_THEMES.')
      expect(await verify('--themes', join(folder, 'themes'))).toMatchObject({ code: 0 })
      expect(await readFile(join(folder, 'data/cdn', notFound), 'utf8')).toBe(before)

      await rm(join(folder, 'themes/mine'), { recursive: true })
      const then = await serving(folder, first.key)
      const refused = await then.api('POST', `/pages/${id}/publish`)
      expect(refused.status).toBe(500)
      expect(refused.text).toContain('The theme \\"mine\\" is not installed on this server; choose another')
      expect((await then.api('POST', `/pages/${id}/unpublish`)).status).toBe(200)
      await then.api('PUT', `/projects/${project}/settings`, { theme: 'dark' })
      expect((await then.api('POST', `/pages/${id}/publish`)).status).toBe(200)
    },
  )

  test.each(
    some<[string, Readonly<Record<string, unknown>>, string]>([
      [
        'a template',
        { 'x/theme.json': { extends: 'dark' }, 'x/partials/toc.eta': '\n<%= ( %>' },
        '/x/partials/toc.eta:2: ',
      ],
      ['a name', { 'dark/theme.json': { extends: 'dark' } }, '/dark: Quoin has a theme named dark'],
      ['no theme.json', { 'x/style.css': '' }, '/x/theme.json: The file does not exist.'],
    ]),
  )('does not start with an error in %s, which one line names', async (_, files, message) => {
    const folder = await temporaryFolder()
    await writeFiles(folder, inFolder('themes', files))
    const args = ['serve', '--data', join(folder, 'data'), '--port', '0', '--themes', join(folder, 'themes')]
    const { code, out, err } = await quoin(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`quoin: --themes (QUOIN_THEMES): ${join(folder, 'themes')}${message}`)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test.runIf(LONG_FORM)('does not start when the folder does not exist', async () => {
    const { code, err } = await quoin('serve', '--themes', '/no/such/folder')
    expect([code, err]).toEqual([
      2,
      'quoin: --themes (QUOIN_THEMES): the folder /no/such/folder does not exist.\n',
    ])
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function serving(folder: string, knownKey?: string) {
  const data = ['--data', join(folder, 'data')]
  const server = startCommand([
    'serve',
    ...data,
    '--port',
    '0',
    '--allow-http',
    'true',
    '--themes',
    join(folder, 'themes'),
  ])
  const [, origin = ''] = await server.line(/ready at (\S+)\n/)
  const made =
    knownKey === undefined ? (await quoin('keys', 'create', ...data, '--name', 'test', '--json')).out : null
  const key: string = made === null ? knownKey : JSON.parse(made).key
  const api = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await fetch(origin + path, sent).catch((error) => {
      throw new Error(`${error} ${server.err()}`)
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: answer.status, text, data: isJson ? JSON.parse(text).data : null }
  }
  const project = made === null ? '' : (await api('POST', '/projects', { name: 'Notes' })).data.id
  return { origin, api, key, project, ended: server.ended, stop: () => void server.kill('SIGTERM') }
}
