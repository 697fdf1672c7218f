import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, for the compiled and the source tree alike. */
export const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The themes that come with it, and what they share. */
export const THEME_FOLDERS = {
  themes: join(PACKAGE_ROOT, 'themes'),
  templates: join(PACKAGE_ROOT, 'templates'),
}

export function version(): string {
  return JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version
}
