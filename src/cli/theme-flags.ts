import { basename } from 'node:path'
import type { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { THEME_FOLDERS } from '../platform/package-paths.ts'
import { folderArgument } from './folder-argument.ts'

export interface ThemeFlags {
  readonly theme?: string
  readonly themeFolder?: string
}

/** Add the flags by which a content folder is shown in another theme than it names. */
export function withThemeFlags(command: Command): Command {
  return command
    .option('--theme <name>', 'instead of the theme that site.yaml names')
    .option('--theme-folder <folder>', 'a theme of your own, instead of the site’s')
}

/** Names of the themes that come with Quoin. */
export async function builtInThemes(): Promise<readonly string[]> {
  const { listThemes } = await import('../theme/list-themes.ts')
  return (await listThemes(THEME_FOLDERS)).map(({ name }) => name)
}

/** What a content folder is to be shown in. */
export interface ThemeChoice {
  /** Null follows the folder. */
  readonly theme: string | null
  /** Absolute path of a theme that lies elsewhere; null where there is none. */
  readonly themeFolder: string | null
}

/** @throws {ConfigError} */
export function themeArguments({ theme, themeFolder }: ThemeFlags): ThemeChoice {
  if (theme !== undefined && themeFolder !== undefined)
    throw new ConfigError('--theme, --theme-folder: only one of them can be shown.')
  if (themeFolder === undefined) return { theme: theme ?? null, themeFolder: null }
  const folder = folderArgument(themeFolder)
  return { theme: basename(folder), themeFolder: folder }
}
