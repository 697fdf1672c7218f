import { THEME_FOLDERS } from '../platform/package-paths.ts'
import { type ThemeFolders, themeFoldersIn } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import type { Theme } from '../theme/theme.ts'
import { ThemeError } from '../theme/theme-error.ts'
import { type Config, ConfigError } from './config.ts'

/** Themes by their names, and where they lie. */
export interface InstalledThemes {
  readonly themes: ReadonlyMap<string, Theme>
  readonly folders: ThemeFolders
}

/**
 * The themes that come with Quoin, and those that the operator put into a folder.
 *
 * @throws {ConfigError} naming file and line of the first one that cannot be used.
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
