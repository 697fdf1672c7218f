import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../domain/errors.ts'
import type { ExportFolders } from './convert-export.ts'

/** Larger files are no part of a content folder. */
const MAX_FILE = 100 * 1024 * 1024

/**
 * The new folder, and the folder of an export.
 *
 * @param isChecked compares only, and writes nothing.
 * @throws {ServiceError} `conflict` when `out` is not empty.
 */
export function exportFolders(source: string, out: string, isChecked: boolean): ExportFolders {
  if (!isChecked) {
    mkdirSync(out, { recursive: true })
    if (readdirSync(out).length > 0)
      throw new ServiceError(
        'conflict',
        `${out} is not empty. Files are never replaced: name a new folder with --out.`,
      )
  }
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
    textOf: (path) => {
      const file = join(out, path)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    hasSource: (path) => {
      // Nothing outside of the folder is read.
      if (path.split('/').some((segment) => segment === '..' || segment === '.' || segment === ''))
        return false
      const found = lstatSync(join(source, decodedName(path)), { throwIfNoEntry: false })
      return found?.isFile() === true && found.size <= MAX_FILE && decodedName(path) === path
    },
  }
}

function decodedName(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
