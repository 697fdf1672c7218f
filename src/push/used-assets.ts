import type { SiteAsset } from '../content-folder/site.ts'

/** A place where a file of the content folder names one that is served as it is. */
export interface AssetUse {
  /** The file that names it, relative to the folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The file that is named, relative to the folder. */
  readonly asset: string
}

/** A path of this site: from its top, or from a page; never one behind the name of another host. */
const PATH = /(?<![\w/.:-])(?:\/|(?:\.\.?\/)+)([\w-][\w./-]*[\w-])/g

/**
 * Where texts name the files of `static/`, by their addresses, in the order of the texts. A code block
 * that shows such an address counts as naming it.
 *
 * @param texts of `site.yaml` and the pages, by path.
 */
export function usedAssets(
  texts: ReadonlyMap<string, string>,
  assets: readonly SiteAsset[],
): readonly AssetUse[] {
  const sources = new Map(assets.map(({ path, source }) => [path, source]))
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const named = [...line.matchAll(PATH)].flatMap(([, path = '']) => sources.get(path) ?? [])
      return [...new Set(named)].map((asset) => ({ file, line: index + 1, asset }))
    }),
  )
}
