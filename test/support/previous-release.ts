import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The commit of the last release: that of the newest tag or, before the first one, the last commit before a migration
 * was added. Null where the history is not there, as in an archive or a shallow clone.
 */
export function previousCommit(): string | null {
  return tagged() ?? git('log', '-1', '--diff-filter=A', '--format=%P', '--', 'src/db/migrations')
}

/**
 * Builds that commit in a temporary folder, with the packages of this one. It has a version of its own, as each release has:
 * processes of one version must have the same themes.
 *
 * @returns its command.
 */
export async function buildPrevious(commit: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'quoin')
  await mkdir(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['xf', '-'], { cwd: folder, input: archive })
  const manifest = join(folder, 'package.json')
  const described = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(manifest, JSON.stringify({ ...described, version: `${described.version}-previous` }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'pipe' })
  return join(folder, 'dist/cli.js')
}

function tagged(): string | null {
  const tag = git('describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^')
  return tag && git('rev-list', '-1', tag)
}

/** Its output; null when it fails or says nothing. */
function git(...args: readonly string[]): string | null {
  try {
    return (
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || null
    )
  } catch {
    return null
  }
}
