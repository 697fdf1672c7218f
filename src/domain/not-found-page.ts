import { frontPath } from './locale.ts'
import { pathFolder } from './route.ts'
import type { Settings } from './settings.ts'

/** The path of the page that a site shows for unknown paths. Without such a page the theme has one. */
export const NOT_FOUND_PATH = '/404'

/** The document for unknown paths. Web servers and hosts look for it by this name, some in every folder. */
export const NOT_FOUND_FILE = '404.html'

/**
 * The key of the document for unknown paths that a page writes: `404.html` at `/404`, and `fr/404.html` at `/fr/404` of
 * a site with a locale there. Null for other pages.
 */
export function notFoundKey(path: string, settings: Pick<Settings, 'locales'>): string | null {
  if (path === NOT_FOUND_PATH) return NOT_FOUND_FILE
  if (!path.endsWith(NOT_FOUND_PATH)) return null
  const front = path.slice(0, -NOT_FOUND_PATH.length)
  const isFront = settings.locales.some((locale) => frontPath(locale) === front)
  return isFront ? `${pathFolder(front)}${NOT_FOUND_FILE}` : null
}

/** Segments of a subroute at most. */
const MAX_FOLDERS = 8

/** Keys of the documents for unknown paths that may apply to a path, the nearest first. */
export function notFoundKeysFor(path: string): readonly string[] {
  const folders = path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, MAX_FOLDERS)
  return folders
    .map((_, index) => `${folders.slice(0, folders.length - index).join('/')}/${NOT_FOUND_FILE}`)
    .concat(NOT_FOUND_FILE)
}
