import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fallbackOn, NOT_FOUND } from '../platform/fs-errors.ts'

/**
 * Finds the code of a theme: its templates, which can do what Node.js can. Styles, images and words cannot, and scripts
 * run in the browsers of visitors only.
 *
 * @param theme absolute path of its folder.
 * @returns absolute paths, sorted.
 */
export async function themeCode(theme: string): Promise<readonly string[]> {
  const entries = await fallbackOn(NOT_FOUND, readdir(theme, { recursive: true, withFileTypes: true }), [])
  return entries
    .filter(({ name }) => name.endsWith('.eta'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * Folders of a content folder's own themes. Loads nothing else, unlike `customThemeFolders`, because every build
 * asks. That function refuses symbolic links, so their code does not run.
 */
export async function ownThemeFolders(site: string): Promise<readonly string[]> {
  const themes = join(site, 'themes')
  const entries = await fallbackOn(NOT_FOUND, readdir(themes, { withFileTypes: true }), [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(themes, name))
    .filter((theme) => existsSync(join(theme, 'theme.json')))
}
