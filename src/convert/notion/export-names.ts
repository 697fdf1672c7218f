import { posix } from 'node:path'

/** The name of a page, a database or a folder in an export: a title, and often an id. */
export interface ExportName {
  /** Notion cuts long titles, and leaves out signs that file systems refuse. */
  readonly title: string
  /** 32 hexadecimal digits. Newer exports leave it out of the names of pages. */
  readonly id: string | null
}

const ID = /^[0-9a-f]{32}$/
const SHORT_ID = /^(.*) ([0-9a-f]{3,8})$/s
const ARCHIVE =
  /(?:^|\/)Export(?:Block)?-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-Part-\d{1,4})?\.zip$/i

/** @param name of a folder, or of a file without its ending. */
export function readName(name: string): ExportName {
  const id = name.slice(-32)
  if (!ID.test(id)) return { title: name, id: null }
  return { title: name.slice(0, -32).replace(/[ -]$/, ''), id }
}

/** The path of a file without its ending, which the folder of its page often has. */
export function bareOf(path: string): string {
  return path.replace(/(?:_all)?\.csv$|\.md$/, '')
}

/** The folder of a path. Empty at the top. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** Reports whether a folder may belong to a page of another name: one of both lacks the id, or has a part of it. */
export function isFolderOf(folder: ExportName, page: ExportName): boolean {
  if (folder.id !== null && page.id !== null) return folder.id === page.id
  if (folder.title === page.title) return true
  const [, title = '', start = ''] = SHORT_ID.exec(folder.title) ?? []
  return page.id !== null && title !== '' && page.id.startsWith(start) && page.title.startsWith(title)
}

/** Keys by which a page finds its folder: `pageKeys` has at least one of them. */
export function folderKeys({ title, id }: ExportName): readonly string[] {
  const start = SHORT_ID.exec(title)?.[2]
  return [
    `title:${title}`,
    ...(id === null ? [] : [`id:${id}`]),
    ...(start === undefined ? [] : [`id:${start}`]),
  ]
}

export function pageKeys({ title, id }: ExportName): readonly string[] {
  const starts = id === null ? [] : [id, ...[3, 4, 5, 6, 7, 8].map((length) => id.slice(0, length))]
  return [...starts.map((start) => `id:${start}`), `title:${title}`]
}

/** Reports whether a path has the id of a page, a database or a folder. */
export function hasId(path: string): boolean {
  return bareOf(path)
    .split('/')
    .some((name) => readName(name).id !== null)
}

/** Reports whether a file is a part of an export that was packed on its own. */
export function isPackedPart(path: string): boolean {
  return ARCHIVE.test(path)
}
