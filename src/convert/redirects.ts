import { posix } from 'node:path'
import type { JsonObject } from '../domain/json.ts'
import { MAX_REDIRECT_PATHS, readRedirectPath, writtenPaths } from '../domain/redirect-path.ts'
import type { PageTarget } from './conversion.ts'

/**
 * The former addresses that a page names, in the words of Hugo and Jekyll, and what is lost of them.
 *
 * @param taken paths at which something of the new site lies; those of this page are added.
 */
export function redirectsOf(
  former: JsonObject,
  { route, originalPath }: PageTarget,
  taken: Set<string>,
): { readonly paths: readonly string[]; readonly lost: readonly string[] } {
  const named = [
    // Where the page was, if it was at an address of its own.
    ...['permalink', 'url'].flatMap((field) => {
      const own = former[field]
      return typeof own === 'string' && readRedirectPath(own) !== null ? [[field, own] as const] : []
    }),
    ...(originalPath === undefined ? [] : [['permalink', originalPath] as const]),
    // Relative ones are, in Hugo, of the folder the page lies in, and in Jekyll of the site.
    ...writtenPaths(former['aliases']).map(
      (path) => ['aliases', posix.resolve('/', posix.dirname(route), path)] as const,
    ),
    ...writtenPaths(former['redirect_from']).map(
      (path) => ['redirect_from', posix.resolve('/', path)] as const,
    ),
  ]
  const paths: string[] = []
  const lost: string[] = []
  for (const [field, written] of named) {
    const path = readRedirectPath(written)
    if (path === null) lost.push(`${field}: ${written} is no path that can lead to a page`)
    else if (paths.length === MAX_REDIRECT_PATHS)
      lost.push(`${field}: ${path} is one more than can lead to a page`)
    else if (!taken.has(path)) paths.push(path)
    else if (path !== `/${route}` && !paths.includes(path))
      lost.push(`${field}: something else has the address ${path}`)
    if (path !== null) taken.add(path)
  }
  return { paths, lost }
}
