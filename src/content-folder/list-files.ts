import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import { hasCode } from '../platform/fs-errors.ts'

export const MAX_FILE_BYTES = 5 * 1024 * 1024
export const MAX_FILES = 20_000
const MAX_DEPTH = 8
/** What a build keeps in the folder it writes. */
const BUILT = '.quoin'

export interface FileList {
  readonly files: readonly string[]
  readonly errors: readonly Diagnostic[]
}

/**
 * Every regular file beneath `folder`, by its path relative to it, sorted by UTF-16 code unit.
 *
 * Names that start with a dot are passed over, and so are folders that a site was built into and themes
 * of the site's own. Symbolic links are faults, never followed, so nothing outside the folder is read; so are files too large, folders too deep and files too many.
 *
 * @param passedOver a folder beneath it that is no content, e.g. `dist`; null for none.
 */
export function listFiles(folder: string, passedOver: string | null): FileList {
  const files: string[] = []
  const errors: Diagnostic[] = []

  visit('', 0)
  if (files.length > MAX_FILES)
    errors.push(diagnostic('QN-TOO-MANY-FILES', '.', `The folder holds more than ${MAX_FILES} files.`))
  return { files: files.slice(0, MAX_FILES).sort(), errors }

  function visit(path: string, depth: number): void {
    for (const entry of entriesOf(path)) {
      if (entry.name.startsWith('.')) continue
      if (files.length > MAX_FILES) return
      take(entry, path === '' ? entry.name : `${path}/${entry.name}`, depth)
    }
  }

  /** None of a folder that was removed after it was listed. */
  function entriesOf(path: string): readonly Dirent[] {
    try {
      return readdirSync(join(folder, path), { withFileTypes: true })
    } catch (error) {
      if (path !== '' && isGone(error)) return []
      throw error
    }
  }

  function refuse(code: DiagnosticCode, path: string, message: string): void {
    errors.push(diagnostic(code, path, message))
  }

  function isTheme(path: string): boolean {
    return /^themes\/[^/]+$/.test(path) && existsSync(join(folder, path, 'theme.json'))
  }

  function take(entry: Dirent, path: string, depth: number): void {
    if (path === passedOver) return
    if (entry.isDirectory()) {
      if (existsSync(join(folder, path, BUILT)) || isTheme(path)) return
      if (depth < MAX_DEPTH) visit(path, depth + 1)
      else refuse('QN-TOO-DEEP', path, `Folders may be nested at most ${MAX_DEPTH} levels deep.`)
    } else if (!entry.isFile()) {
      refuse('QN-NOT-A-FILE', path, 'This is a symbolic link or a device. Only regular files are read.')
    } else {
      const bytes = sizeOf(join(folder, path))
      if (bytes === null) return
      if (bytes <= MAX_FILE_BYTES) files.push(path)
      else refuse('QN-FILE-TOO-LARGE', path, `The file is larger than ${MAX_FILE_BYTES} bytes.`)
    }
  }
}

/** Null for a file that was removed after it was listed. */
function sizeOf(file: string): number | null {
  try {
    return lstatSync(file).size
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function isGone(error: unknown): boolean {
  return hasCode(error, ['ENOENT'])
}
