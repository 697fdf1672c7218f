import { createHash } from 'node:crypto'
import { compactCss } from '../theme/compact-css.ts'
import type { ThemeAsset } from '../theme/theme.ts'

/** The owner's own CSS as a file of its own, in its compact form; null when there is none. */
export function customStyle(css: string | null): ThemeAsset | null {
  const compact = compactCss(css ?? '')
  if (compact === '') return null
  const hash = createHash('sha256').update(compact).digest('hex').slice(0, 16)
  return { key: `_assets/custom.${hash}.css`, body: Buffer.from(compact) }
}
