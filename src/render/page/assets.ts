import type { Artifact } from '../../domain/artifact.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Theme, ThemeAsset } from '../../theme/theme.ts'
import type { HeadView } from '../../theme/view.ts'
import { customStyle } from './custom-style.ts'

/** Assets that a document with this head references. */
export function referencedAssets(
  head: HeadView,
  { customCss }: Settings,
  { assets, files }: Pick<Theme, 'assets' | 'files'>,
): readonly ThemeAsset[] {
  const custom = customStyle(customCss)
  return [
    assets.style,
    assets.script,
    assets.search,
    assets.searchStyle,
    ...(assets.ownScript === undefined ? [] : [assets.ownScript]),
    // The style sheet or a template references them.
    ...files.values(),
    ...(head.analytics === null ? [] : [assets.analytics]),
    ...(custom === null ? [] : [custom]),
  ]
}

/** Assets belong to the site, not to the page that happens to bring them first. */
export function assetArtifacts(assets: readonly ThemeAsset[]): readonly Artifact[] {
  return assets.map(({ key, body }) => ({ key, stage: 'asset', body, owner: { kind: 'site', id: '' } }))
}
