import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { SourceFiles } from '../conversion.ts'

const MAX_FILES = 50_000
const MAX_DEPTH = 24
const MAX_TEXT_BYTES = 5 * 1024 * 1024
/** Folders of downloaded or generated files, at any depth. Content may be in any other folder, also in `dist`. */
const GENERATED = /(^|\/)(node_modules|__pycache__)$/
/** Folders of downloaded or generated files at the top. */
const GENERATED_AT_TOP = /^(_site|resources\/_gen|vendor\/(bundle|cache|gems|ruby))$/
/** The only entries with a leading dot that belong to a site. */
const HIDDEN = /^\.(vitepress|eleventy\.c?js|eleventyignore|authors\.yml|pages|meta\.yml|htaccess)$/

/**
 * Lists the files of a source site. A symbolic link is followed when it leads to a file or folder of the site, so
 * nothing outside of the folder is read.
 *
 * @throws {ServiceError} `validation_error` when the folder holds more than 50,000 files.
 */
export function listSourceFiles(folder: string): SourceFiles {
  const root = realpathSync(folder)
  const paths: string[] = []
  const diagnostics: Diagnostic[] = []
  visit('', 0, false)
  const known = new Set(paths.sort())

  return {
    paths,
    diagnostics,
    text(path) {
      if (!known.has(path)) return null
      const file = join(folder, path)
      return statSync(file).size > MAX_TEXT_BYTES ? null : readFileSync(file, 'utf8')
    },
  }

  /** @param isLinked inside of a followed link, where no other folder is followed: links in a circle would never end. */
  function visit(path: string, depth: number, isLinked: boolean): void {
    if (depth > MAX_DEPTH) {
      leaveOut(path, `Folders more than ${MAX_DEPTH} levels deep are left out.`)
      return
    }
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      if (isGenerated(name, entry)) continue
      const kind = kindOf(entry, name)
      if (kind === 'folder') {
        const isLink = entry.isSymbolicLink()
        if (isLink && isLinked) leaveOut(name, 'The symbolic link is inside of another one. It is left out.')
        else visit(name, depth + 1, isLinked || isLink)
      }
      if (kind === 'file') paths.push(name)
      if (paths.length > MAX_FILES)
        throw new ServiceError('validation_error', `${folder} holds more than ${MAX_FILES} files.`)
    }
  }

  function kindOf(entry: Dirent, path: string): 'file' | 'folder' | null {
    if (entry.isDirectory()) return 'folder'
    if (entry.isFile()) return 'file'
    if (!entry.isSymbolicLink()) return null
    const target = targetOf(path)
    if (target === null) return null
    return statSync(join(folder, path)).isDirectory() ? 'folder' : 'file'
  }

  /** The real path of a link in the site. Null when it leads nowhere, outside of the site, or back to a folder above it. */
  function targetOf(path: string): string | null {
    try {
      const target = relative(root, realpathSync(join(folder, path)))
      if (target !== '' && !target.startsWith('..') && !`${realPathOf(path)}/`.startsWith(`${target}/`))
        return target
    } catch {
      leaveOut(path, 'The symbolic link leads nowhere. It is left out.')
      return null
    }
    leaveOut(
      path,
      'The symbolic link leads outside of the site, or back to a folder above it. It is left out. Convert a folder that holds its target too.',
    )
    return null
  }

  function realPathOf(path: string): string {
    const parent = join(folder, path, '..')
    return relative(root, realpathSync(parent))
  }

  function leaveOut(path: string, message: string): void {
    diagnostics.push(diagnostic('QN-SOURCE-UNREADABLE', path, message))
  }
}

function isGenerated(path: string, { name }: Dirent): boolean {
  if (name.startsWith('.') && !HIDDEN.test(name)) return true
  return GENERATED.test(path) || GENERATED_AT_TOP.test(path) || /\.vitepress\/(theme|cache|dist)$/.test(path)
}

/**
 * One diagnostic for all files with a prefix, or none when there are no such files.
 *
 * @param contents what the files belong to, e.g. `the theme or its data`.
 */
export function folderLeftOut(
  { paths }: SourceFiles,
  prefix: string,
  shownAs: string,
  contents: string,
): readonly Diagnostic[] {
  const count = paths.filter((path) => path.startsWith(prefix)).length
  if (count === 0) return []
  const subject = count === 1 ? `1 file of ${contents} is` : `${count} files of ${contents} are`
  return [diagnostic('QN-NOT-CONVERTED', shownAs, `${subject} left out.`)]
}
