import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PACKAGE_ROOT, version } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { type Installation, packedInstallation } from '../support/installation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let quoin: Installation
beforeAll(async () => {
  quoin = await packedInstallation(true)
})
afterAll(() => quoin.remove())

/** As `npm create quoin` installs and runs it. */
async function createQuoin(cwd: string, ...args: readonly string[]) {
  const packages = join(await temporaryFolder(), 'node_modules')
  await mkdir(packages)
  await cp(join(PACKAGE_ROOT, 'scripts/create-quoin'), join(packages, 'create-quoin'), { recursive: true })
  await symlink(quoin.folder, join(packages, 'quoin'))
  return startCommand(args, {}, join(packages, 'create-quoin/create-quoin.js'), cwd).ended
}

test('npm create quoin creates a site that builds with the version that it pins', async () => {
  const folder = await temporaryFolder()
  const created = await createQuoin(folder, 'My Docs', '--template', 'docs')
  expect(created).toMatchObject({ code: 0, err: '' })
  expect(created.out).toContain('npm install\nnpm run dev\n')
  const site = join(folder, 'My Docs')
  const manifest = JSON.parse(await readFile(join(site, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'my-docs', devDependencies: { quoin: version() } })
  const [, ...build] = manifest.scripts.build.split(' ')
  expect(await startCommand(build, {}, quoin.program, site).ended).toMatchObject({ code: 0, err: '' })
  expect(await readFile(join(site, 'dist/index.html'), 'utf8')).toContain('My Docs')
})

test('npm create quoin leaves a package that exists alone, and passes on what quoin init refuses', async () => {
  const folder = await temporaryFolder()
  expect(await createQuoin(folder, 'site', '--template', 'none')).toMatchObject({
    code: 2,
    err: expect.stringContaining("'none'"),
  })
  await writeFile(join(folder, 'package.json'), '{}')
  expect(await createQuoin(folder)).toMatchObject({ code: 2, err: expect.stringContaining('exists') })
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('{}')
})

test('create-quoin and the package that it installs have one version', async () => {
  const own = JSON.parse(await readFile(join(PACKAGE_ROOT, 'scripts/create-quoin/package.json'), 'utf8'))
  expect([own.version, own.dependencies.quoin]).toEqual([version(), version()])
})
