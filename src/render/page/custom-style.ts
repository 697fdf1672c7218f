import { compactCss } from '../../theme/compact-css.ts'
import type { ThemeAsset } from '../../theme/theme.ts'
import { createThemeAsset } from '../../theme/theme-asset.ts'

let last: { readonly css: string; readonly style: ThemeAsset | null } | null = null

/** The owner's custom CSS as a minified asset; null when there is none. */
export function customStyle(css: string | null): ThemeAsset | null {
  if (css === null) return null
  // Consecutive pages are mostly of one site.
  if (last?.css !== css) last = { css, style: styleOf(compactCss(css)) }
  return last.style
}

function styleOf(compact: string): ThemeAsset | null {
  return compact === '' ? null : createThemeAsset('custom', 'css', compact)
}
