import { appendFileSync, copyFileSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { decodedPath } from '../../domain/route.ts'
import { convertedFolder, createFolder } from '../write-conversion.ts'
import type { ExportFolders } from './convert-export.ts'

/** Larger files are no part of a content folder. */
const MAX_FILE = 100 * 1024 * 1024

/**
 * Creates the new folder, next to the folder of an export.
 *
 * @param isChecked compares only, and writes nothing.
 * @throws {ServiceError} `conflict` when `out` is not empty.
 */
export async function exportFolders(source: string, out: string, isChecked: boolean): Promise<ExportFolders> {
  if (!isChecked) await createFolder(out)
  const root = realpathSync(source)
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
      if (!isChecked) copyFileSync(join(source, from), inFolder(to))
    },
    textOf: convertedFolder(out).textOf,
    hasSource: (path) => {
      if (decodedPath(path) !== path || path.split('/').some((segment) => /^\.{0,2}$/.test(segment)))
        return false
      const file = join(source, path)
      const found = lstatSync(file, { throwIfNoEntry: false })
      if (found?.isFile() !== true || found.size > MAX_FILE) return false
      // A folder of the path may be a link. Nothing outside of the folder is read.
      return !relative(root, realpathSync(file)).startsWith('..')
    },
  }
}
