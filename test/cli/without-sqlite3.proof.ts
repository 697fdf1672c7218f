import { cp } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { type Installation, installationWithout } from '../support/installation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

/** As npm 12 installs the package: the script that brings the binary of sqlite3 did not run. */
let installation: Installation
/** As npm leaves it when that script failed. */
let leftOut: Installation
beforeAll(async () => {
  ;[installation, leftOut] = await Promise.all([
    installationWithout('sqlite3'),
    installationWithout('sqlite3'),
  ])
  await cp(join(PACKAGE_ROOT, 'node_modules/sqlite3'), join(installation.folder, 'node_modules/sqlite3'), {
    recursive: true,
    filter: (path) => !/sqlite3\/(?:build|deps)$/.test(path),
  })
})
afterAll(() => Promise.all([installation.remove(), leftOut.remove()]))

const HAS_NODE_SQLITE = isBuiltin('node:sqlite')

test('a site is built, with nothing on standard error', async () => {
  const folder = join(await temporaryFolder(), 'site')
  expect(await quoin(['init', folder]).ended).toMatchObject({ code: 0, err: '' })
  const built = await quoin(['build', folder, '--out', `${folder}-out`, '--url', 'https://a.example']).ended
  expect([built.code, built.err]).toEqual([0, ''])
})

test.skipIf(!HAS_NODE_SQLITE)(
  'a server uses the SQLite of Node, says so, publishes, is backed up, restored and verified',
  async () => {
    const folder = await temporaryFolder()
    const env = { QUOIN_DATA: join(folder, 'data'), QUOIN_PORT: '0', QUOIN_ALLOW_HTTP: 'true' }
    const created = await quoin(['keys', 'create', '--name', 'test', '--json'], env).ended
    expect([created.code, created.err]).toEqual([0, expect.not.stringContaining('Experimental')])

    const service = quoin(['serve'], env)
    const [, url = ''] = await service.line(
      /ready at (\S+) with SQLite of Node [\d.]+, because the module sqlite3 cannot be loaded/,
    )
    await writeFiles(join(folder, 'site'), {
      'site.yaml': 'name: Shop\nurl: https://shop.example\n',
      'index.md': '---\ntitle: Home\n---\nHello.\n',
    })
    const access = { QUOIN_KEY: JSON.parse(created.out).key, QUOIN_URL: url }
    expect(await quoin(['push', join(folder, 'site'), '--publish'], access).ended).toMatchObject({ code: 0 })
    const backup = ['backup', '--to', join(folder, 'backup')]
    const passphrase = { QUOIN_BACKUP_PASSPHRASE: 'correct horse battery staple' }
    expect(await quoin(backup, { ...env, ...passphrase }).ended).toMatchObject({ code: 0 })
    service.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, err: expect.not.stringContaining('Experimental') })
    expect(await quoin(['verify'], env).ended).toMatchObject({ code: 0 })

    const restored = { ...env, ...passphrase, QUOIN_DATA: join(folder, 'restored') }
    expect(await quoin(['restore', '--from', join(folder, 'backup')], restored).ended).toMatchObject({
      code: 0,
    })
    expect(await quoin(['verify'], restored).ended).toMatchObject({ code: 0 })
  },
)

test.skipIf(!HAS_NODE_SQLITE)(
  'the doctor names the tables of a file that is too large to be read',
  async () => {
    const env = { QUOIN_DATA: await temporaryFolder() }
    expect((await quoin(['keys', 'create', '--name', 'test'], env).ended).code).toBe(0)
    const { writer, close } = openSqlite(join(env.QUOIN_DATA, 'quoin.db'))
    await writer.raw('CREATE TABLE large AS SELECT zeroblob(300 * 1024 * 1024) AS bytes')
    await close()
    const { out } = await quoin(['doctor', '--json', '--no-network'], env).ended
    expect(JSON.parse(out).findings).toContainEqual({
      check: 'database',
      level: 'warning',
      message: expect.stringMatching(/^Tables that are too large to be read for damage here: .*pages.*\.$/),
      remedy: 'Run PRAGMA quick_check on a backup.',
    })
  },
)

test.skipIf(HAS_NODE_SQLITE).each([
  [
    'whose install script did not run',
    () => installation,
    /Use Node 22\.13 or later, .* npm install-scripts approve sqlite3/,
  ],
  [
    'which npm left out',
    () => leftOut,
    /npm install --no-save sqlite3@\d+\.\d+\.\d+ --foreground-scripts shows why/,
  ],
])('a server without a binary of sqlite3, %s, says how to get one, in one line', async (_, which, remedy) => {
  const env = { QUOIN_DATA: await temporaryFolder(), QUOIN_PORT: '0', QUOIN_ALLOW_HTTP: 'true' }
  const { code, err } = await startCommand(['serve'], env, which().program).ended
  expect([code, err.trimEnd().split('\n')]).toEqual([2, [expect.stringMatching(remedy)]])
})

function quoin(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startCommand(args, env, installation.program)
}
