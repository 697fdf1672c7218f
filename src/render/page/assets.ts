import type { Artifact } from '../../domain/artifact.ts'
import type { Theme, ThemeAsset } from '../../theme/theme.ts'
import type { HeadView } from '../../theme/view.ts'
import { customStyle } from './custom-style.ts'
import type { Site } from './head-view.ts'

/** Assets of the search dialog in a document. */
export interface SearchAssets extends Pick<Theme['assets'], 'search' | 'searchStyle'> {
  /** The stemmer of the document's language; null if there is none. */
  readonly stemmer: ThemeAsset | null
}

/** @param lang of the document. */
export function searchAssets(
  { assets, stemmer }: Pick<Theme, 'assets' | 'stemmer'>,
  lang: string,
): SearchAssets {
  return { search: assets.search, searchStyle: assets.searchStyle, stemmer: stemmer(lang) }
}

/** Assets that a document with this head and in this language references. */
export function referencedAssets(
  { head, lang }: { readonly head: HeadView; readonly lang: string },
  { settings: { customCss }, media }: Pick<Site, 'settings' | 'media'>,
  { assets, files, stemmer }: Pick<Theme, 'assets' | 'files' | 'stemmer'>,
): readonly ThemeAsset[] {
  const custom = customStyle(customCss, media)
  const stems = stemmer(lang)
  return [
    assets.style,
    assets.sectionStyle,
    assets.script,
    assets.search,
    assets.searchStyle,
    ...(stems === null ? [] : [stems]),
    ...(assets.ownScript === undefined ? [] : [assets.ownScript]),
    // The style sheet or a template references them.
    ...files.values(),
    ...(head.analytics === null ? [] : [assets.analytics]),
    ...(head.visits === null ? [] : [assets.visits]),
    ...(custom === null ? [] : [custom]),
  ]
}

/** Assets belong to the site, not to the page that happens to bring them first. */
export function assetArtifacts(assets: readonly ThemeAsset[]): readonly Artifact[] {
  return assets.map(({ key, body }) => ({ key, stage: 'asset', body, owner: { kind: 'site', id: '' } }))
}
