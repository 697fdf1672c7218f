import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { messageOf } from '../domain/errors.ts'
import { configFolder } from '../platform/config-folder.ts'
import { replaceDurably } from '../platform/durable-file.ts'
import { fallbackOn, NOT_FOUND } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { ownThemeFolders, themeCode } from '../theme/theme-code.ts'
import { ConfigError } from './config.ts'

/* Which folders of this machine may run the code of their themes, remembered by path. */

/** Templates that would run from untrusted folders. */
export interface UntrustedCode {
  /** The folders to trust: the content folder, a theme elsewhere, or both. */
  readonly folders: readonly string[]
  /** Absolute paths. */
  readonly files: readonly string[]
}

/** Folders that come with Quoin. */
const OURS = [THEME_FOLDERS.themes, join(PACKAGE_ROOT, 'templates')]

/**
 * The code that a build of a content folder would run without trust; null for none.
 *
 * @param site absolute path; null for a theme alone.
 * @param given absolute path of a theme elsewhere; null for none.
 */
export async function untrustedCode(
  site: string | null,
  given: string | null,
): Promise<UntrustedCode | null> {
  const themes = site === null ? [] : await ownThemeFolders(site)
  const trusted = await trustedFolders()
  const found = await Promise.all(
    [...new Set([...themes, ...(given === null ? [] : [given])])].map(async (theme) => {
      const files = await themeCode(theme)
      return files.length === 0 || (await isTrusted(theme, trusted)) ? [] : [{ theme, files }]
    }),
  )
  const untrusted = found.flat()
  if (untrusted.length === 0) return null
  const folderOf = (theme: string) => (site !== null && themes.includes(theme) ? site : theme)
  return {
    folders: [...new Set(untrusted.map(({ theme }) => folderOf(theme)))],
    files: untrusted.flatMap(({ files }) => files),
  }
}

/** Remembers that the code in these folders may run. Trust of a content folder covers its themes. */
export async function trust(folders: readonly string[]): Promise<void> {
  const known = await trustedFolders()
  const added = await Promise.all(folders.map((folder) => realpath(folder)))
  if (added.every((folder) => known.has(folder))) return
  await mkdirp(configFolder())
  const all = [...new Set([...known, ...added])].sort()
  await replaceDurably(trustFile(), `${JSON.stringify(all, null, 2)}\n`)
}

/** @throws {ConfigError} if the file cannot be used. */
async function trustedFolders(): Promise<ReadonlySet<string>> {
  try {
    const text = await fallbackOn(NOT_FOUND, readFile(trustFile(), 'utf8'), '[]')
    const folders: unknown = JSON.parse(text)
    if (Array.isArray(folders)) return new Set(folders.map(String))
    throw new SyntaxError('it is no list of paths')
  } catch (error) {
    throw new ConfigError(
      `The list of trusted folders ${trustFile()} cannot be read: ${messageOf(error)}. Repair or remove it.`,
      { cause: error },
    )
  }
}

async function isTrusted(theme: string, trusted: ReadonlySet<string>): Promise<boolean> {
  const real = await realpath(theme)
  if (OURS.some((ours) => real.startsWith(join(ours, sep)))) return true
  const themes = dirname(real)
  return trusted.has(real) || (basename(themes) === 'themes' && trusted.has(dirname(themes)))
}

function trustFile(): string {
  return join(configFolder(), 'trusted-folders.json')
}
