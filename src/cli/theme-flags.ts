import { basename } from 'node:path'
import type { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { THEME_FOLDERS } from '../platform/package-paths.ts'
import { folderArgument } from './folder-argument.ts'

export interface ThemeFlags {
  readonly theme?: string
  readonly themeFolder?: string
}

/** Adds flags that override the theme of a content folder. */
export function withThemeFlags(command: Command): Command {
  return command
    .option('--theme <name>', 'theme to use instead of the one in site.yaml')
    .option('--theme-folder <folder>', 'folder of a theme to use instead of the one in site.yaml')
}

/** Names of the built-in themes. */
export async function builtInThemes(): Promise<readonly string[]> {
  const { listThemes } = await import('../theme/list-themes.ts')
  return (await listThemes(THEME_FOLDERS)).map(({ name }) => name)
}

/** Overrides the theme of a content folder. */
export interface ThemeChoice {
  /** The name of a theme. Null for the theme of the folder. */
  readonly theme: string | null
  /** Absolute path of a theme outside the content folder; null for none. */
  readonly themeFolder: string | null
}

/** @throws {ConfigError} */
export function themeArguments({ theme, themeFolder }: ThemeFlags): ThemeChoice {
  if (theme !== undefined && themeFolder !== undefined)
    throw new ConfigError('--theme, --theme-folder: only one of them can be used.')
  if (themeFolder === undefined) return { theme: theme ?? null, themeFolder: null }
  const folder = folderArgument(themeFolder, 'create a theme with quoin theme new')
  return { theme: basename(folder), themeFolder: folder }
}
