import type { Addressed } from '../domain/route.ts'

/** Names that Windows does not allow for files, with any extension. */
const RESERVED_ON_WINDOWS = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** Folders at the top of a content folder that hold assets or built output. */
const RESERVED_FOLDERS = ['static', 'dist']

/** The name of the settings file, `site.yaml`. */
const SETTINGS_NAME = 'site'

/**
 * The file of a page, relative to the content folder: its folder is the subroute, its name the slug. A reserved name
 * gets an underscore at its end, which no address has. Two pages never share a file, even when case does not count,
 * since addresses are in lower case.
 */
export function fileName({ subroute, slug }: Addressed, extension: 'md' | 'yaml'): string {
  const folders = subroute === '' ? [] : subroute.split('/')
  const isSettings = folders.length === 0 && slug === SETTINGS_NAME && extension === 'yaml'
  return [
    ...folders.map((name, depth) => freeName(name, depth === 0 && RESERVED_FOLDERS.includes(name))),
    `${freeName(slug, isSettings)}.${extension}`,
  ].join('/')
}

function freeName(name: string, isReserved: boolean): string {
  return isReserved || RESERVED_ON_WINDOWS.test(name) ? `${name}_` : name
}

/** Reports whether Windows rejects a file of this name. */
export function isReservedOnWindows(name: string): boolean {
  const [stem = ''] = name.split('.')
  return RESERVED_ON_WINDOWS.test(stem.trim())
}

/**
 * Reports whether the folder of a file equals the subroute of its page, and its name the slug. Otherwise the file needs
 * the field.
 */
export function matchesAddress(
  file: string,
  { subroute, slug }: Addressed,
): { readonly folder: boolean; readonly name: boolean } {
  const [, folder = '', name] = /^(?:(.*)\/)?([^/]*)\.[^.]*$/.exec(file) ?? []
  return { folder: folder === subroute, name: name === slug }
}
