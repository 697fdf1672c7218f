import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inUtc, readLocalDate } from '../domain/date.ts'

/** When a file came into being and when it was last edited. ISO 8601 UTC. */
export interface FileDates {
  readonly created: string
  readonly edited: string
}

/** Older commits are not read: files that are in none of these have the time of the file. */
const MAX_COMMITS = 20_000
/** Bytes that git may print. */
const MAX_OUTPUT = 256 * 1024 * 1024
const TIMEOUT_MS = 30_000

/**
 * The dates of the files of a content folder: those of the first and the last commit, so that every clone builds the same
 * site. A file that is not committed as it is, and any file outside of a repository or in a shallow clone, has its own
 * times. Git is asked once, when the first date is needed.
 *
 * @param folder the content folder.
 */
export function fileDates(folder: string): (source: string) => FileDates {
  let commits: ReadonlyMap<string, FileDates> | null = null
  return (source) => {
    commits ??= committedDates(folder)
    return commits.get(source) ?? ownDates(join(folder, source))
  }
}

function ownDates(file: string): FileDates {
  const { mtime, birthtime } = statSync(file)
  const edited = mtime.toISOString()
  const created = birthtime.getTime() > 0 ? birthtime.toISOString() : edited
  // A copy is younger than the time of its last edit, which it keeps.
  return { created: created < edited ? created : edited, edited }
}

/** Dates of the files that are as they were committed, by their path in the folder. */
function committedDates(folder: string): ReadonlyMap<string, FileDates> {
  const dates = new Map<string, FileDates>()
  if (git(folder, 'rev-parse', '--is-shallow-repository')?.trim() !== 'false') return dates
  const changed = git(
    folder,
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--',
    '.',
  )
  const prefix = git(folder, 'rev-parse', '--show-prefix')?.trim()
  const log = git(
    folder,
    ...['log', `--max-count=${MAX_COMMITS}`, '--format=%x01%cI', '--name-only', '--no-renames', '-z'],
    ...['--relative', '--', '.'],
  )
  if (changed === null || log === null || prefix === undefined) return dates
  for (const commit of log.split('\x01').slice(1)) {
    const [date = '', ...names] = commit.split(/\0\n?|\n/)
    const day = readLocalDate(date)
    if (day === null) continue
    const created = inUtc(day)
    for (const name of names)
      if (name !== '') dates.set(name, { edited: dates.get(name)?.edited ?? created, created })
  }
  // `XY path`, relative to the repository.
  for (const entry of changed.split('\0')) dates.delete(entry.slice('XY '.length + prefix.length))
  return dates
}

/** The output of a git command in the folder; null when it fails, e.g. because git is not installed. */
function git(folder: string, ...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(
    'git',
    ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
      timeout: TIMEOUT_MS,
      // Builds run next to other git commands: none waits for a lock of this one.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return status === 0 ? stdout : null
}
