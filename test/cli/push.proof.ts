import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
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

async function notes() {
  const folder = await temporaryFolder()
  const name = `Notes ${folder.slice(-6)}`
  await mkdir(join(folder, 'docs'))
  await mkdir(join(folder, 'static'))
  await writeFile(join(folder, 'site.yaml'), `name: ${name}\nfooter_text: Written by hand\n`)
  await writeFile(join(folder, 'docs/index.md'), '---\ntitle: Docs\nsubroute: ""\n---\nText.\n')
  await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\n---\nTo [all](/).\n')
  await writeFile(join(folder, 'static/dot.svg'), '<svg/>')
  return { folder, name }
}

describe('quoin push', () => {
  test('publishes articles of the future only with --future', async () => {
    const { folder } = await notes()
    await writeFiles(folder, {
      'blog/later.md': '---\ntitle: Later\ntype: article\ndate: 2099-01-01\n---\nText.\n',
    })
    const statusAfter = async (...flags: string[]) => {
      const { code, out } = await quoin('push', folder, '--publish', ...flags)
      expect(code).toBe(0)
      const project = /(proj_\w+):/.exec(out)?.[1]
      return (await fetch(`${service.url}/public/${project}/blog/later/`)).status
    }
    expect(await statusAfter()).toBe(404)
    expect(await statusAfter('--future')).toBe(200)
  })

  test('creates the project, pushes the folder and publishes it, and then pushes only what changed', async () => {
    const { folder, name } = await notes()
    const first = await quoin('push', folder, '--publish')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(
      /^Pushing to the new project ".*" \(proj_\w+\), http.*\n1 file not sent: named by no page and no setting\.\n(proj_\w+): 1 setting changed; pages: 2 created, 0 updated, 0 unchanged, 0 removed; 2 published, 0 unpublished; .* s\.\nThe site is at (http.*)\n$/,
    )
    const [, project = '', , address = ''] = /^(proj_\w+):.*\n(The site is at (.*))$/m.exec(first.out) ?? []
    expect(address).toBe(`${service.url}/public/${project}/`)
    const page = await fetch(`${address}docs/a/`)
    expect(await page.text()).toContain('Written by hand')

    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: B\n---\nText.\n')
    const plan = await quoin('push', folder, '--publish', '--dry-run')
    expect(plan.out).toContain('update     docs/a.md\npublish    docs/a.md\n')
    const second = JSON.parse((await quoin('push', folder, '--publish', '--json')).out)
    expect(second).toMatchObject({
      ok: true,
      project_id: project,
      settings: [],
      created: [],
      updated: ['docs/a.md'],
      unchanged: 1,
      removed: [],
      conflicts: [],
      failures: [],
      not_sent: ['static/dot.svg'],
      missing: [],
    })
    expect(await quoin('push', folder, '--publish', '--quiet')).toEqual({ code: 0, out: '', err: '' })
    const { body } = await service.call('GET', `/projects/${project}`)
    expect(body.data.name).toBe(name)

    expect(existsSync(join(folder, '.quoin'))).toBe(false)
    expect(`${first.out}${plan.out}`).not.toContain(service.key)
  })

  test('goes to the project of earlier pushes when another one has its name, and stops where several could be meant', async () => {
    const { folder, name } = await notes()
    const projectOf = (out: string) => /(proj_\w+):/.exec(out)?.[1]
    const first = projectOf((await quoin('push', folder)).out)
    const other = (await service.call('POST', '/projects', { name })).body.data.id
    expect(projectOf((await quoin('push', folder)).out)).toBe(first)

    expect(projectOf((await quoin('push', folder, '--project', other)).out)).toBe(other)
    const refused = await quoin('push', folder)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('Name one with --project.')
    for (const id of [first, other]) expect(refused.err).toContain(id)
  })

  test('--dry-run prints the project that a push would create, and creates nothing', async () => {
    const { folder, name } = await notes()
    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\ndraft: true\n---\nText.\n')
    const plan = await quoin('push', folder, '--publish', '--dry-run')
    expect(plan).toMatchObject({ code: 0, err: '' })
    expect(plan.out).toContain(
      `create     the project "${name}"\nsettings   footer_text\ncreate     docs/index.md\ncreate     docs/a.md\npublish    docs/index.md\n`,
    )
    expect(plan.out).toContain(
      `New project "${name}": 1 setting changed; pages: 2 created, 0 updated, 0 unchanged, 0 removed; 1 published, 0 unpublished. Dry run: nothing was changed.\n`,
    )
    const json = await quoin('push', folder, '--publish', '--dry-run', '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      dry_run: true,
      project_id: null,
      project_created: true,
      settings: ['footer_text'],
      created: ['docs/index.md', 'docs/a.md'],
      published: ['docs/index.md'],
    })
    const { body } = await service.call('GET', '/projects?limit=100')
    expect(body.data.map((project: { name: string }) => project.name)).not.toContain(name)
    expect(JSON.parse((await quoin('push', folder, '--json')).out)).toMatchObject({ project_created: true })
    expect(JSON.parse((await quoin('push', folder, '--json')).out)).toMatchObject({ project_created: false })
  })

  test.runIf(LONG_FORM)('changes on the server are reported with exit code 1, and not replaced', async () => {
    const { folder } = await notes()
    const { project_id: project } = JSON.parse((await quoin('push', folder, '--json')).out)
    const { body } = await service.call('GET', `/pages?project_id=${project}&slug=a`)
    await service.call('PUT', `/pages/${body.data[0].id}`, { title: 'Theirs' })
    await rm(join(folder, 'docs/index.md'))
    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: Mine\n---\nTo [all](/).\n')
    const pushed = await quoin('push', folder, '--project', project)
    expect(pushed).toMatchObject({
      code: 1,
      err: 'quoin: 1 conflict and 0 failures; all else was pushed.\n',
    })
    expect(pushed.out).toMatch(
      /\/docs\/a\.md: error QN-CONFLICT The page page_\w+ was edited on the server since the last push\. These fields differ: title\. Replace the page with --force docs\/a\.md\./,
    )
    expect(pushed.out).toContain(
      'No longer in the folder, but still on the server: docs/index.md. Remove them with --prune.',
    )
  })

  test('lists files that pages use but the server will not have, by file and line', async () => {
    const { folder } = await notes()
    await writeFile(
      join(folder, 'docs/a.md'),
      '---\ntitle: A\n---\n![A](</a,b.svg>), ![B](../a,b.svg)\nand https://example.com/a,b.svg\n',
    )
    await writeFile(join(folder, 'static/a,b.svg'), '<svg/>')
    const { code, out, err } = await quoin('push', folder)
    expect(code).toBe(1)
    expect(err).toMatch(
      /1 file that pages use will be missing on the site; all else was pushed\..*--allow-missing-files/,
    )
    expect(out).toMatch(
      /docs\/a\.md:4: warning QN-NOT-SENT static\/a,b\.svg will be missing on the site\. Its path .*\n1 file not sent: /,
    )
    const allowed = await quoin('push', folder, '--allow-missing-files')
    expect(allowed).toMatchObject({ code: 0, err: '' })
    const { missing, project_id: project } = JSON.parse((await quoin('push', folder, '--json')).out)
    const again = await quoin('push', folder, '--project', project)
    expect(again.out).toMatch(
      /^In 1 place files will be missing\. List them with --verbose\.\n1 file not sent/m,
    )
    const all = await quoin('push', folder, '--project', project, '--verbose')
    expect(all.out).toContain('docs/a.md:4: warning QN-NOT-SENT static/a,b.svg will be missing on the site.')
    expect(missing).toMatchObject([{ file: 'docs/a.md', line: 4, asset: 'static/a,b.svg' }])
  })

  test('--publish prints the warnings of published pages, as a build does', async () => {
    const { folder } = await notes()
    await writeFile(
      join(folder, 'docs/a.md'),
      [
        ...['---', 'title: A', '---', 'Text.', '', '<script>alert(1)</script>', ''],
        ...['[There](./index.md), [gone](/gone) and [gone](/gone).', '', ':::nobody', 'Text.', ':::', ''],
        ...['![](lost.png)', '', '::video[No video]{poster="/first.svg"}', ''],
      ].join('\n'),
    )
    await writeFile(join(folder, 'static/first.svg'), '<svg/>')
    await writeFile(
      join(folder, 'home.yaml'),
      'title: Home\ntype: page\nsections:\n  - type: text\n    props: { content: "<iframe></iframe>" }\n  - type: cta\n    props: { title: Go, actions: [{ label: Go, href: /gone }] }\n  - type: nobody\n',
    )
    const out = join(await temporaryFolder(), 'dist')
    const built = await quoin('build', folder, '--out', out, '--quiet')
    const warnings = JSON.parse((await quoin('build', folder, '--out', out, '--json')).out).diagnostics
    expect(warnings.length).toBeGreaterThan(5)

    const pushed = await quoin('push', folder, '--publish', '--quiet')
    expect(pushed).toEqual({ code: 0, out: built.out, err: '' })
    await writeFile(join(folder, 'site.yaml'), `name: Notes again ${folder.slice(-6)}\n`)
    const again = await quoin('push', folder, '--publish')
    expect(again.out).toContain(`3 published, 0 unpublished, ${warnings.length} warnings;`)
    await writeFile(join(folder, 'site.yaml'), `name: Notes once more ${folder.slice(-6)}\n`)
    const json = JSON.parse((await quoin('push', folder, '--publish', '--json')).out)
    expect(json).toMatchObject({ ok: true, warnings, warning_count: warnings.length })
    const silent = JSON.parse((await quoin('push', folder, '--publish', '--json')).out)
    expect(silent).toMatchObject({ published: [], warnings, warning_count: warnings.length })
  })

  test('templates of the folder do not run, and a page may use a theme that only the server has', async () => {
    const themes = await temporaryFolder()
    await writeFiles(themes, { 'acme/theme.json': { extends: 'default' } })
    const service = await startService({ env: { QUOIN_THEMES: themes } })
    onTestFinished(() => service.close())
    const { folder } = await notes()
    const trace = join(folder, 'ran.txt')
    await writeFiles(folder, {
      'themes/mine/theme.json': { extends: 'default' },
      'themes/mine/layouts/chart.eta': `<%= it.page.config.mood %><% process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(trace)}, '') %>`,
      'themes/mine/sections/tides.eta': '<p><%= it.props.harbour %></p>',
      'mine.yaml':
        'title: Mine\ntype: page\nlayout: chart\nconfig: { theme: mine, mood: calm }\nsections:\n  - type: tides\n    props: { harbour: A }\n',
    })
    const push = async () => {
      const env = { QUOIN_KEY: service.key, QUOIN_URL: service.url }
      return JSON.parse((await startCommand(['push', folder, '--json'], env).ended).out)
    }
    const first = await push()
    expect(existsSync(trace)).toBe(false)
    expect(first).toMatchObject({ created: ['docs/index.md', 'docs/a.md'] })

    await writeFiles(folder, { 'acme.yaml': 'title: Acme\ntype: page\nconfig: { theme: acme }\n' })
    const report = await push()
    expect(report.created).toEqual(['acme.yaml'])
    const found = report.diagnostics.map(({ file, code }: { file: string; code: string }) => [file, code])
    expect(found).toEqual([['mine.yaml', 'QN-REFUSED']])
  })

  test('addresses that the project does not allow stop the push before anything is sent', async () => {
    const { folder } = await notes()
    const project = await service.newProject()
    await writeFile(join(folder, 'docs/v1.2.md'), '---\ntitle: New\n---\nText.\n')
    const refused = await quoin('push', folder, '--project', project, '--publish')
    expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/^Pushing to the project .*\n$/)])
    expect(refused.err).toMatch(
      /hold others: \/docs\/v1\.2 of docs\/v1\.2\.md\. Allow them with PUT .*"wide"/,
    )
    expect(refused.err).toContain(`PUT /projects/${project}`)
    const shown = async () => (await service.call('GET', `/projects/${project}?include=pages`)).body.data
    expect(await shown()).toMatchObject({ page_count: 0 })
    expect(existsSync(join(folder, '.quoin/push.json'))).toBe(false)

    await service.call('PUT', `/projects/${project}`, { hosting: { slugs: 'wide' } })
    expect(await quoin('push', folder, '--project', project)).toMatchObject({ code: 0, err: '' })
    expect(await shown()).toMatchObject({ page_count: 3 })
  })

  test('--force replaces changes on the server only in the files that it names', async () => {
    const { folder } = await notes()
    const { project_id: project } = JSON.parse((await quoin('push', folder, '--json')).out)
    const { body } = await service.call('GET', `/pages?project_id=${project}`)
    for (const { id } of body.data) await service.call('PUT', `/pages/${id}`, { title: 'Theirs' })
    const some = await quoin('push', '--project', project, '--force', 'docs/a.md', folder)
    expect([some.code, some.err]).toEqual([0, ''])
    expect(some.out).toContain('Edited on the server alone, and left as they are there: docs/index.md.')
    expect(some.out).toContain('1 updated, 0 unchanged, 1 kept')
    expect(await quoin('push', '--project', project, '--force', folder)).toMatchObject({ code: 0, err: '' })
    const none = await quoin('push', '--project', project)
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("missing required argument 'folder'")])
  })

  test.runIf(LONG_FORM)('waits as long as a rate limit requires, and prints that it does', async () => {
    const { folder } = await notes()
    let asked = 0
    const proxy = createServer(async (request, response) => {
      if (++asked === 4) {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
        response.end(
          JSON.stringify({ statusCode: 429, name: 'rate_limit_exceeded', message: 'Slow.', retry_after: 1 }),
        )
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { authorization = '', 'content-type': type } = request.headers
      const answer = await fetch(service.url + request.url, {
        method: request.method ?? 'GET',
        headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        etag: answer.headers.get('etag') ?? '',
        'service-version': answer.headers.get('service-version') ?? '',
      })
      response.end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const address = proxy.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0

    const pushed = await quoin('push', folder, '--server', `http://127.0.0.1:${port}`)
    expect(pushed).toMatchObject({ code: 0 })
    expect(pushed.err).toBe(`http://127.0.0.1:${port} limits the rate of requests. Continuing in 1 s.\n`)
  })

  test('errors of the folder are printed by file and line, and nothing is sent', async () => {
    const { folder, name } = await notes()
    await writeFile(join(folder, 'docs/a.md'), '---\ntitle: A\nnav_order: soon\n---\n')
    expect(await quoin('push', folder)).toEqual({
      code: 1,
      out: `${join(folder, 'docs/a.md')}:3:1: error QN-BAD-VALUE nav_order must be a number.\n`,
      err: 'quoin: 1 error; nothing was pushed.\n',
    })
    const { body } = await service.call('GET', '/projects?limit=100')
    expect(body.data.map((project: { name: string }) => project.name)).not.toContain(name)
  })

  test.each(
    some(
      [
        [{}, ['push', '.'], 2, /--server: name the address of the API/],
        [{ QUOIN_URL: 'http://quoin.example.com' }, ['push', '.'], 2, /--server: must use https/],
        [{ QUOIN_URL: 'https://quoin.example.com' }, ['push', '.'], 2, /QUOIN_KEY: set it to the API key/],
        [
          { QUOIN_URL: 'http://127.0.0.1:1', QUOIN_KEY: 'k' },
          ['push', 'MINE'],
          1,
          /cannot be reached .*push again/,
        ],
        [{ QUOIN_URL: 'SERVICE', QUOIN_KEY: 'no-key' }, ['push', 'MINE'], 1, /key/],
        [
          { QUOIN_URL: 'SERVICE', QUOIN_KEY: 'k' },
          ['push', 'MINE', '--key-file', '/no/such'],
          2,
          /--key-file: \/no\/such cannot be read/,
        ],
        [
          { QUOIN_URL: 'SERVICE', QUOIN_KEY: 'k' },
          ['push', 'MINE', '--project', 'x'],
          2,
          /"x" is not an id\. Ids of this kind begin with proj_\./,
        ],
      ],
      3,
    ),
  )('with %j, %j fails with one line', async (env, args, code, line) => {
    const { folder } = await notes()
    const { QUOIN_URL: url = '', ...others } = env as Record<string, string>
    const ended = await startCommand(
      args.map((arg) => (arg === 'MINE' ? folder : arg)),
      { ...others, QUOIN_URL: url.replace('SERVICE', service.url) },
    ).ended
    expect(ended.err).toMatch(line)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expect(ended.code).toBe(code)
  })
})
