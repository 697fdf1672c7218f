import { lstatSync, type Stats, statSync } from 'node:fs'
import {
  type Entry,
  entriesIn,
  type Fingerprints,
  fingerprintAt,
  fingerprintOf,
  isHidden,
  isKnown,
  isSameFingerprint,
} from './file-fingerprints.ts'

/*
 * The names in an output folder, and the sizes of the site's files. A folder whose fingerprint is unchanged has the
 * same names, so most folders of a large site need not be listed again. A file may still have lost bytes, as after a
 * power cut.
 */

/**
 * Every folder of the output tree including its root, as parallel arrays: `paths[i]`, `names[i]` and the fingerprint at
 * `i` describe one folder.
 */
export interface OutputTree {
  readonly paths: readonly string[]
  /** The names in each folder, joined. */
  readonly names: readonly string[]
  /** In bytes, of the site's files in each folder, by name. */
  readonly sizes: readonly Readonly<Record<string, number>>[]
  readonly fingerprints: Fingerprints
}

/** Reports whether every folder has the same names as before. A new folder is a new name in its parent. */
export function isTreeUnchanged(out: string, { paths, names, fingerprints }: OutputTree): boolean {
  const now = Date.now()
  return paths.every((path, index) => {
    const folder = at(out, path)
    const stats = statsOf(folder, path)
    if (stats === null) return false
    return (
      isSameFingerprint(fingerprints, index, fingerprintOf(stats, now), 0) || namesIn(folder) === names[index]
    )
  })
}

/** Keys of the site's files. */
export function sizedFiles({ paths, sizes }: Pick<OutputTree, 'paths' | 'sizes'>): readonly string[] {
  return paths.flatMap((path, index) => Object.keys(sizes[index] ?? {}).map((name) => keyOf(path, name)))
}

/** Keys of the site's files whose size differs from the written size. */
export function damagedFiles(out: string, { paths, sizes }: OutputTree): readonly string[] {
  return paths.flatMap((path, index) =>
    Object.entries(sizes[index] ?? {}).flatMap(([name, size]) => {
      const key = keyOf(path, name)
      return sizeOf(at(out, key)) === size ? [] : [key]
    }),
  )
}

function keyOf(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

/** The files in an output folder, as its build knows them. */
export interface WrittenFiles {
  /** Keys of the site's files. */
  readonly own: { has(key: string): boolean; keys(): Iterable<string> }
  /** Keys of other files that existed before the build. */
  readonly foreign: readonly string[]
  /** Keys that were written or removed; null if that may be any. */
  readonly touched: readonly string[] | null
}

export interface TreeAfterBuild {
  readonly tree: OutputTree
  /** Keys of files that no build wrote. */
  readonly foreign: readonly string[]
}

/**
 * Lists the folders that the build has changed, and copies the others from the previous tree.
 *
 * @param previous null lists all folders.
 * @returns null if a file of the site is missing.
 */
export function treeAfterBuild(
  out: string,
  previous: OutputTree | null,
  { own, foreign, touched }: WrittenFiles,
): TreeAfterBuild | null {
  const now = Date.now()
  const changed = new Set(['', ...(touched ?? []).flatMap(foldersAbove)])
  const [paths, names, fingerprints]: [string[], string[], number[]] = [[], [], []]
  const sizes: Readonly<Record<string, number>>[] = []
  const reusable = touched === null ? null : previous
  const known = new Set(reusable?.paths)
  const stale = ['']
  reusable?.paths.forEach((path, index) => {
    if (changed.has(path) || !isKnown(reusable.fingerprints, index)) stale.push(path)
    else
      add(
        path,
        { names: reusable.names[index] ?? '', sizes: reusable.sizes[index] ?? {} },
        fingerprintAt(reusable.fingerprints, index),
      )
  })
  const [listed, found] = [new Set<string>(), new Set<string>()]
  stale.forEach(list)

  const isListed = (key: string) => listed.has(folderOf(key))
  for (const key of own.keys()) if (isListed(key) && !found.has(key)) return null
  return {
    tree: { paths, names, sizes, fingerprints },
    foreign: [...foreign.filter((key) => !isListed(key)), ...[...found].filter((key) => !own.has(key))],
  }

  function add(
    path: string,
    inside: { readonly names: string; readonly sizes: Readonly<Record<string, number>> },
    fingerprint: readonly number[],
  ): void {
    paths.push(path)
    names.push(inside.names)
    sizes.push(inside.sizes)
    fingerprints.push(...fingerprint)
  }

  function list(path: string): void {
    if (listed.has(path)) return
    listed.add(path)
    const folder = at(out, path)
    // Before the names are read: a later change then changes the fingerprint.
    const stats = statsOf(folder, path)
    if (stats === null) return
    const entries = visibleIn(folder)
    const inside = (name: string) => (path === '' ? name : `${path}/${name}`)
    const ownSizes = entries
      .filter(({ name, kind }) => kind === 'file' && own.has(inside(name)))
      .map(({ name }) => [name, sizeOf(at(out, inside(name)))] as const)
    const names = entries.map(nameOf).join('/')
    add(path, { names, sizes: Object.fromEntries(ownSizes) }, fingerprintOf(stats, now))
    for (const { name, kind } of entries) {
      if (kind === 'file') found.add(inside(name))
      if (kind === 'folder' && !known.has(inside(name))) list(inside(name))
    }
  }
}

/** Returns null if there is no such folder. The root may be a symbolic link. */
function statsOf(folder: string, path: string): Stats | null {
  const stats = (path === '' ? statSync : lstatSync)(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() ? stats : null
}

/** Returns the size in bytes; -1 if it is no file. */
function sizeOf(file: string): number {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : -1
}

function namesIn(folder: string): string {
  return visibleIn(folder).map(nameOf).join('/')
}

function visibleIn(folder: string): readonly Entry[] {
  return entriesIn(folder).entries.filter((entry) => !isHidden(entry))
}

/** Joinable with slashes, which no name has. */
function nameOf({ name, kind }: Entry): string {
  return kind === 'file' ? name : `${name}/${kind}`
}

function at(out: string, path: string): string {
  return path === '' ? out : `${out}/${path}`
}

function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** The folder of a key, and all folders above it. */
function foldersAbove(key: string): readonly string[] {
  const folder = folderOf(key)
  return folder === '' ? [''] : [folder, ...foldersAbove(folder)]
}
