import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import knex from 'knex'
import { describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { sendRaw } from '../support/raw-request.ts'

const quoin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startCommand(args, env).ended
const folder = () => mkdtempSync(join(tmpdir(), 'quoin-cli-'))
const oneLine = (text: string) => text.trimEnd().split('\n').length === 1 && !text.includes('    at ')

describe('quoin', () => {
  test('--help prints the commands, the exit codes and an example', async () => {
    const { code, out } = await quoin(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('Exit codes: 0 success, 1 failure, 2 wrong usage.')
    expect(out).toContain('Example:\n  quoin init my-site\n')
  })

  test('--version prints the version', async () => {
    expect(await quoin(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})

describe('wrong usage', () => {
  test.each(
    some<[string[], RegExp]>(
      [
        [['frobnicate'], /unknown command/],
        [['serve', '--frob'], /unknown option/],
        [['keys', 'create'], /--name/],
        [['keys', 'create', '--name', 'x', '--plan', 'gold'], /--plan: must be one of/],
        [['keys', 'create', '--name', 'x', '--permissions', 'fly'], /--permissions: must be a list of/],
        [['keys', 'create', '--name', 'x', '--expires', 'soon'], /--expires: must be an ISO 8601 date/],
        [
          ['keys', 'create', '--name', 'x', '--plan', 'pro', '--limits', 'minute=5'],
          /--limits: only allowed with --plan enterprise/,
        ],
        [
          ['keys', 'create', '--name', 'x', '--plan', 'enterprise', '--limits', 'week=5'],
          /--limits: must be a list such as minute=600/,
        ],
        [
          ['keys', 'create', '--name', 'x', '--plan', 'enterprise', '--limits', 'hour=0'],
          /--limits: must be a list such as minute=600/,
        ],
        [['keys', 'list'], /no database at .*quoin\.db/],
        [['users', 'list'], /no database at/],
        [['projects', 'list'], /no database at/],
        [['users', 'list', '--database-url', 'mysql://x'], /^quoin: --database-url \(QUOIN_DATABASE_URL\): /],
        [['keys', 'revoke', 'proj_aaaaaaaaaaaaaaaa'], /is not an id\. Ids of this kind begin with key_/],
        [['users', 'create', '--email', 'ada'], /--email/],
      ],
      5,
    ),
  )('quoin %j exits with 2 and one line', async (args, message) => {
    const { code, err } = await quoin([
      ...args,
      ...(args[0] === 'frobnicate' || args[1] === '--frob' ? [] : ['--data', folder()]),
    ])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) })
    expect(err).not.toContain('    at ')
  })
})

describe('an error', () => {
  test.each<[string[], number, string]>([
    [
      ['build', '/no/such/folder', '--json'],
      2,
      'The folder /no/such/folder does not exist. Check the path, or create a site there with quoin init.',
    ],
    [
      ['import', '/no/such/folder', '--json', '--server', 'http://127.0.0.1'],
      2,
      'The folder /no/such/folder does not exist. Check the path, or export a project with quoin export.',
    ],
    [
      ['deploy', '/no/such/folder', '--to', '/tmp/www', '--json'],
      2,
      'The folder /no/such/folder does not exist. Check the path, or build the site with quoin build.',
    ],
    [
      ['theme', 'check', '/no/such/folder', '--json'],
      2,
      'The folder /no/such/folder does not exist. Check the path, or create a theme with quoin theme new.',
    ],
    [['import', '--json'], 2, "missing required argument 'folder'"],
    [
      ['theme', 'new', '/proc/nope', '--json'],
      1,
      "The system refused: ENOENT: no such file or directory, mkdir '/proc/nope'. Check the path.",
    ],
  ])(
    'is, for quoin %j, one JSON object on standard output and one line on standard error',
    async (args, code, error) => {
      const ended = await quoin(args)
      expect(ended).toMatchObject({ code, err: `quoin: ${error}\n` })
      expect(JSON.parse(ended.out)).toEqual({ ok: false, error })
    },
  )

  test('does not occur when the reader of the output closes the pipe early', async () => {
    const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
    const child = spawn(process.execPath, [cli, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const printed: Buffer[] = []
    child.stderr.on('data', (piece) => printed.push(piece))
    const [code] = await once(child, 'close')
    expect({ code, printed: String(Buffer.concat(printed)) }).toEqual({ code: 0, printed: '' })
  })

  test('is one line when the working directory no longer exists', async () => {
    const directory = folder()
    const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" build .'
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, cli], { cwd: directory })
    expect(status).toBe(1)
    expect(`${stderr}`).toBe(
      'quoin: The working directory no longer exists. Change to another folder and try again.\n',
    )
  })
})

describe('a wrong setting stops the start with one line that names it', () => {
  test.each(
    some<[string, string]>(
      [
        ['QUOIN_PORT', '70000'],
        ['QUOIN_PORT', 'http'],
        ['QUOIN_DATABASE_URL', 'mysql://x'],
        ['QUOIN_DATABASE_URL', 'postgres://localhost/'],
        ['QUOIN_DATABASE_URL', 'postgres://127.0.0.1:1/quoin'],
        ['QUOIN_DATABASE_URL', 'sqlite::memory:'],
        ['QUOIN_DATABASE_URL', 'sqlite:file:quoin?mode=memory'],
        ['QUOIN_STORAGE_URL', 'ftp://x'],
        ['QUOIN_STORAGE_URL', 's3://bucket'],
        ['QUOIN_BASE_URL', 'example.com'],
        ['QUOIN_CONTENT_URL', 'https://cdn.example.com/?x=1'],
        ['QUOIN_SITES_DOMAIN', 'not a domain'],
        ['QUOIN_TRUST_PROXY', 'everyone'],
        ['QUOIN_TRUST_PROXY', '0.0.0.0/0'],
        ['QUOIN_TLS', 'letsencrypt'],
        ['QUOIN_ALLOW_HTTP', 'maybe'],
        ['QUOIN_TLS_CERT', '/nonexistent.pem'],
        ['QUOIN_REQUEST_MEMORY', '12'],
        ['QUOIN_STALL_SECONDS', '0'],
        ['QUOIN_MAX_CONNECTIONS', 'many'],
        ['QUOIN_MAX_CONNECTIONS_PER_ADDRESS', '-1'],
        ['QUOIN_LOG_LEVEL', 'loud'],
        ['QUOIN_HOST', '203.0.113.9'],
      ],
      4,
    ),
  )('%s=%s', async (name, value) => {
    const { code, out, err } = await quoin(['serve', '--data', folder()], { QUOIN_PORT: '0', [name]: value })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(name)
    expect(oneLine(err)).toBe(true)
  })

  test('a taken port, before anything is created', async () => {
    const data = join(folder(), 'data')
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, err } = await quoin(['serve', '--data', data, '--port', String(port)])
    taken.close()
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`port ${port} on 127.0.0.1 is taken`),
    })
    expect(() => readdirSync(data)).toThrow()
  })

  test.runIf(LONG_FORM)('a data folder that is a file', async () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    const { code, err } = await quoin(['serve', '--data', file, '--port', '0'])
    expect(code).toBe(2)
    expect(oneLine(err)).toBe(true)
  })

  test.skipIf(process.getuid?.() === 0)('a data folder that cannot be written', async () => {
    const data = folder()
    chmodSync(data, 0o500)
    expect(await quoin(['serve', '--data', data, '--port', '0'])).toMatchObject({ code: 2 })
  })

  test('a native module that cannot be loaded', async () => {
    const broken = join(folder(), 'broken.cjs')
    writeFileSync(
      broken,
      `const { Module } = require('node:module'); const load = Module._load
       Module._load = (name, ...rest) => { if (name === 'sqlite3') throw new Error('invalid ELF header'); return load(name, ...rest) }`,
    )
    const { code, err } = await quoin(['keys', 'create', '--name', 'x', '--data', folder()], {
      NODE_OPTIONS: `--require ${broken}`,
    })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--allow-scripts=sqlite3') })
    expect(oneLine(err)).toBe(true)
  })

  test('a file that is not a database', async () => {
    const data = folder()
    writeFileSync(
      join(data, 'quoin.db'),
      'This is not a database, but a text that is long enough to be read as one.'.repeat(20),
    )
    const { code, err } = await quoin(['keys', 'list', '--data', data])
    expect(code).toBe(2)
    expect(err).toContain('QUOIN_DATABASE_URL')
    expect(oneLine(err)).toBe(true)
  })

  test.runIf(LONG_FORM)('a database of a newer version', async () => {
    const data = folder()
    await quoin(['keys', 'create', '--name', 'x', '--data', data])
    const db = knex({
      client: 'sqlite3',
      connection: { filename: join(data, 'quoin.db') },
      useNullAsDefault: true,
    })
    await db('knex_migrations').insert({ name: '999-future', batch: 9, migration_time: new Date() })
    await db.destroy()
    const { code, err } = await quoin(['keys', 'list', '--data', data])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('belongs to a newer version of Quoin (it has 999-future)'),
    })
  })
})

describe('administration', () => {
  test('creates and lists users, keys and projects, each as one JSON object', async () => {
    const data = folder()
    const json = async (...args: string[]) =>
      JSON.parse((await quoin([...args, '--data', data, '--json'])).out)
    const user = await json('users', 'create', '--email', 'ada@example.com', '--can-create-projects')
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'ada@example.com',
      can_create_projects: true,
      verified: true,
      locked_at: null,
      set_up_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/dashboard\/set-up\?token=[\w-]{43}$/),
    })
    const project = await json('projects', 'create', '--user', user.id, '--name', 'Söhne & Co.')
    expect(project).toMatchObject({
      id: expect.stringMatching(/^proj_/),
      slug: 'sohne-co',
      status: 'active',
      page_count: 0,
    })
    expect(await json('projects', 'create', '--user', user.id, '--name', 'Söhne & Co.')).toMatchObject({
      slug: 'sohne-co-2',
    })
    const key = await json(
      'keys',
      'create',
      '--user',
      user.id,
      '--project',
      project.id,
      '--permissions',
      'read',
      '--name',
      'ci',
    )
    expect(key).toMatchObject({
      key: expect.stringMatching(/^qn_live_[0-9A-Za-z]{38}$/),
      permissions: ['read'],
    })
    const { keys } = await json('keys', 'list')
    expect(keys).toEqual([expect.not.objectContaining({ key: expect.anything() })])
    expect(await json('keys', 'revoke', key.id)).toEqual({ id: key.id, revoked: true })
    expect(await json('projects', 'suspend', project.id)).toMatchObject({ status: 'suspended' })
    expect(await json('projects', 'activate', project.id)).toMatchObject({ status: 'active' })
    expect((await json('projects', 'list')).projects).toHaveLength(2)
  })

  test.runIf(LONG_FORM)('creates no database when it only lists', async () => {
    const data = join(folder(), 'data')
    for (const what of ['keys', 'users', 'projects'])
      expect(await quoin([what, 'list', '--data', data])).toMatchObject({ code: 2, out: '' })
    expect(() => readdirSync(data)).toThrow()
  })

  test.runIf(LONG_FORM)(
    'accepts a user by id or e-mail address, and rate limits for an enterprise key',
    async () => {
      const data = folder()
      const run = async (...args: string[]) => quoin([...args, '--data', data, '--json'])
      const { set_up_url: _, ...user } = JSON.parse(
        (await run('users', 'create', '--email', 'ada@example.com')).out,
      )
      expect(JSON.parse((await run('users', 'list')).out)).toEqual({ users: [user] })
      const flags = ['--plan', 'enterprise', '--limits', 'minute=7,create_page=2']
      const created = await run('keys', 'create', '--name', 'x', '--user', 'ada@example.com', ...flags)
      const { key, ...shown } = JSON.parse(created.out)
      expect(shown).toMatchObject({ user_id: user.id, limits: { minute: 7, create_page: 2 } })
      expect(JSON.parse((await run('keys', 'list')).out)).toMatchObject({ keys: [shown] })
      const unknown = await run('keys', 'create', '--name', 'x', '--user', 'bo@example.com')
      expect(unknown).toMatchObject({ code: 1, err: 'quoin: No user has the address bo@example.com.\n' })

      const server = startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true'])
      const [, url = ''] = await server.line(/ready at (\S+)\n/)
      const answer = await fetch(`${url}/users/me`, { headers: { Authorization: `Bearer ${key}` } })
      expect(answer.headers.get('x-ratelimit-limit')).toBe('7')
    },
  )

  test('a key of the first user has no limits of requests, and one of another user has the standard plan', async () => {
    const data = folder()
    const run = async (...args: string[]) =>
      JSON.parse((await quoin([...args, '--data', data, '--json'])).out)
    expect(await run('keys', 'create', '--name', 'x')).toMatchObject({ plan: 'enterprise', limits: null })
    await run('users', 'create', '--email', 'ada@example.com')
    const other = await run('keys', 'create', '--name', 'y', '--user', 'ada@example.com')
    expect(other).toMatchObject({ plan: 'standard' })
    const stated = await run('keys', 'create', '--name', 'z', '--plan', 'free')
    expect(stated).toMatchObject({ plan: 'free' })
  })

  test('creates a first user for a key without --user', async () => {
    const data = folder()
    const first = await quoin(['keys', 'create', '--name', 'x', '--data', data])
    expect(first.out).toMatch(/qn_live_/)
    // A key of the wrong folder would be refused by the service, without a hint why.
    expect(first.err).toContain(`Created a new installation in ${data}`)
    const again = await quoin([
      'keys',
      'create',
      '--name',
      'x',
      '--user',
      'usr_aaaaaaaaaaaaaaaa',
      '--data',
      data,
    ])
    expect(again).toMatchObject({ code: 1, err: 'quoin: No user has this id.\n' })
  })

  test.runIf(LONG_FORM)('refuses a second user with the same e-mail address', async () => {
    const data = folder()
    await quoin(['users', 'create', '--email', 'a@b.c', '--data', data])
    expect(await quoin(['users', 'create', '--email', 'a@b.c', '--data', data])).toMatchObject({ code: 1 })
  })

  test.runIf(LONG_FORM)('works while a server runs on the same database', async () => {
    const data = folder()
    const server = startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true'])
    const [, url = ''] = await server.line(/ready at (\S+)\n/)
    const { key } = JSON.parse((await quoin(['keys', 'create', '--name', 'x', '--data', data, '--json'])).out)
    const answer = await fetch(`${url}/users/me`, { headers: { Authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
  })
})

describe('serve', () => {
  test('prints when it is ready, refuses plain HTTP unless allowed, and exits with 0 on SIGTERM', async () => {
    const server = startCommand(['serve', '--data', folder(), '--port', '0'])
    const [, url = ''] = await server.line(/^Quoin is ready at (http:\/\/127\.0\.0\.1:\d+)\n/)
    const healthy = await fetch(`${url}/healthz`)
    expect(healthy.status).toBe(200)
    // Longer than clients and proxies keep a connection, so that they never send into a closing one.
    expect(healthy.headers.get('keep-alive')).toBe('timeout=72')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const refused = await fetch(`${url}/users/me`)
    expect(await refused.json()).toEqual({
      statusCode: 403,
      name: 'forbidden',
      message: 'HTTPS is required.',
    })
    server.kill('SIGTERM')
    const { code, err } = await server.ended
    expect(code).toBe(0)
    expect(err).toContain('QUOIN_ALLOW_HTTP=true')
  })

  test.runIf(LONG_FORM)('warns about a self-signed certificate before it is ready', async () => {
    const data = folder()
    const server = startCommand(['serve', '--data', data, '--port', '0', '--tls', 'self-signed'])
    const [, url = ''] = await server.line(/^Quoin is ready at (https:\/\/127\.0\.0\.1:\d+)\n/)
    expect((await sendRaw(url, '/users/me')).status).toBe(401)
    server.kill('SIGTERM')
    const { code, err } = await server.ended
    expect(code).toBe(0)
    expect(err).toContain(`(${join(data, 'self-signed.pem')}). Browsers and clients warn about it`)
    expect(oneLine(err)).toBe(true)
  })

  test.runIf(LONG_FORM)('refuses two sources of a certificate', async () => {
    const args = [
      'serve',
      '--data',
      folder(),
      '--tls',
      'self-signed',
      '--tls-cert',
      'a.pem',
      '--tls-key',
      'b.pem',
    ]
    const { code, out, err } = await quoin(args)
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining('--tls (QUOIN_TLS): '),
    })
    expect(oneLine(err)).toBe(true)
  })
})
