import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { type Installation, packed, packedInstallation, productionPackages } from '../support/installation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MB = 1_000_000

describe('the package that npm packs', () => {
  const { size, files } = packed()
  const paths = files.map(({ path }) => path)

  test('takes at most 4.5 MB', () => {
    expect(size).toBeLessThanOrEqual(4.5 * MB)
  })

  test('has no sources, tests, caches of a Node version, and types of the client only', () => {
    const allowed =
      /^(dist\/[\w-]+\.js|dist\/chunk-[\w.-]+\.js|dist\/build-program\.cjs|dist\/THIRD-PARTY\.txt|dist\/client\/[\w.-]+\.(js|d\.ts)|dist\/schemas\/\w+\.schema\.json|themes\/.+|templates\/.+|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/
    expect(paths.filter((path) => !allowed.test(path))).toEqual([])
    expect(paths.filter((path) => path.startsWith('dist/client/')).length).toBeGreaterThan(10)
  })

  test('names the licence of every package that its bundles contain', () => {
    const notices = readFileSync(join(PACKAGE_ROOT, 'dist/THIRD-PARTY.txt'), 'utf8')
    for (const name of ['unified', 'zod', 'koa', '@aws-sdk/client-s3', '@codemirror/view'])
      expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, 'm'))
    expect(notices).not.toContain('undefined')
  })

  test.each([
    { what: 'pictures and SQLite', isOptionalOmitted: false, limit: 100 },
    { what: 'only what is required', isOptionalOmitted: true, limit: 60 },
  ])('takes with $what at most $limit MiB of disk', async ({ isOptionalOmitted, limit }) => {
    const packages = await productionPackages(isOptionalOmitted)
    // Where no prebuilt binary fits, sqlite3 is compiled and leaves 17 MiB of intermediate files.
    const sizes = execFileSync(
      'du',
      ['-sk', '-c', '--exclude=obj', '--exclude=obj.target', '--exclude=sqlite3.a', ...packages],
      {
        cwd: join(PACKAGE_ROOT, 'node_modules'),
        encoding: 'utf8',
      },
    )
    const [, kibibytes = ''] = /^(\d+)\ttotal$/m.exec(sizes) ?? []
    const own = files.reduce((sum, file) => sum + file.size, 0)
    expect(Number(kibibytes) / 1024 + own / 2 ** 20).toBeLessThanOrEqual(limit)
  })
})

describe.each([
  { what: 'with everything', isOptionalOmitted: false },
  { what: 'without optional packages', isOptionalOmitted: true },
])('an installation $what', ({ isOptionalOmitted }) => {
  let installation: Installation
  beforeAll(async () => {
    installation = await packedInstallation(isOptionalOmitted)
  })
  afterAll(() => installation.remove())
  const quoin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startCommand(args, env, installation.program)

  test('creates, checks and builds a site, and deploys it to a folder', async () => {
    const folder = join(await temporaryFolder(), 'site')
    const out = `${folder}-out`
    for (const args of [
      ['init', folder],
      ['build', folder, '--out', out, '--url', 'https://a.example'],
      ['deploy', out, '--to', `file:${folder}-live`],
      ['schema', 'site'],
    ])
      expect(await quoin(args).ended, args.join(' ')).toMatchObject({ code: 0, err: '' })
  })

  test('offers the client to programs', async () => {
    const folder = await temporaryFolder()
    const program = join(installation.folder, 'program.mjs')
    await writeFile(
      program,
      "import { createClient } from 'quoin/client'\nconsole.log(typeof createClient)\n",
    )
    expect(execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' })).toBe('function\n')
  })

  test.skipIf(isOptionalOmitted)('runs the demo: a server, its API, publishes and visits', async () => {
    const data = join(await temporaryFolder(), 'data')
    const { code, out } = await quoin(['demo', '--exit'], { QUOIN_DATA: data, QUOIN_PORT: '0' }).ended
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Run it without --exit to open the site: quoin demo'),
    ])
  })
})

test('a bill of materials names what is installed and what is bundled, with digests and licences', () => {
  const { components } = JSON.parse(
    execFileSync(process.execPath, [join(PACKAGE_ROOT, 'scripts/sbom.mjs')], { encoding: 'utf8' }),
  ) as { components: readonly { name: string; hashes?: unknown[]; licenses?: unknown[] }[] }
  const names = components.map(({ name }) => name)
  // Installed, bundled into a command, bundled into a page of the dashboard.
  for (const name of ['knex', 'zod', '@codemirror/view']) expect(names).toContain(name)
  expect(names).not.toContain('vitest')
  const unknown = components.filter(({ hashes = [], licenses = [] }) => hashes.length * licenses.length === 0)
  expect(unknown).toEqual([])
})
