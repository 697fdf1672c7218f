import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { folderPath } from './theme-files.ts'
import { readThemeManifest } from './theme-manifest.ts'

/** What there is to know of a theme before it is loaded. */
export interface ThemeListing {
  readonly name: string
  readonly title: string
  readonly description: string
}

/**
 * Every theme of a folder of themes, sorted by name.
 *
 * @throws {ThemeError} if one has no usable `theme.json`.
 */
export async function listThemes(themes: URL | string): Promise<ThemeListing[]> {
  const folder = folderPath(themes)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return await Promise.all(
    names.sort().map(async (name) => {
      const { title, description } = await readThemeManifest(join(folder, name))
      return { name, title, description }
    }),
  )
}
