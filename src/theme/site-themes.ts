import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { themeFoldersIn } from './list-themes.ts'
import type { ThemeError } from './theme-error.ts'

/** Folder of a content folder's own themes. */
export function siteThemes(site: string): string {
  return join(site, 'themes')
}

/**
 * Folders of a content folder's own themes, and of one theme elsewhere.
 *
 * @param given absolute path of that theme; null for none.
 * @throws {ThemeError} when one is a symbolic link.
 */
export async function customThemeFolders(site: string, given: string | null): Promise<readonly string[]> {
  const themes = siteThemes(site)
  const found = existsSync(themes) ? await themeFoldersIn(themes) : []
  const own = found.filter((folder) => existsSync(join(folder, 'theme.json')))
  return given === null || own.includes(given) ? own : [...own, given]
}

/** Path of an error's file relative to the content folder or the working directory. */
export function authorsPath({ file }: ThemeError, site: string): string {
  for (const place of [site, process.cwd()]) {
    const near = relative(place, file)
    if (near !== '..' && !near.startsWith(`..${sep}`)) return near.replaceAll(sep, '/')
  }
  return file
}
