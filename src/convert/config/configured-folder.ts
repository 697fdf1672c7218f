import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { SourceFiles } from '../conversion.ts'

const TEST_FOLDER = /(^|\/)(__\w+__|tests?|e2e|examples?|fixtures?|templates?|starters?)\//

/** A folder that the configuration of a source site names. */
export interface FolderSetting {
  /** The file of the configuration, and the name of the setting in it. */
  readonly file: string
  readonly field: string
  /** The folder that the name is relative to. Empty for the source folder. */
  readonly root: string
}

/**
 * The path of a named folder below the source folder, without leading and trailing slashes; empty for the source folder
 * itself. Null for a folder outside of the source folder. That, and a folder without files, is reported.
 */
export function configuredFolder(
  { paths }: SourceFiles,
  name: string,
  { file, field, root }: FolderSetting,
  diagnostics: Diagnostic[],
): string | null {
  const report = (what: string) =>
    diagnostics.push(
      diagnostic('QN-NOT-CONVERTED', file, `\`${field}\` names \`${name}\`, ${what}`, { field }),
    )
  const folder = name.startsWith('/') ? null : folderBelow(root, name)
  if (folder === null) {
    report('which is outside of the folder that is converted. Convert the folder above, which holds both.')
    return null
  }
  if (folder !== '' && !paths.some((path) => path.startsWith(`${folder}/`)))
    report('a folder that does not exist or has no files.')
  return folder
}

/**
 * The configuration of a site: of several, the one nearest to the top, and of those the one with the most Markdown.
 * Empty when there is none.
 *
 * @param pattern its first group is the folder of the site.
 */
export function configurationIn({ paths }: SourceFiles, pattern: RegExp): string {
  const found = paths.flatMap((path) => {
    const match = pattern.exec(path)
    if (match === null) return []
    const folder = prefixOf(match[1] ?? '')
    return [{ path, depth: folder.split('/').length, isTest: TEST_FOLDER.test(folder), folder }]
  })
  if (found.length < 2) return found[0]?.path ?? ''
  const pagesIn = (folder: string) =>
    paths.filter((path) => path.startsWith(folder) && /\.(mdx?|markdown)$/.test(path)).length
  return (
    found
      .map((each) => ({ ...each, pages: pagesIn(each.folder) }))
      .toSorted(
        (a, b) =>
          a.depth - b.depth ||
          Number(a.isTest) - Number(b.isTest) ||
          b.pages - a.pages ||
          (a.path < b.path ? -1 : 1),
      )[0]?.path ?? ''
  )
}

/** A path below the source folder, without leading and trailing slashes. Null for one outside of it. */
export function folderBelow(root: string, name: string): string | null {
  const folder = posix.join(root, name).replace(/\/+$/, '')
  if (folder === '.') return ''
  return folder === '..' || folder.startsWith('../') ? null : folder
}

/** A folder as the beginning of paths in it: with a trailing slash, and empty for the source folder. */
export function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`
}
