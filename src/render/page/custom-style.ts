import { createHash } from 'node:crypto'
import { compactCss } from '../../theme/compact-css.ts'
import type { ThemeAsset } from '../../theme/theme.ts'

let last: { readonly css: string; readonly style: ThemeAsset | null } | null = null

/** The owner's custom CSS as a minified asset; null when there is none. */
export function customStyle(css: string | null): ThemeAsset | null {
  if (css === null) return null
  // Consecutive pages are mostly of one site.
  if (last?.css !== css) last = { css, style: styleOf(compactCss(css)) }
  return last.style
}

function styleOf(compact: string): ThemeAsset | null {
  if (compact === '') return null
  const hash = createHash('sha256').update(compact).digest('hex').slice(0, 16)
  return { key: `_assets/custom.${hash}.css`, body: Buffer.from(compact) }
}
