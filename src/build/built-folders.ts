import { lstatSync, type Stats, statSync } from 'node:fs'
import { type Entry, entriesIn, type Stamp, stampOf } from './stamps.ts'

/*
 * Which names stand in the folder that was built into. A folder that is the same by its times holds the
 * same names, so that most of a large site need not be listed again.
 */

/** A folder beneath the one that was built into, with all that it holds. */
export type BuiltFolder = readonly [path: string, stamp: Stamp, names: string]

/** Whether each of them holds what it held; a new one stands in the folder above it. */
export function areFoldersSame(out: string, folders: readonly BuiltFolder[]): boolean {
  const now = Date.now()
  return folders.every(([path, stamp, names]) => {
    const folder = at(out, path)
    const stats = statsOf(folder, path)
    if (stats === null) return false
    return (stamp !== null && stampOf(stats, now) === stamp) || namesIn(folder) === names
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
  readonly folders: readonly BuiltFolder[]
  /** Keys of files that nobody built. */
  readonly foreign: readonly string[]
}

/**
 * @param before as they were found to be when the build began; null looks at all of them.
 * @returns null when a file of the site is not there.
 */
export function foldersNow(
  out: string,
  before: readonly BuiltFolder[] | null,
  { own, foreign, touched }: WrittenFiles,
): FoldersNow | null {
  const now = Date.now()
  const known = new Map((touched === null ? [] : (before ?? [])).map((folder) => [folder[0], folder]))
  const changed = new Set(['', ...(touched ?? []).flatMap(foldersAbove)])
  const isKept = ([path, stamp]: BuiltFolder) => stamp !== null && !changed.has(path)
  const folders: BuiltFolder[] = [...known.values()].filter(isKept)
  const [seen, found] = [new Set<string>(), new Set<string>()]
  for (const path of new Set([
    '',
    ...[...known.values()].filter((folder) => !isKept(folder)).map(([path]) => path),
  ]))
    visit(path)

  const isSeen = (key: string) => seen.has(folderOf(key))
  for (const key of own.keys()) if (isSeen(key) && !found.has(key)) return null
  return {
    folders,
    foreign: [...foreign.filter((key) => !isSeen(key)), ...[...found].filter((key) => !own.has(key))],
  }

  function visit(path: string): void {
    if (seen.has(path)) return
    seen.add(path)
    const folder = at(out, path)
    // Before its names are read: whatever comes later changes it again.
    const stats = statsOf(folder, path)
    if (stats === null) return
    const { entries } = entriesIn(folder)
    folders.push([path, stampOf(stats, now), entries.map(nameOf).join('/')])
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
