import { loadTheme } from '../../src/theme/load-theme.ts'
import type { Theme } from '../../src/theme/theme.ts'

export const FOLDERS = {
  themes: new URL('../../themes/', import.meta.url),
  templates: new URL('../../themes/_shared/', import.meta.url),
}

export const THEME_NAMES = ['default', 'dark', 'minimal'] as const

/** A theme that comes with the product. */
export function loadBuiltIn(name: string): Promise<Theme> {
  return loadTheme(name, FOLDERS)
}
