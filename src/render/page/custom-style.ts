import type { MediaSource } from '../../domain/media.ts'
import { urlPath } from '../../domain/route.ts'
import { compactCss } from '../../theme/compact-css.ts'
import type { ThemeAsset } from '../../theme/theme.ts'
import { createThemeAsset } from '../../theme/theme-asset.ts'
import { withMediaFiles } from './media-files.ts'

let last: { readonly css: string; readonly style: ThemeAsset | null } | null = null

/**
 * The owner's custom CSS as a minified asset; null when there is none.
 *
 * @param media the files that it may name.
 */
export function customStyle(written: string | null, media: MediaSource | undefined): ThemeAsset | null {
  if (written === null) return null
  // Next to the folder of the asset.
  const css = withMediaFiles(written, media, (key) => `../${urlPath(key)}`)
  // Consecutive pages are mostly of one site.
  if (last?.css !== css) last = { css, style: styleOf(compactCss(css)) }
  return last.style
}

function styleOf(compact: string): ThemeAsset | null {
  return compact === '' ? null : createThemeAsset('custom', 'css', compact)
}
