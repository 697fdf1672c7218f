import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { messageOf } from '../domain/errors.ts'
import { ThemeError } from './theme-error.ts'
import { folderPath, isPresent } from './theme-files.ts'

export interface ThemeFolders {
  /** Contains one folder per theme that comes with Quoin. */
  readonly themes: URL | string
  /** Files that all themes share: templates, styles, scripts and labels. */
  readonly templates: URL | string
  /** Absolute paths of custom themes. The folder's name is the theme's name. */
  readonly custom?: readonly string[]
}

/** Name and folder of a theme. */
export interface ThemeLocation {
  readonly name: string
  readonly folder: string
  /** True for themes that come with Quoin. */
  readonly isBuiltIn: boolean
}

const NAME = /^[a-z0-9][a-z0-9-]{0,49}$/

/**
 * All themes, sorted by name.
 *
 * @throws {ThemeError} when a custom theme's name is invalid or taken.
 */
export async function listThemes({ themes, custom = [] }: ThemeFolders): Promise<readonly ThemeLocation[]> {
  // `_shared` is next to the built-in themes and is not a valid theme name.
  const builtIn = (await themeFoldersIn(folderPath(themes))).filter((folder) => NAME.test(basename(folder)))
  const places = [
    ...builtIn.map((folder) => ({ name: basename(folder), folder, isBuiltIn: true })),
    ...custom.map((folder) => ({ name: basename(folder), folder, isBuiltIn: false })),
  ]
  const taken = new Map<string, ThemeLocation>()
  for (const place of places) {
    const fault = place.isBuiltIn ? null : invalidNameReason(place.name, taken.get(place.name))
    if (fault !== null) throw new ThemeError({ file: place.folder, line: null, message: fault })
    taken.set(place.name, place)
  }
  return [...taken.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Why a custom theme cannot have this name; null when it can.
 *
 * @param holder theme that already has the name.
 */
export function invalidNameReason(name: string, holder: ThemeLocation | undefined): string | null {
  if (!NAME.test(name))
    return `Invalid theme name ${JSON.stringify(name)}: use up to 50 lower-case letters, digits and hyphens.`
  if (holder === undefined) return null
  return holder.isBuiltIn
    ? `Quoin has a theme named ${name}. Rename this one and let it extend that theme.`
    : `Another theme is also named ${name}: ${holder.folder}.`
}

/**
 * The folders directly inside a folder of themes, sorted, without hidden ones.
 *
 * @throws {ThemeError} when one is a symbolic link, or when the folder does not exist.
 */
export async function themeFoldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new ThemeError({ file: folder, line: null, message: messageOf(error) }, { cause: error })
  })
  const shown = entries.filter(({ name }) => !name.startsWith('.'))
  for (const entry of shown) if (entry.isSymbolicLink()) await isPresent(join(folder, entry.name))
  return shown
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
}
