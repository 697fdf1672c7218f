import type { Addressed } from '../domain/route.ts'

/** What no file may be called on Windows, whatever its extension. */
const RESERVED_ON_WINDOWS = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Folders at the top of a content folder that hold no pages, or are often built into. */
const RESERVED_FOLDERS = ['static', 'dist']

/** What its settings are called. */
const SETTINGS_NAME = 'site'

/**
 * The file of a page, relative to the content folder: its folder is the subroute, its name the slug. A
 * name that is taken gets an underscore at its end, which no address has: two pages never share a file,
 * not even where case does not count, since addresses are in lower case.
 */
export function fileName({ subroute, slug }: Addressed, extension: 'md' | 'yaml'): string {
  const folders = subroute === '' ? [] : subroute.split('/')
  const isSettings = folders.length === 0 && slug === SETTINGS_NAME && extension === 'yaml'
  return [
    ...folders.map((name, depth) => freeName(name, depth === 0 && RESERVED_FOLDERS.includes(name))),
    `${freeName(slug, isSettings)}.${extension}`,
  ].join('/')
}

function freeName(name: string, isTaken: boolean): string {
  return isTaken || RESERVED_ON_WINDOWS.test(name) ? `${name}_` : name
}

/** Whether the folder of a file says the subroute of its page, and its name the slug; else the file has to. */
export function matchesAddress(
  file: string,
  { subroute, slug }: Addressed,
): { readonly folder: boolean; readonly name: boolean } {
  const [, folder = '', name] = /^(?:(.*)\/)?([^/]*)\.[^.]*$/.exec(file) ?? []
  return { folder: folder === subroute, name: name === slug }
}
