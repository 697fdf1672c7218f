import { lstatSync, type Stats, statSync } from 'node:fs'
import {
  type Entry,
  entriesIn,
  isSameStamp,
  isSure,
  type Stamps,
  stampAt,
  stampOf,
} from './file-fingerprints.ts'

/*
 * Which names stand in the folder that was built into. A folder that is the same by its times holds the
 * same names, so that most of a large site need not be listed again.
 */

/** Folders beneath the one that was built into, and that one, the same place in each list being one of them. */
export interface BuiltFolders {
  readonly paths: readonly string[]
  /** All that each holds. */
  readonly names: readonly string[]
  readonly stamps: Stamps
}

/** Whether each of them holds what it held; a new one stands in the folder above it. */
export function areFoldersSame(out: string, { paths, names, stamps }: BuiltFolders): boolean {
  const now = Date.now()
  return paths.every((path, place) => {
    const folder = at(out, path)
    const stats = statsOf(folder, path)
    if (stats === null) return false
    return isSameStamp(stamps, place, stampOf(stats, now), 0) || namesIn(folder) === names[place]
  })
}

/** What is known of the files in the folder that was built into. */
export interface WrittenFiles {
  /** Keys of the site's own. */
  readonly own: { has(key: string): boolean; keys(): Iterable<string> }
  /** Keys of others that lay there before. */
  readonly foreign: readonly string[]
  /** Keys that were written or removed; null where any of them may have been. */
  readonly touched: readonly string[] | null
}

export interface FoldersNow {
  readonly folders: BuiltFolders
  /** Keys of files that nobody built. */
  readonly foreign: readonly string[]
}

/**
 * @param before as they were found to be when the build began; null looks at all of them.
 * @returns null when a file of the site is not there.
 */
export function foldersNow(
  out: string,
  before: BuiltFolders | null,
  { own, foreign, touched }: WrittenFiles,
): FoldersNow | null {
  const now = Date.now()
  const changed = new Set(['', ...(touched ?? []).flatMap(foldersAbove)])
  const [paths, names, stamps]: [string[], string[], number[]] = [[], [], []]
  const listed = touched === null ? null : before
  const known = new Set(listed?.paths)
  const stale = ['']
  listed?.paths.forEach((path, place) => {
    if (changed.has(path) || !isSure(listed.stamps, place)) stale.push(path)
    else keep(path, listed.names[place] ?? '', stampAt(listed.stamps, place))
  })
  const [seen, found] = [new Set<string>(), new Set<string>()]
  stale.forEach(visit)

  const isSeen = (key: string) => seen.has(folderOf(key))
  for (const key of own.keys()) if (isSeen(key) && !found.has(key)) return null
  return {
    folders: { paths, names, stamps },
    foreign: [...foreign.filter((key) => !isSeen(key)), ...[...found].filter((key) => !own.has(key))],
  }

  function keep(path: string, held: string, stamp: readonly number[]): void {
    paths.push(path)
    names.push(held)
    stamps.push(...stamp)
  }

  function visit(path: string): void {
    if (seen.has(path)) return
    seen.add(path)
    const folder = at(out, path)
    // Before its names are read: whatever comes later changes it again.
    const stats = statsOf(folder, path)
    if (stats === null) return
    const { entries } = entriesIn(folder)
    keep(path, entries.map(nameOf).join('/'), stampOf(stats, now))
    for (const { name, kind } of entries) {
      const inner = path === '' ? name : `${path}/${name}`
      if (kind === 'file') found.add(inner)
      if (kind === 'folder' && !known.has(inner)) visit(inner)
    }
  }
}

/** Null where no folder is. The one that is built into may be a link to one. */
function statsOf(folder: string, path: string): Stats | null {
  const stats = (path === '' ? statSync : lstatSync)(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() ? stats : null
}

function namesIn(folder: string): string {
  return entriesIn(folder).entries.map(nameOf).join('/')
}

/** No name has a slash in it. */
function nameOf({ name, kind }: Entry): string {
  return kind === 'file' ? name : `${name}/${kind}`
}

function at(out: string, path: string): string {
  return path === '' ? out : `${out}/${path}`
}

function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** The folder that a key lies in, and those above it. */
function foldersAbove(key: string): readonly string[] {
  const folder = folderOf(key)
  return folder === '' ? [''] : [folder, ...foldersAbove(folder)]
}
