import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileDates } from '../../src/site-build/file-dates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function git(folder: string, args: readonly string[], input = ''): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: folder, input, encoding: 'utf8' }).trim()
}

/** A content folder that is a repository, and a program that leaves a trace when it runs. */
async function repository() {
  const folder = await temporaryFolder()
  const program = join(await temporaryFolder(), 'evil')
  const trace = `${program}.ran`
  await writeFile(program, `#!/bin/sh\necho ran >> ${trace}\nexit 1\n`, { mode: 0o755 })
  git(folder, ['init', '-q'])
  await writeFile(join(folder, 'a.md'), 'One\n')
  git(folder, ['add', '.'])
  git(folder, ['commit', '-qm', 'One'])
  return { folder, program, trace }
}

type Repository = Awaited<ReturnType<typeof repository>>

test.each<[string, (repository: Repository) => Promise<unknown>]>([
  [
    'a filter',
    async ({ folder, program }) => {
      git(folder, ['config', 'filter.a.clean', program])
      git(folder, ['config', 'filter.a.required', 'true'])
      await writeFile(join(folder, '.gitattributes'), '*.md filter=a\n')
      await writeFile(join(folder, 'a.md'), 'Two\n')
    },
  ],
  [
    'a long-running filter whose name has an equals sign',
    async ({ folder, program }) => {
      git(folder, ['config', 'filter.a=b.process', program])
      await writeFile(join(folder, '.gitattributes'), '*.md filter=a=b\n')
      await writeFile(join(folder, 'a.md'), 'Two\n')
    },
  ],
  [
    'a monitor of the file system',
    async ({ folder, program }) => git(folder, ['config', 'core.fsmonitor', program]),
  ],
  [
    'a filter of a submodule',
    async ({ folder, program }) => {
      const inner = join(folder, 'inner')
      await mkdir(inner)
      git(inner, ['init', '-q'])
      await writeFile(join(inner, 'b.md'), 'One\n')
      git(inner, ['add', '.'])
      git(inner, ['commit', '-qm', 'One'])
      git(folder, ['add', '.'])
      git(folder, ['commit', '-qm', 'Two'])
      git(inner, ['config', 'filter.a.clean', program])
      await writeFile(join(inner, '.gitattributes'), '*.md filter=a\n')
      await writeFile(join(inner, 'b.md'), 'Two\n')
    },
  ],
  [
    'a check of signatures',
    async ({ folder, program }) => {
      git(folder, ['config', 'log.showSignature', 'true'])
      git(folder, ['config', 'gpg.program', program])
      const commit = git(folder, ['cat-file', 'commit', 'HEAD'])
      const signature =
        'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n\nOne\n'
      const signed = git(
        folder,
        ['hash-object', '-t', 'commit', '-w', '--stdin'],
        commit.replace(/\n\n.*$/s, `\n${signature}`),
      )
      git(folder, ['reset', '-q', '--soft', signed])
    },
  ],
  [
    'a download of missing objects',
    async ({ folder, program }) => {
      const tree = git(folder, ['rev-parse', 'HEAD^{tree}'])
      git(folder, ['config', 'core.repositoryFormatVersion', '1'])
      git(folder, ['config', 'extensions.partialClone', 'origin'])
      git(folder, ['config', 'remote.origin.promisor', 'true'])
      git(folder, ['config', 'remote.origin.url', folder])
      git(folder, ['config', 'remote.origin.uploadpack', program])
      await rm(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    },
  ],
])('%s that the configuration of a folder names does not run', async (_, prepare) => {
  const made = await repository()
  await prepare(made)
  await rm(made.trace, { force: true })
  fileDates(made.folder)('a.md')
  expect(existsSync(made.trace)).toBe(false)
})
