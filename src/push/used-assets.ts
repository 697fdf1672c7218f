import type { SiteAsset } from '../content-folder/site.ts'

/** A line of a text file that names an asset. */
export interface AssetUse {
  /** The text file, relative to the folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The asset, relative to the folder. */
  readonly asset: string
}

/** Matches a path of this site, absolute or relative, but not the path of a URL with a host. */
const PATH = /(?<![\w/.:-])(?:\/|(?:\.\.?\/)+)([\w-][\w./-]*[\w-])/g

/**
 * Finds the assets of `static/` that texts name by path, in the order of the texts. Paths in code blocks count too.
 *
 * @param texts `site.yaml` and the pages, by path.
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
