import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { themeFoldersIn } from './list-themes.ts'
import type { ThemeError } from './theme-error.ts'

/** Where a content folder keeps themes of its own. */
export function siteThemes(site: string): string {
  return join(site, 'themes')
}

/**
 * Folders of the themes that a content folder brings along, and of one that lies elsewhere.
 *
 * @param given absolute path; null where there is none.
 * @throws {ThemeError} if one is a symbolic link.
 */
export async function ownThemeFolders(site: string, given: string | null): Promise<readonly string[]> {
  const themes = siteThemes(site)
  const found = existsSync(themes) ? await themeFoldersIn(themes) : []
  const own = found.filter((folder) => existsSync(join(folder, 'theme.json')))
  return given === null || own.includes(given) ? own : [...own, given]
}

/** The file of a fault as its author knows it: relative to the content folder, or to where the command was started. */
export function authorsPath({ file }: ThemeError, site: string): string {
  for (const place of [site, process.cwd()]) {
    const near = relative(place, file)
    if (near !== '..' && !near.startsWith(`..${sep}`)) return near.replaceAll(sep, '/')
  }
  return file
}
