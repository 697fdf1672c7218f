import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DOMAIN = 'quoin.example.com'
const isInstalled = (program: string) => spawnSync('which', [program]).status === 0

async function setUp(...flags: string[]) {
  const folder = join(await temporaryFolder(), 'server')
  const data = await temporaryFolder()
  const ended = await startCommand(['setup', folder, '--data', data, '--json', ...flags]).ended
  expect([ended.code, ended.err]).toEqual([0, ''])
  const { files, steps, warnings } = JSON.parse(ended.out)
  const text = (name: string) => readFile(join(folder, name), 'utf8')
  return { folder, data, files, steps, warnings, text }
}

test('the service starts as the unit says, with the written settings, and doctor finds no error', async () => {
  const port = String(await freePort())
  const { data, folder, text, steps } = await setUp('--domain', DOMAIN, '--port', port)
  const unit = await text('quoin.service')
  const [, node = '', program = ''] = /^ExecStart=(\S+) (\S+) serve$/m.exec(unit) ?? []
  expect(node).toBe(process.execPath)
  expect(unit).toContain(`ReadWritePaths=${data}\n`)
  const config = join(folder, 'quoin.config.yaml')
  expect((await stat(config)).mode & 0o777).toBe(0o600)
  const service = startCommand(['serve'], { QUOIN_CONFIG: config }, program)
  await service.line(/Quoin is ready at https:\/\/quoin\.example\.com/)
  expect(service.err()).toBe('')
  const answer = await fetch(`http://127.0.0.1:${port}/users/me`, {
    headers: { 'X-Forwarded-Proto': 'https' },
  })
  expect(answer.status).toBe(401)
  expect(await readdir(data)).toContain('quoin.db')
  const doctor = await startCommand(['doctor', '--config', config, '--no-network']).ended
  expect([doctor.code, doctor.out]).toEqual([0, expect.stringMatching(/\n0 errors, 0 warnings\.\n$/)])
  expect(steps.join('\n')).toContain('doctor --config /etc/quoin/quoin.config.yaml')
  service.kill('SIGTERM')
  expect((await service.ended).code).toBe(0)
})

test('a program in a home folder is warned about, as the service may be unable to read it', async () => {
  const home = await setUp('--domain', DOMAIN, '--program', '/home/ada/.local/bin/quoin')
  expect(home.warnings.join()).toContain(
    'unable to read /home/ada/.local/bin/quoin. Install Quoin for all users',
  )
  const shared = await setUp('--domain', DOMAIN, '--program', '/usr/local/bin/quoin')
  expect(shared.warnings.join()).not.toContain('quoin. Install Quoin')
})

test('a program among the packages of a project is warned about, as npm changes or removes it', async () => {
  const warned = async (program: string) =>
    (await setUp('--domain', DOMAIN, '--program', program)).warnings.join().includes('a package of a project')
  expect(await warned('/srv/site/node_modules/quoin/dist/cli.js')).toBe(true)
  expect(await warned('/usr/lib/node_modules/site/node_modules/quoin/dist/cli.js')).toBe(true)
  expect(await warned('/usr/local/lib/node_modules/quoin/dist/cli.js')).toBe(false)
})

test('with PostgreSQL a master key is created, because each machine would create another', async () => {
  const { text } = await setUp(
    '--domain',
    DOMAIN,
    '--database-url',
    'postgres://quoin:secret@db.internal/quoin',
  )
  const [, key = ''] = /^master_key: (\S+)$/m.exec(await text('quoin.config.yaml')) ?? []
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  expect(await text('quoin.service')).not.toContain('secret')
})

test('with certificates that the service orders, it may listen at the ports of the web, and no proxy is written', async () => {
  const flags = ['--domain', DOMAIN, '--https', 'acme', '--email', 'ada@example.com', '--agree-to-terms']
  const { files, text, folder } = await setUp(...flags)
  expect(files).toEqual(['quoin.config.yaml', 'quoin.service'])
  expect(parse(await text('quoin.config.yaml'))).toMatchObject({
    base_url: `https://${DOMAIN}`,
    host: '0.0.0.0',
    port: 443,
    tls: 'acme',
    acme_terms: 'agreed',
    acme_email: 'ada@example.com',
  })
  expect(await text('quoin.service')).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE\n')
  const doctor = ['doctor', '--config', join(folder, 'quoin.config.yaml'), '--no-network', '--json']
  const { findings } = JSON.parse((await startCommand(doctor).ended).out)
  expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
})

test('flags that cannot be used are refused by name, and nothing is written', async () => {
  const folder = join(await temporaryFolder(), 'server')
  const refused = async (...flags: string[]) => {
    const { code, err } = await startCommand(['setup', folder, ...flags]).ended
    expect(code).toBe(2)
    return err
  }
  expect(await refused()).toMatch(/^quoin: --domain: must be a domain name/)
  expect(await refused('--domain', DOMAIN, '--data', 'relative')).toMatch(/--data: must be an absolute path/)
  expect(await refused('--domain', DOMAIN, '--user', 'a b')).toMatch(
    /--user: must be the name of a system user/,
  )
  expect(await refused('--domain', DOMAIN, '--email', 'a} b')).toMatch(/--email: must be an e-mail address/)
  expect(await refused('--domain', DOMAIN, '--https', 'quoin')).toMatch(
    /--tls-cert and --tls-key: are needed/,
  )
  expect(await refused('--domain', DOMAIN, '--https', 'acme')).toMatch(/^quoin: --agree-to-terms: is needed/)
  expect(await refused('--domain', DOMAIN, '--storage-url', 's3:')).toMatch(
    /^quoin: --storage-url \(QUOIN_STORAGE_URL\): /,
  )
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test.skipIf(!isInstalled('systemd-analyze'))(
  'systemd accepts the unit and finds little to restrict',
  async () => {
    const { folder } = await setUp('--domain', DOMAIN)
    const unit = join(folder, 'quoin.service')
    const checked = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    const found = execFileSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    expect(Number(/exposure level for quoin\.service: ([\d.]+)/.exec(found)?.[1])).toBeLessThan(2)
  },
)

test.skipIf(!isInstalled('nginx'))('nginx accepts its site', async () => {
  const { folder, text } = await setUp(
    '--domain',
    DOMAIN,
    '--sites-domain',
    'sites.example.com',
    '--https',
    'nginx',
  )
  const certificates = join(folder, 'live')
  for (const name of [DOMAIN, 'sites.example.com']) {
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }])
    await mkdir(join(certificates, name), { recursive: true })
    await writeFile(join(certificates, name, 'fullchain.pem'), cert)
    await writeFile(join(certificates, name, 'privkey.pem'), key)
  }
  const site = (await text('nginx.conf')).replaceAll('/etc/letsencrypt/live', certificates)
  const whole = `pid ${folder}/pid;\nevents {}\nhttp {\n${site}}\n`
  await writeFile(join(folder, 'whole.conf'), whole)
  const args = ['-t', '-q', '-p', folder, '-c', join(folder, 'whole.conf'), '-e', 'stderr']
  const checked = spawnSync('nginx', args, { encoding: 'utf8' })
  // Newer versions than the oldest that is supported would rather have http2 in a line of its own.
  const errors = checked.stderr.split('\n').filter((line) => /\[(emerg|alert|error)\]/.test(line))
  expect([checked.status, errors]).toEqual([0, []])
})

test.skipIf(!isInstalled('caddy'))(
  'Caddy serves the API and sites with the written file, and gets certificates for their names alone',
  async () => {
    const [port, https, http] = [await freePort(), await freePort(), await freePort()]
    const names = ['--domain', DOMAIN, '--sites-domain', 'sites.example.com', '--email', 'owner@example.com']
    const { folder } = await setUp(...names, '--port', String(port))
    const service = startCommand(['serve'], { QUOIN_CONFIG: join(folder, 'quoin.config.yaml') })
    await service.line(/Quoin is ready/)
    const key = await startCommand([
      'keys',
      'create',
      '--name',
      'k',
      '--json',
      '--config',
      join(folder, 'quoin.config.yaml'),
    ]).ended
    // Its own authority issues the certificates, and other ports are free for everyone.
    const own = `{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${folder}/caddy\n}\n\nold.example.com {\n\trespond "old"\n}\n`
    const caddyfile = join(folder, 'etc/Caddyfile')
    expect(await addToCaddy(folder, caddyfile, own)).toMatchObject({ status: 0, stderr: '' })
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', caddyfile], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdio: 'ignore',
    })
    onTestFinished(() => void caddy.kill('SIGKILL'))
    const call = (host: string, path: string, options: object = {}, body?: string) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const target = { host: '127.0.0.1', port: https, servername: host, path, rejectUnauthorized: false }
        const headers = {
          Host: host,
          Authorization: `Bearer ${JSON.parse(key.out).key}`,
          'Content-Type': 'application/json',
        }
        const asked = request({ ...target, headers, ...options }, async (answer) =>
          resolve({ status: answer.statusCode ?? 0, body: (await answer.toArray()).join('') }),
        )
        asked.on('error', reject)
        asked.end(body)
      })
    await expect
      .poll(() => call(DOMAIN, '/healthz').catch(() => null), { timeout: 60_000 })
      .toMatchObject({ status: 200 })
    const created = await call(DOMAIN, '/projects', { method: 'POST' }, '{"name":"One"}')
    expect(created.status).toBe(201)
    const project = `/projects/${JSON.parse(created.body).data.id}`
    const hosted = await call(DOMAIN, project, { method: 'PUT' }, '{"hosting":{"subdomain":"one"}}')
    expect(hosted.status).toBe(200)
    expect((await call('one.sites.example.com', '/')).status).toBe(404)
    expect((await call('old.example.com', '/')).body).toBe('old')
    await expect(call('two.sites.example.com', '/')).rejects.toThrow()
    await expect(call('www.example.org', '/')).rejects.toThrow()
    for (const path of ['/metrics', '/internal/tls-ask?domain=x.y'])
      expect(await call(DOMAIN, path)).toEqual({ status: 404, body: '' })
  },
)

/** Runs the written script on a Caddyfile with this text; null for none. */
async function addToCaddy(folder: string, caddyfile: string, before: string | null) {
  await mkdir(dirname(caddyfile), { recursive: true })
  if (before !== null) await writeFile(caddyfile, before)
  return spawnSync('sh', [join(folder, 'add-to-caddy.sh'), caddyfile], { encoding: 'utf8' })
}

describe.skipIf(!isInstalled('caddy'))('a Caddyfile that exists', () => {
  test.each([
    '# Mine\n\n:8081 {\n\trespond "mine"\n}\n',
    '{\n\temail ada@example.com\n}\n:8081 {\n\trespond "mine"\n}\n',
    '# Nothing yet\n',
    null,
  ])('keeps all that it has, and imports the files of Quoin once: %j', async (before) => {
    const { folder } = await setUp('--domain', DOMAIN, '--email', 'owner@example.com')
    const caddyfile = join(folder, 'etc/Caddyfile')
    const added = await addToCaddy(folder, caddyfile, before)
    expect([added.status, added.stdout]).toEqual([0, ''])
    const text = await readFile(caddyfile, 'utf8')
    for (const line of before?.split('\n') ?? []) expect(text.split('\n')).toContain(line)
    const again = await addToCaddy(folder, caddyfile, null)
    expect([again.status, await readFile(caddyfile, 'utf8')]).toEqual([0, text])
    const adapted = JSON.parse(
      execFileSync('caddy', ['adapt', '--adapter', 'caddyfile', '--config', caddyfile], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    expect(JSON.stringify(adapted.apps.tls.automation.on_demand)).toContain('/internal/tls-ask')
    // An address that the file had wins.
    const email = before?.includes('ada@') ? 'ada@example.com' : 'owner@example.com'
    expect(JSON.stringify(adapted.apps.tls).match(/[a-z]+@example\.com/g)).toEqual(
      expect.arrayContaining([email]),
    )
    const routes = JSON.stringify(adapted.apps.http)
    expect(routes).toContain(DOMAIN)
    if (before?.includes('respond')) expect(routes).toContain('mine')
  })

  test('is as it was when Caddy refuses the result, and the script says what to do', async () => {
    const { folder } = await setUp('--domain', DOMAIN)
    const caddyfile = join(folder, 'etc/Caddyfile')
    const before = `${DOMAIN} {\n\trespond "mine"\n}\n`
    const added = await addToCaddy(folder, caddyfile, before)
    expect([added.status, added.stderr]).toEqual([1, expect.stringContaining('so it is as it was. Import ')])
    expect(await readFile(caddyfile, 'utf8')).toBe(before)
    expect((await readdir(dirname(caddyfile))).sort()).toEqual(['Caddyfile', 'quoin'])
  })
})
