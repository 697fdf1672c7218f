import { THEME_FOLDERS } from '../platform/package-paths.ts'
import { type ThemeFolders, themeFoldersIn } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import type { Theme } from '../theme/theme.ts'
import { ThemeError } from '../theme/theme-error.ts'
import { type Config, ConfigError } from './config.ts'

/** Themes by name, and the folders they were loaded from. */
export interface InstalledThemes {
  readonly themes: ReadonlyMap<string, Theme>
  readonly folders: ThemeFolders
}

/**
 * Loads the built-in themes and those in the operator's folder of themes.
 *
 * @throws {ConfigError} with file and line of the first theme that cannot be used.
 */
export async function openThemes({ themes }: Pick<Config, 'themes'>): Promise<InstalledThemes> {
  try {
    const folders = { ...THEME_FOLDERS, custom: themes === null ? [] : await themeFoldersIn(themes) }
    return { folders, themes: await loadThemes(folders) }
  } catch (error) {
    if (error instanceof ThemeError) throw new ConfigError(`QUOIN_THEMES: ${error.message}`, { cause: error })
    throw error
  }
}
