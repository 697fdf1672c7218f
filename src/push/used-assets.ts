import { joined } from '../content-folder/file-links.ts'
import type { SiteAsset } from '../content-folder/site.ts'
import { decoded } from '../domain/author-url.ts'

/** A line of a text file that names an asset. */
export interface AssetUse {
  /** The text file, relative to the folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The asset, relative to the folder. */
  readonly asset: string
}

/** What may be a path: a run without blanks, quotes and brackets, or a link target of Markdown in angle brackets. */
const PATH = /\(<([^<>\n]+)>|[^\s"'`()<>[\]{},;]+/g

/**
 * Finds the assets that texts name by a path: on the site, absolute or relative, or in the folder, relative to the text.
 * In the order of the texts. Paths in code blocks count too.
 *
 * @param texts `site.yaml` and the pages, by path.
 */
export function usedAssets(
  texts: ReadonlyMap<string, string>,
  assets: readonly SiteAsset[],
): readonly AssetUse[] {
  if (assets.length === 0) return []
  const onSite = new Map(assets.map(({ path, source }) => [path, source]))
  const sources = new Set(assets.map(({ source }) => source))
  const assetAt = (folder: string, written: string): readonly string[] => {
    if (!/[./]/.test(written) || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(written)) return []
    const path = decoded(written.replace(/[?#].*$/s, '').replace(/[.,:!*_]+$/, ''))
    const inFolder = joined(path.startsWith('/') ? '' : folder, path)
    if (sources.has(inFolder)) return [inFolder]
    const found = /^\.{0,2}\//.test(path) ? onSite.get(joined('', path)) : undefined
    return found === undefined ? [] : [found]
  }
  return [...texts].flatMap(([file, text]) => {
    const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')))
    return text.split('\n').flatMap((line, index) => {
      const named = [...line.matchAll(PATH)].flatMap(([whole, target = whole]) => assetAt(folder, target))
      return [...new Set(named)].map((asset) => ({ file, line: index + 1, asset }))
    })
  })
}
