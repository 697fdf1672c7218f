import { createHash } from 'node:crypto'
import type { ThemeAsset } from '../theme/theme.ts'

/** The owner's own CSS as a file of its own; null when there is none. */
export function customStyle(css: string | null): ThemeAsset | null {
  if (css === null || css.trim() === '') return null
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 16)
  return { key: `_assets/custom.${hash}.css`, body: Buffer.from(css) }
}
