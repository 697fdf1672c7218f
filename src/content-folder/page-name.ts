import { PAGE_FILE } from './file-kind.ts'

/* The parts of a page's file name: its format, and the last segment of its address. */

const MARKDOWN_FILE = /\.(md|markdown)$/i
const INDEX = 'index'
const README = 'readme'
const NOT_FOUND = '404'

export function isMarkdownFile(path: string): boolean {
  return MARKDOWN_FILE.test(path)
}

/** A file that introduces its folder where code hosts show it. */
export function isReadme(path: string): boolean {
  return isMarkdownFile(path) && nameOf(path).toLowerCase() === README
}

/** The last segment of the page's address: the name of the file. A readme is the index of its folder. */
export function segmentOf(path: string): string {
  return isReadme(path) ? INDEX : nameOf(path)
}

/** The folder of a file; empty at the top. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

/** Reports whether the file is the page of its folder. */
export function isIndexFile(path: string): boolean {
  return PAGE_FILE.test(path) && segmentOf(path).toLowerCase() === INDEX
}

/** Reports whether the file is the page for unknown paths, such as `404.md`. */
export function isNotFoundFile(path: string): boolean {
  return PAGE_FILE.test(path) && path.replace(PAGE_FILE, '') === NOT_FOUND
}

/** Readmes in folders that have an index of their own. They are not pages. */
export function extraReadmes(files: readonly string[]): ReadonlySet<string> {
  const readmes = files.filter(isReadme)
  if (readmes.length === 0) return new Set()
  const indexed = new Set(files.filter((path) => isIndexFile(path) && !isReadme(path)).map(folderOf))
  return new Set(readmes.filter((path) => indexed.has(folderOf(path))))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(PAGE_FILE, '')
}
