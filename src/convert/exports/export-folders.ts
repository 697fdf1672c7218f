import { appendFileSync, copyFileSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { decodedPath } from '../../domain/route.ts'
import { convertedFolder } from '../write-conversion.ts'
import type { ExportFolders } from './convert-export.ts'
import { isFolder } from './export-kind.ts'

/** Larger files are no part of a content folder. */
const MAX_FILE = 100 * 1024 * 1024

/**
 * Opens the new folder and those of the source site.
 *
 * @param sources folders with files of the source site, in the order in which they are looked at.
 * @param isChecked compares only, and writes nothing.
 */
export function exportFolders(sources: readonly string[], out: string, isChecked: boolean): ExportFolders {
  const roots = sources.filter(isFolder).map((source) => realpathSync(source))
  const rootOf = (path: string) => (isPlainPath(path) ? roots.find((root) => hasFile(root, path)) : undefined)
  const inFolder = (path: string) => {
    const file = join(out, path)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  return {
    write: (path, text) => {
      if (!isChecked) writeFileSync(inFolder(path), text)
    },
    append: (path, line) => {
      if (!isChecked) appendFileSync(inFolder(path), `${line}\n`)
    },
    copy: (from, to) => {
      const root = rootOf(from)
      if (!isChecked && root !== undefined) copyFileSync(join(root, from), inFolder(to))
    },
    textOf: convertedFolder(out).textOf,
    hasSource: (path) => rootOf(path) !== undefined,
  }
}

/** Reports whether a path below the address of a site names a file in the same way. */
export function isPlainPath(path: string): boolean {
  return decodedPath(path) === path && !path.split('/').some((segment) => /^\.{0,2}$/.test(segment))
}

function hasFile(root: string, path: string): boolean {
  const file = join(root, path)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isFile() !== true || found.size > MAX_FILE) return false
  // A folder of the path may be a link. Nothing outside of the folder is read.
  return !relative(root, realpathSync(file)).startsWith('..')
}
