import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { DATA_FOLDER } from './data-files.ts'
import {
  type FileKind,
  fileKind,
  holdsSecret,
  isLitter,
  privateReason,
  SITE_FILE,
  STATIC_FOLDER,
} from './file-kind.ts'
import { textIfReadable } from './file-text.ts'
import { type IgnoreRules, ignoreRules } from './ignored-files.ts'
import { mayBeDownload } from './page-by-content.ts'
import { extraReadmes } from './page-name.ts'
import { ignorePatterns } from './site-file.ts'

/** A page is held in memory as a whole. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024
/** 100 MiB, the largest file that GitHub Pages and most hosts take. */
export const MAX_ASSET_BYTES = 100 * 1024 * 1024
export const MAX_FILES = 20_000
/** The greatest depth of nested folders. */
export const MAX_FOLDERS = 8
/** The folder in which a build stores its state. It marks output folders. */
const STATE_FOLDER = '.quoin'

export interface FileList {
  /** Settings, pages, files of `static/`, and attachments. */
  readonly files: readonly string[]
  /** Files and folders that a pattern leaves out, and readmes in folders with an index, sorted. A folder ends with a slash and stands for all in it. */
  readonly ignored: readonly string[]
  readonly errors: readonly Diagnostic[]
  /** Files that are left out, although an author may expect them on the site. */
  readonly warnings: readonly Diagnostic[]
  /** Attachments that cannot be part of the site, with the error to report where a page names one. */
  readonly refused: ReadonlyMap<string, Diagnostic>
  /** YAML and JSON files that are too large for pages. */
  readonly large: ReadonlySet<string>
}

export const NO_FILES: FileList = {
  files: [],
  errors: [],
  warnings: [],
  refused: new Map(),
  ignored: [],
  large: new Set(),
}

/**
 * Lists the regular files in a folder by relative path, sorted by UTF-16 code unit.
 *
 * Leaves out matches of the usual patterns and of `ignore` in `site.yaml`, output folders of builds, themes of the
 * site, and symbolic links, so that nothing outside the folder is read. Limits of size, depth and number are errors.
 *
 * @param ignoredFolder a subfolder that is not content, e.g. `dist`; null for none.
 */
export function listFiles(folder: string, ignoredFolder: string | null): FileList {
  const rules = siteIgnoreRules(folder)
  const files: string[] = []
  const ignored: string[] = []
  const errors: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  const refused = new Map<string, Diagnostic>()
  const large = new Set<string>()

  visit('', 0)
  if (files.length > MAX_FILES)
    errors.push(diagnostic('QN-TOO-MANY-FILES', '.', `The folder holds more than ${MAX_FILES} files.`))
  const extra = extraReadmes(files)
  return {
    files: files
      .filter((path) => !extra.has(path))
      .slice(0, MAX_FILES)
      .sort(),
    ignored: [...ignored, ...extra].sort(),
    errors,
    warnings,
    refused,
    large,
  }

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

  function leaveOut(path: string, shown: string, isPrivate: boolean): void {
    ignored.push(shown)
    if ((isPrivate || fileKind(path) === 'private') && mayBeExpected(path))
      warnings.push(diagnostic('QN-PRIVATE-FILE', path, privateReason(path)))
  }

  function refuse(code: DiagnosticCode, path: string, message: string): void {
    errors.push(diagnostic(code, path, message))
  }

  function isTheme(path: string): boolean {
    return /^themes\/[^/]+$/.test(path) && existsSync(join(folder, path, 'theme.json'))
  }

  function visitEntry(entry: Dirent, path: string, depth: number): void {
    if (path === ignoredFolder) return
    const isPrivate =
      entry.isFile() &&
      (fileKind(path) === 'private' || holdsSecret(path, () => smallText(join(folder, path))))
    if (isPrivate || rules.ignores(path, entry.isDirectory() ? 'folder' : 'file'))
      leaveOut(path, entry.isDirectory() ? `${path}/` : path, isPrivate)
    else if (entry.isDirectory()) visitFolder(path, depth)
    else if (entry.isFile()) visitFile(path, fileKind(path))
    else warnings.push(diagnostic('QN-NOT-A-FILE', path, NOT_A_FILE))
  }

  function visitFolder(path: string, depth: number): void {
    if (existsSync(join(folder, path, STATE_FOLDER)) || isTheme(path)) return
    if (depth < MAX_FOLDERS) visit(path, depth + 1)
    else refuse('QN-TOO-DEEP', path, `Folders may be nested at most ${MAX_FOLDERS} levels deep.`)
  }

  function visitFile(path: string, kind: FileKind): void {
    const bytes = sizeOf(join(folder, path))
    if (bytes === null) return
    const isDownload = bytes > MAX_FILE_BYTES && mayBeDownload(path) && !path.startsWith(`${DATA_FOLDER}/`)
    if (isDownload) large.add(path)
    const isAttachment = kind === 'attachment' || isDownload
    const limit = kind === 'static' || isAttachment ? MAX_ASSET_BYTES : MAX_FILE_BYTES
    const isLarge = bytes > limit
    if (isLarge && isAttachment) refused.set(path, tooLarge(path, limit))
    if (isLarge && !isAttachment) errors.push(tooLarge(path, limit))
    else files.push(path)
  }
}

/** Reports whether an author may expect a private file on the site. */
function mayBeExpected(path: string): boolean {
  return path.startsWith(STATIC_FOLDER) && !isLitter(path)
}

/** Lists of all certificate authorities have some hundred thousand bytes. */
const MAX_PEM_BYTES = 1024 * 1024

/** Empty for a file that is large or cannot be read. */
function smallText(file: string): string {
  return (sizeOf(file) ?? 0) > MAX_PEM_BYTES ? '' : (textIfReadable(file) ?? '')
}

const NOT_A_FILE =
  'This is a symbolic link, a socket or a device, and left out: only regular files are read. Replace a link with a copy of the file.'

function tooLarge(path: string, limit: number): Diagnostic {
  return diagnostic('QN-FILE-TOO-LARGE', path, `The file is larger than ${limit / 1024 / 1024} MiB.`)
}

/** The patterns that hold in a folder. A `site.yaml` that cannot be read, or has errors, is left to its reader. */
export function siteIgnoreRules(folder: string): IgnoreRules {
  return ignoreRules(ignorePatterns(textIfReadable(join(folder, SITE_FILE)) ?? ''))
}

/** The size of a file in bytes. Null if it no longer exists. */
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
