import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { configuredFolder, folderBelow, prefixOf } from '../config/configured-folder.ts'
import type { SourceFiles } from '../conversion.ts'

/** The folders of a Jekyll site, below the source folder. */
export interface JekyllFolders {
  /** The folder of the site, with a trailing slash. Empty at the top. */
  readonly root: string
  readonly data: string
  /** Folders of the theme and its data. */
  readonly theme: readonly string[]
  /** The path of a file below `source`, without the name of `collections_dir`. Null for one outside of `source`. */
  readonly nameOf: (path: string) => string | null
}

/** Reads `source`, `collections_dir` and the folders of the theme. Source: https://jekyllrb.com/docs/configuration/options/. */
export function jekyllFolders(
  files: SourceFiles,
  config: JsonObject,
  diagnostics: Diagnostic[],
): JekyllFolders {
  const given = textOf(config['source'])
  const source =
    given === undefined
      ? ''
      : (configuredFolder(files, given, { file: '_config.yml', field: 'source', root: '' }, diagnostics) ??
        '')
  const root = prefixOf(source)
  const inside = (field: string, usual: string) =>
    folderBelow(source, textOf(config[field]) ?? usual) || `${root}${usual}`
  const data = inside('data_dir', '_data')
  return {
    root,
    data,
    theme: [inside('layouts_dir', '_layouts'), inside('includes_dir', '_includes'), data, `${root}_sass`],
    nameOf: (path) =>
      path.startsWith(root) ? withoutCollectionsFolder(path.slice(root.length), config) : null,
  }
}

/** A path without the folder that holds the collections, such as `_posts`. */
export function withoutCollectionsFolder(path: string, { collections_dir: given }: JsonObject): string {
  const prefix = prefixOf(folderBelow('', textOf(given) ?? '.') ?? '')
  return path.startsWith(`${prefix}_`) ? path.slice(prefix.length) : path
}
