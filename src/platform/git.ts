import { execFile } from 'node:child_process'

/** A commit. */
interface Commit {
  readonly id: string
  /** When it was committed, ISO 8601 UTC. */
  readonly committedAt: string
}

/** Longest time that a command of Git may take. */
const TIME_LIMIT_MS = 10_000

/** The commit that is checked out in a folder; null without Git, a repository or a commit. */
export async function headCommit(folder: string): Promise<Commit | null> {
  // Plumbing: it runs no program that the configuration of the repository names.
  const text = (await git(folder, 'cat-file', '-p', 'HEAD')).output
  const [id] = (await git(folder, 'rev-parse', '--verify', 'HEAD^{commit}')).output.split('\n')
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(text) ?? []
  if (!id || seconds === undefined) return null
  return { id, committedAt: new Date(Number(seconds) * 1000).toISOString() }
}

/** Compares a commit with the one that is checked out: `ancestor` for the same or an earlier one, `unknown` in a clone that lacks it. */
export async function ancestryOf(folder: string, commit: string): Promise<'ancestor' | 'other' | 'unknown'> {
  const { code } = await git(folder, 'merge-base', '--is-ancestor', commit, 'HEAD')
  if (code === 0) return 'ancestor'
  // A shallow clone may have both commits, and not those between them.
  const isShallow = (await git(folder, 'rev-parse', '--is-shallow-repository')).output.trim() === 'true'
  return code === 1 && !isShallow ? 'other' : 'unknown'
}

interface Ended {
  /** Exit code; null when Git could not be started or was killed. */
  readonly code: number | null
  readonly output: string
}

function git(folder: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: TIME_LIMIT_MS, encoding: 'utf8' } as const
    execFile('git', args, options, (error, output) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, output: error === null ? output : '' })
    })
  })
}
