import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { textUnlessGone } from './file-text.ts'
import { type IgnoreRules, ignoreRules } from './ignored-files.ts'
import { ignorePatterns, SITE_FILE } from './site-file.ts'

export const MAX_FILE_BYTES = 5 * 1024 * 1024
export const MAX_FILES = 20_000
const MAX_DEPTH = 8
/** The folder in which a build stores its state. It marks output folders. */
const STATE_FOLDER = '.quoin'

export interface FileList {
  readonly files: readonly string[]
  /** Files and folders that a pattern leaves out, sorted. A folder ends with a slash and stands for all in it. */
  readonly ignored: readonly string[]
  readonly errors: readonly Diagnostic[]
}

/**
 * Lists all regular files in a folder by relative path, sorted by UTF-16 code unit.
 *
 * Leaves out what the usual patterns and those of `ignore` in `site.yaml` match, output folders of builds, and themes
 * of the site. Symbolic links are errors, so that nothing outside the folder is read. Limits of size, depth and number are errors too.
 *
 * @param ignoredFolder a subfolder that is not content, e.g. `dist`; null for none.
 */
export function listFiles(folder: string, ignoredFolder: string | null): FileList {
  const rules = siteIgnoreRules(folder)
  const files: string[] = []
  const ignored: string[] = []
  const errors: Diagnostic[] = []

  visit('', 0)
  if (files.length > MAX_FILES)
    errors.push(diagnostic('QN-TOO-MANY-FILES', '.', `The folder holds more than ${MAX_FILES} files.`))
  return { files: files.slice(0, MAX_FILES).sort(), ignored: ignored.sort(), errors }

  function visit(path: string, depth: number): void {
    for (const entry of entriesOf(path)) {
      if (files.length > MAX_FILES) return
      visitEntry(entry, path === '' ? entry.name : `${path}/${entry.name}`, depth)
    }
  }

  /** Empty for a folder that no longer exists. */
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

  function visitEntry(entry: Dirent, path: string, depth: number): void {
    if (path === ignoredFolder) return
    if (rules.ignores(path, entry.isDirectory() ? 'folder' : 'file')) {
      ignored.push(entry.isDirectory() ? `${path}/` : path)
    } else if (entry.isDirectory()) {
      if (existsSync(join(folder, path, STATE_FOLDER)) || isTheme(path)) return
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

/** The patterns that hold in a folder. Errors of `site.yaml` are left to its reader. */
export function siteIgnoreRules(folder: string): IgnoreRules {
  return ignoreRules(ignorePatterns(textUnlessGone(join(folder, SITE_FILE)) ?? ''))
}

/** Null for a file that no longer exists. */
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
