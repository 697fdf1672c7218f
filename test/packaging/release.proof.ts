import { execFileSync, spawnSync } from 'node:child_process'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.skipIf(!LONG_FORM)('a release is tagged, dated in the changelog, packed and summed, once', async () => {
  const folder = join(await temporaryFolder(), 'quoin')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
  execFileSync('git', ['clone', '--quiet', '--local', PACKAGE_ROOT, folder])
  await symlink(join(PACKAGE_ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.com'],
  ] as const)
    git('config', name, value)
  const release = () =>
    spawnSync(process.execPath, ['scripts/release.mjs', '9.8.7'], { cwd: folder, encoding: 'utf8' })

  await writeFile(join(folder, 'note.txt'), '')
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('has changes') })
  await rm(join(folder, 'note.txt'))

  const done = release()
  expect(done.status, done.stderr).toBe(0)
  expect(git('describe', '--tags')).toBe('v9.8.7')
  expect(git('status', '--porcelain')).toBe('')
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## Unreleased\n\n## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$/m,
  )
  const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: join(folder, 'release'),
    encoding: 'utf8',
  })
  expect(checked.stdout.trim().split('\n')).toEqual([
    'create-quoin-9.8.7.tgz: OK',
    'quoin-9.8.7.tgz: OK',
    'sbom.json: OK',
  ])
  for (const name of ['quoin', 'create-quoin']) {
    const manifest = execFileSync('tar', [
      ...['-xzOf', join(folder, `release/${name}-9.8.7.tgz`), 'package/package.json'],
    ])
    expect(JSON.parse(String(manifest))).toMatchObject({ name, version: '9.8.7' })
  }
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') })
})
