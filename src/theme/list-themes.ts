import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { messageOf } from '../domain/errors.ts'
import { ThemeError } from './theme-error.ts'
import { folderPath, isPresent } from './theme-files.ts'

export interface ThemeFolders {
  /** Holds a folder per theme that comes with Quoin. */
  readonly themes: URL | string
  /** What all themes share: templates, style, scripts and words. */
  readonly templates: URL | string
  /** Folders of further themes, absolute, each called like its theme. */
  readonly own?: readonly string[]
}

/** Where a theme lies. */
export interface ThemePlace {
  readonly name: string
  readonly folder: string
  /** Comes with Quoin. */
  readonly isBuiltIn: boolean
}

const NAME = /^[a-z0-9][a-z0-9-]{0,49}$/

/**
 * Every theme there is, sorted by name.
 *
 * @throws {ThemeError} if a theme of one's own has a name that is taken, or one that is none.
 */
export async function listThemes({ themes, own = [] }: ThemeFolders): Promise<readonly ThemePlace[]> {
  // `_shared`, next to the built-in themes, has no theme's name.
  const builtIn = (await themeFoldersIn(folderPath(themes))).filter((folder) => NAME.test(basename(folder)))
  const places = [
    ...builtIn.map((folder) => ({ name: basename(folder), folder, isBuiltIn: true })),
    ...own.map((folder) => ({ name: basename(folder), folder, isBuiltIn: false })),
  ]
  const taken = new Map<string, ThemePlace>()
  for (const place of places) {
    const fault = place.isBuiltIn ? null : nameFault(place.name, taken.get(place.name))
    if (fault !== null) throw new ThemeError({ file: place.folder, line: null, message: fault })
    taken.set(place.name, place)
  }
  return [...taken.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * What keeps a theme of one's own from being called so; null for nothing.
 *
 * @param holder has the name already.
 */
export function nameFault(name: string, holder: ThemePlace | undefined): string | null {
  if (!NAME.test(name))
    return `A theme is called by at most 50 small letters, digits and hyphens, not ${JSON.stringify(name)}.`
  if (holder === undefined) return null
  return holder.isBuiltIn
    ? `A theme called ${name} comes with Quoin; give this one another name, and extend that.`
    : `Another theme is called ${name} too: ${holder.folder}.`
}

/**
 * The folders directly in a folder of themes, sorted; names that start with a dot are passed over.
 *
 * @throws {ThemeError} if one is a symbolic link, and where there is no such folder.
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
