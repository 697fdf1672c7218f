import { posix } from 'node:path'
import { readSlug } from '../../domain/slug.ts'
import { foldersOf, routeOf } from '../page/page-route.ts'
import { bareOf, folderKeys, folderOf, isFolderOf, pageKeys, readName } from './export-names.ts'

/** A page or a database of an export. */
export interface TreeEntry {
  readonly path: string
  readonly title: string
}

/** The places of pages, databases and files in the new site. */
export interface PageTree {
  /** The route of each page and database, by its path. */
  readonly routes: ReadonlyMap<string, string>
  /** The page or database that each folder belongs to. Folders without one are left out. */
  readonly owners: ReadonlyMap<string, string>
  /** The path of each other file in the new site. */
  readonly files: ReadonlyMap<string, string>
  /** Pages and databases at the top, which no page leads to. */
  readonly tops: readonly string[]
  /** Pages and databases that are too deep, and are next to the one above them. */
  readonly raised: readonly string[]
}

/** The most folders that an address of a content folder has. */
const MAX_LEVELS = 8
const MAX_SEGMENT = 80
/** Names of files and folders that a content folder has for something else. */
const RESERVED = /^(?:index|readme|404|static|data|site)$/

/** @param others files that are neither pages nor databases. */
export function pageTree(entries: readonly TreeEntry[], others: readonly string[]): PageTree {
  const top = topOf(entries.map(({ path }) => path))
  const folders = foldersIn([...entries.map(({ path }) => path), ...others])
  const owners = ownersOf(entries, folders)
  const routes = new Map<string, string>()
  const raised: string[] = []
  const taken = new Map<string, number>()
  const byFolder = grouped(entries)
  const tops = byFolder.get(top) ?? []
  const [only] = tops
  const front = tops.length === 1 && only?.path.endsWith('.md') === true ? only.path : null
  const folderRoutes = new Map([...foldersOf(`${top}/`), top, ''].map((folder) => [folder, '']))
  for (const folder of [top, ...folders.filter((each) => !folderRoutes.has(each))]) {
    const owner = owners.get(folder)
    const above = folderRoutes.get(folderOf(folder)) ?? ''
    const own =
      folder === top
        ? ''
        : ((owner === undefined ? null : routes.get(owner)) ??
          distinct(`${placeBelow(above)}${segmentOf(readName(posix.basename(folder)).title)}`, taken))
    folderRoutes.set(folder, own)
    for (const { path, title } of byFolder.get(folder) ?? []) {
      const place = path === front ? '' : placeBelow(own)
      if (own !== '' && place.length <= own.length) raised.push(path)
      routes.set(path, path === front ? '' : distinct(`${place}${segmentOf(title)}`, taken))
    }
  }
  const files = new Map(
    others.map((path) => [path, distinct(filePath(path, folderRoutes.get(folderOf(path)) ?? ''), taken)]),
  )
  return { routes, owners, files, tops: tops.map(({ path }) => path), raised }
}

/** The folder of the highest pages. Exports wrap them in folders, such as that of a team. */
function topOf(paths: readonly string[]): string {
  const [first = '', ...rest] = paths.map(folderOf)
  return rest.reduce((top, folder) => {
    const names = top.split('/')
    const others = folder.split('/')
    const end = names.findIndex((name, index) => name !== others[index])
    return end === -1 ? top : names.slice(0, end).join('/')
  }, first)
}

/** All folders, those above others first. */
function foldersIn(paths: readonly string[]): readonly string[] {
  const depth = (folder: string) => folder.split('/').length
  return [...new Set(paths.flatMap(foldersOf))].sort(
    (one, other) => depth(one) - depth(other) || (one < other ? -1 : 1),
  )
}

function ownersOf(entries: readonly TreeEntry[], folders: readonly string[]): ReadonlyMap<string, string> {
  const all = new Set(folders)
  const owners = new Map<string, string>()
  const without: string[] = []
  for (const { path } of entries) {
    const own = bareOf(path)
    if (all.has(own) && !owners.has(own)) owners.set(own, path)
    else without.push(path)
  }
  const free = new Map<string, string[]>()
  for (const folder of folders.filter((each) => !owners.has(each)))
    for (const key of folderKeys(readName(posix.basename(folder)))) {
      const place = posix.join(folderOf(folder), key)
      const others = free.get(place)
      if (others === undefined) free.set(place, [folder])
      else others.push(folder)
    }
  for (const path of without) {
    const name = readName(posix.basename(bareOf(path)))
    const found = pageKeys(name)
      .flatMap((key) => free.get(posix.join(folderOf(path), key)) ?? [])
      .find((folder) => !owners.has(folder) && isFolderOf(readName(posix.basename(folder)), name))
    if (found !== undefined) owners.set(found, path)
  }
  return owners
}

function grouped<T extends { readonly path: string }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const folder = folderOf(item.path)
    const group = groups.get(folder)
    if (group === undefined) groups.set(folder, [item])
    else group.push(item)
  }
  return groups
}

/** The route below which the pages of a folder are, with a slash. */
function placeBelow(route: string): string {
  const segments = route === '' ? [] : route.split('/').slice(0, MAX_LEVELS - 1)
  return segments.map((segment) => `${segment}/`).join('')
}

function segmentOf(title: string): string {
  const joined = hyphened(title.slice(0, 2 * MAX_SEGMENT))
  const cut = joined.length <= MAX_SEGMENT ? joined : joined.slice(0, MAX_SEGMENT).replace(/-[^-]*$/, '')
  const segment = readSlug(cut, 'wide') ?? routeOf(cut)
  return segment === '' ? 'untitled' : RESERVED.test(segment) ? `${segment}-page` : segment
}

function hyphened(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^[-\p{M}]+|-$/gu, '')
}

function filePath(path: string, route: string): string {
  const { name, ext } = posix.parse(path)
  const ending = ext.toLowerCase().replace(/[^.\p{L}\p{N}]+/gu, '-')
  return posix.join(route, `${hyphened(name).toLowerCase() || 'file'}${ending}`)
}

/**
 * The path, with a number at its end when another one has it.
 *
 * @param taken paths with the last number of each.
 */
function distinct(path: string, taken: Map<string, number>): string {
  const { dir, name, ext } = posix.parse(path)
  let free = path
  for (let count = (taken.get(path) ?? 0) + 1; taken.has(free); count++) {
    free = posix.join(dir, `${name}-${count}${ext}`)
    taken.set(path, count)
  }
  return taken.set(free, 1) && free
}
