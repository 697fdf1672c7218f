import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inUtc, readLocalDate } from '../domain/date.ts'
import { type Git, gitIn } from './git.ts'

/** Times of the creation and the last edit of a file. ISO 8601 UTC. */
export interface FileDates {
  readonly created: string
  readonly edited: string
}

/** Older commits are not read: a file in none of these commits gets the times of the file system. */
const MAX_COMMITS = 20_000

/**
 * The dates of the files of a content folder: the dates of the first and the last commit, so that every clone builds
 * the same site. A file with uncommitted changes, outside of a repository or in a shallow clone gets the times of the
 * file system. Git runs once, when the first date is needed, and once more for its history when a file has no
 * uncommitted changes.
 *
 * @param folder the content folder.
 */
export function fileDates(folder: string): (source: string) => FileDates {
  const git = gitIn(folder)
  let repository: Repository | null | undefined
  let commits: ReadonlyMap<string, FileDates> | undefined
  return (source) => {
    repository = repository === undefined ? repositoryOf(git) : repository
    const isCommitted = repository !== null && !isChanged(source, repository)
    if (isCommitted) commits ??= committedDates(git)
    return (isCommitted ? commits?.get(source) : undefined) ?? ownDates(join(folder, source))
  }
}

function ownDates(file: string): FileDates {
  const { mtime, birthtime } = statSync(file)
  const edited = mtime.toISOString()
  const created = birthtime.getTime() > 0 ? birthtime.toISOString() : edited
  // A copy is younger than the time of its last edit, which it keeps.
  return { created: created < edited ? created : edited, edited }
}

interface Repository {
  /** The path of the content folder in the repository, with a trailing slash; empty at the top. */
  readonly prefix: string
  /** Paths in the repository of files with changes that are not committed, and of untracked folders with a slash. */
  readonly changed: ReadonlySet<string>
}

/** Returns null outside of a repository, and for a shallow clone, which lacks the first commits of most files. */
function repositoryOf(git: Git): Repository | null {
  const [isShallow, prefix = ''] =
    git('rev-parse', '--is-shallow-repository', '--show-prefix')?.split('\n') ?? []
  if (isShallow !== 'false') return null
  const entries = git(
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignore-submodules=all',
    '--',
    '.',
  )
  // `XY path`
  if (entries === null) return null
  return { prefix, changed: new Set(entries.split('\0').map((entry) => entry.slice('XY '.length))) }
}

function isChanged(source: string, { prefix, changed }: Repository): boolean {
  const steps = `${prefix}${source}`.split(/(?<=\/)/)
  return steps.some((_, index) => changed.has(steps.slice(0, index + 1).join('')))
}

/** Dates of all files that commits name, by their path in the folder. */
function committedDates(git: Git): ReadonlyMap<string, FileDates> {
  const dates = new Map<string, FileDates>()
  const log = git(
    ...['log', `--max-count=${MAX_COMMITS}`, '--format=%x01%cI', '--name-only', '--no-renames', '-z'],
    ...['--relative', '--', '.'],
  )
  for (const commit of log?.split('\x01').slice(1) ?? []) {
    const [date = '', ...names] = commit.split(/\0\n?|\n/)
    const day = readLocalDate(date)
    if (day === null) continue
    const created = inUtc(day)
    for (const name of names)
      if (name !== '') dates.set(name, { edited: dates.get(name)?.edited ?? created, created })
  }
  return dates
}
