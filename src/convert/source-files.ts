import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { SourceFiles } from './conversion.ts'

const MAX_FILES = 50_000
const MAX_DEPTH = 24
const MAX_TEXT_BYTES = 5 * 1024 * 1024
/** Folders of generated or downloaded files. */
const GENERATED = new Set(['node_modules', 'vendor', '_site', 'dist', 'resources', '__pycache__'])
/** The only entries with a leading dot that belong to a site. */
const HIDDEN = /^\.(vitepress|eleventy\.c?js)$/

/**
 * Lists the files of a source site. Symbolic links are not followed, so nothing outside of the folder is read.
 *
 * @throws {ServiceError} `validation_error` when the folder holds more than 50,000 files.
 */
export function listSourceFiles(folder: string): SourceFiles {
  const paths: string[] = []
  visit('', 0)
  const known = new Set(paths.sort())

  return {
    paths,
    text(path) {
      if (!known.has(path)) return null
      const file = join(folder, path)
      return statSync(file).size > MAX_TEXT_BYTES ? null : readFileSync(file, 'utf8')
    },
  }

  function visit(path: string, depth: number): void {
    if (depth > MAX_DEPTH) return
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      if (GENERATED.has(entry.name) || (entry.name.startsWith('.') && !HIDDEN.test(entry.name))) continue
      if (name.endsWith('.vitepress/theme') || name.endsWith('.vitepress/cache')) continue
      if (entry.isDirectory()) visit(name, depth + 1)
      else if (entry.isFile()) paths.push(name)
      if (paths.length > MAX_FILES)
        throw new ServiceError('validation_error', `${folder} holds more than ${MAX_FILES} files.`)
    }
  }
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
