import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { newMasterKey } from '../../src/secrets/master-key.ts'
import { CHROMIUM, launchChromium } from '../browser/chromium.ts'
import { addAuthenticator, addPasskey } from '../browser/passkey.ts'
import { startCommand } from '../support/command.ts'
import { PASSWORD, visitor } from '../support/dashboard.ts'
import { freePort } from '../support/free-port.ts'
import { sharpIfInstalled } from '../support/pictures.ts'
import { postgresPrograms, startPostgres } from '../support/postgres.ts'
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts'
import { startMailServer } from '../support/smtp.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* One installation for all: the packed archive, in an empty project, with only what npm brings for it. */

/** What npm says where it reaches no registry. */
const NO_REGISTRY =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|EIDLETIMEOUT)\b/
const SQLITE_BINARY = 'node_modules/sqlite3/build/Release/node_sqlite3.node'

let folder = ''
/** Why there is no installation; null when there is one. */
let missing: string | null = null

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quoin-installed-'))
  missing = await install(folder)
  if (missing !== null) console.info(`Skipped: an installation from the packed archive. ${missing}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Installs the packed package into an empty project. @returns why that is not possible here; null when it is done. */
async function install(project: string): Promise<string | null> {
  const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', args, { cwd })
  await npm(PACKAGE_ROOT, 'pack', '--ignore-scripts', '--silent', '--pack-destination', project)
  const [archive = ''] = await readdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true }\n')
  try {
    // The script of sqlite3 may compile for minutes; its result is copied below.
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1']
    await npm(project, 'install', ...flags, `./${archive}`)
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    const [code] = NO_REGISTRY.exec(stderr) ?? []
    if (code === undefined) throw error
    return `npm reaches no registry (${code}).`
  }
  if (isBuiltin('node:sqlite')) return null
  await mkdir(dirname(join(project, SQLITE_BINARY)), { recursive: true })
  await copyFile(join(PACKAGE_ROOT, SQLITE_BINARY), join(project, SQLITE_BINARY))
  return null
}

const quoin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startCommand(args, env, join(folder, 'node_modules/quoin/dist/cli.js'), folder)

test('an installation builds a site with coloured code, formulas and smaller pictures, and deploys it to a bucket', async ({
  skip,
}) => {
  if (missing !== null) return skip(missing)
  const bucket = await startS3Server()
  onTestFinished(() => bucket.close())
  const [site, out] = ['site', 'out'].map((name) => join(folder, name)) as [string, string]
  expect(await quoin(['init', site]).ended).toMatchObject({ code: 0, err: '' })
  await writeFile(join(site, 'photo.png'), await photo())
  await writeFile(
    join(site, 'page.md'),
    '---\ntitle: A page\n---\n\n```js\nconst answer = 42\n```\n\n$$x^2$$\n\n![A photo](photo.png)\n',
  )
  expect(await quoin(['build', site, '--out', out, '--url', 'https://a.example']).ended).toMatchObject({
    code: 0,
    err: '',
  })
  const html = await readFile(join(out, 'page/index.html'), 'utf8')
  expect(html).toMatch(/<span class="[^"]+">const<\/span>/)
  expect(html).toContain('<math')
  expect(html).toMatch(/srcset="[^"]+ 640w/)
  const url = bucket.url()
  const deployed = await quoin(['deploy', out, '--to', url], S3_CREDENTIALS).ended
  expect(deployed).toMatchObject({ code: 0, err: '' })
})

test('an installation serves on SQLite: it publishes the demo and answers its visitors', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const env = { QUOIN_DATA: await temporaryFolder(), QUOIN_PORT: '0' }
  const { code, out } = await quoin(['demo', '--exit'], env).ended
  expect([code, out]).toEqual([0, expect.stringContaining('Run it without --exit to open the site')])
})

test('an installation serves on PostgreSQL: mails arrive, pictures get smaller ones, passkeys open the dashboard', async ({
  skip,
}) => {
  if (missing !== null) return skip(missing)
  const programs = postgresPrograms()
  if (programs === null) return skip('The programs of PostgreSQL are missing.')
  const postgres = await startPostgres(programs)
  onTestFinished(() => postgres.stop())
  const mailbox = await startMailServer()
  onTestFinished(() => mailbox.close())
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    QUOIN_DATA: await temporaryFolder(),
    QUOIN_DATABASE_URL: postgres.url,
    QUOIN_MASTER_KEY: newMasterKey(),
    QUOIN_PORT: String(port),
    QUOIN_BASE_URL: url,
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_SMTP_URL: `smtp://quoin:p%40ss@127.0.0.1:${mailbox.port}`,
    QUOIN_MAIL_FROM: 'quoin@example.com',
  }
  const service = quoin(['serve'], env)
  const [, token = ''] = await service.line(/set-up\?token=(\S+)/)
  const guest = visitor({ url })
  const set = await guest.post('/dashboard/set-up', { link: token, password: PASSWORD, again: PASSWORD })
  const [cookie = ''] = (set.headers.get('set-cookie') ?? '').split(';')
  expect(set.status).toBe(303)

  expect(await quoin(['users', 'create', '--email', 'ada@example.com'], env).ended).toMatchObject({ code: 0 })
  await guest.post('/dashboard/forgotten', { email: 'ada@example.com' })
  await expect.poll(() => mailbox.mails.map(({ to }) => to)).toEqual(['ada@example.com'])

  const created = JSON.parse((await quoin(['keys', 'create', '--name', 'test', '--json'], env).ended).out)
  const call = async (
    method: string,
    path: string,
    type: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ) => {
    const headers = { Authorization: `Bearer ${created.key}`, 'Content-Type': type }
    const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
    return (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> }
  }
  const project = await call('POST', '/projects', 'application/json', '{"name":"A site"}')
  const path = `/projects/${project.data['id']}/assets?name=photo.png`
  const asset = await call('POST', path, 'image/png', await photo())
  await expect
    .poll(() => call('GET', `/assets/${asset.data['id']}`, 'image/png'))
    .toMatchObject({ data: { status: 'ready', variants: expect.arrayContaining([expect.anything()]) } })

  const examined = await quoin(['doctor', '--json'], env).ended
  const { findings } = JSON.parse(examined.out) as {
    readonly findings: readonly { readonly level: string }[]
  }
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])

  if (CHROMIUM !== null) await passkeyOpens(url, cookie)
  service.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0 })
})

/** Adds a passkey to the account of a session, and signs in with it. */
async function passkeyOpens(url: string, cookie: string): Promise<void> {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext()
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  await addAuthenticator(page)
  await page.goto(`${url}/dashboard/account/passkeys`)
  await addPasskey(page)
  await context.clearCookies()
  await page.goto(`${url}/dashboard/keys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/dashboard/keys`)
}

async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await sharpIfInstalled()
  if (sharp === null) throw new Error('The tests of pictures need sharp.')
  const create = { width: 1600, height: 1200, channels: 3, background: '#3a6' } as const
  return new Uint8Array(await sharp({ create }).png().toBuffer())
}
