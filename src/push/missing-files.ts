import { assetPath } from '../content-folder/asset-file.ts'
import type { Site, SiteAsset } from '../content-folder/site.ts'
import { NAME_RULE, readMediaName } from '../domain/media-name.ts'
import type { PushedFiles } from './push-site.ts'
import { type AssetUse, usedAssets, usedByFiles } from './used-assets.ts'

/** A use of a file that the server does not have. */
export interface MissingFile extends AssetUse {
  /** The reason why it was not sent, with advice, as sentences. */
  readonly reason: string
}

/** The files of the folder that the server does not have. */
export function notSentFiles(assets: readonly SiteAsset[], files: PushedFiles): readonly SiteAsset[] {
  const stored = new Set(files.named.filter((source) => !files.refused.has(source)))
  return assets.filter(({ source }) => !stored.has(source))
}

/**
 * The uses of files by style sheets and SVGs that were sent. A site has files at other addresses than the folder, and
 * the content of files is not changed.
 *
 * @param texts these files, by path.
 */
export function lostReferences(
  texts: ReadonlyMap<string, string>,
  { assets }: Pick<Site, 'assets'>,
): readonly MissingFile[] {
  return usedByFiles(texts, assets).map((use) => ({
    ...use,
    reason: /\.css$/i.test(use.file)
      ? 'A style sheet that was sent does not find files next to it. Write the rules that name it into `custom_css`, whose files are sent.'
      : 'An SVG that was sent does not find files next to it. Embed the picture, or name it on the page.',
  }))
}

/**
 * The uses of files that the server does not have. A file that it refused is reported at its own first line if no
 * text uses it, as with drafts.
 *
 * @param texts `site.yaml` and the pages, by path.
 */
export function missingFiles(
  texts: ReadonlyMap<string, string>,
  { assets }: Pick<Site, 'assets'>,
  files: PushedFiles,
): readonly MissingFile[] {
  const absent = notSentFiles(assets, files)
  const reasons = new Map(absent.map((asset) => [asset.source, reasonOf(asset, files)]))
  const uses = usedAssets(texts, absent)
  const used = new Set(uses.map(({ asset }) => asset))
  const others = [...files.refused.keys()].filter((source) => !used.has(source))
  return [...uses, ...others.map((asset) => ({ file: asset, line: 1, asset }))].map((use) => ({
    ...use,
    reason: reasons.get(use.asset) ?? '',
  }))
}

function reasonOf({ path, source }: SiteAsset, { refused }: PushedFiles): string {
  const message = refused.get(source)
  if (message !== undefined) return `The server refused it: ${message}`
  return readMediaName(path) === null
    ? `Its path cannot be the name of an asset, which ${NAME_RULE}. Rename the file.`
    : `It was not sent, because this place cannot name an asset. Write ${assetPath(path)} in a link, an image or a field for an address.`
}
