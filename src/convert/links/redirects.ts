import { posix } from 'node:path'
import type { JsonObject } from '../../domain/json.ts'
import { MAX_REDIRECT_PATHS, readRedirectPath, toPathList } from '../../domain/redirect-path.ts'
import type { FieldProblem, PageTarget } from '../conversion.ts'

/**
 * Previous paths of a page, from the fields of Hugo and Jekyll.
 *
 * @param context.taken used paths of the new site; receives those of this page.
 * @param context.formerPaths paths redirected to the page by the configuration.
 */
export function redirectsOf(
  frontMatter: JsonObject,
  { route, originalPath }: PageTarget,
  { taken, formerPaths }: { readonly taken: Set<string>; readonly formerPaths: readonly string[] },
): { readonly paths: readonly string[]; readonly problems: readonly FieldProblem[] } {
  const candidates = [
    // The path of the page itself, unless it is a pattern.
    ...['permalink', 'url'].flatMap((field) => {
      const own = frontMatter[field]
      return typeof own === 'string' && !/[:{]/.test(own) && readRedirectPath(own) !== null
        ? [[field, own] as const]
        : []
    }),
    ...(originalPath === undefined || originalPath === '/' ? [] : [['permalink', originalPath] as const]),
    ...formerPaths.map((path) => ['redirects', path] as const),
    // Hugo resolves relative paths in the folder of the page, Jekyll in the root of the site.
    ...toPathList(frontMatter['aliases']).map(
      (path) => ['aliases', posix.resolve('/', posix.dirname(route), path)] as const,
    ),
    ...toPathList(frontMatter['redirect_from']).map(
      (path) => ['redirect_from', posix.resolve('/', path)] as const,
    ),
  ]
  const paths: string[] = []
  const problems: FieldProblem[] = []
  for (const [field, written] of candidates) {
    const path = readRedirectPath(written) ?? readRedirectPath(written.toLowerCase())
    const leaveOut = (reason: string) =>
      problems.push({
        code: 'QN-UNUSED-REDIRECT',
        field,
        message: `The redirect from ${written} of \`${field}\` is left out: ${reason}.`,
      })
    // The page for unknown paths is served at its own file.
    if (route === '404' && /^\/404(\.html)?\/?$/.test(written)) continue
    if (path === null) leaveOut('the path is not valid')
    else if (paths.length === MAX_REDIRECT_PATHS)
      leaveOut(`a page has at most ${MAX_REDIRECT_PATHS} redirects`)
    // Addresses that differ only by case are one address.
    else if (path.toLowerCase() !== `/${route}` && !taken.has(path)) paths.push(path)
    else if (path.toLowerCase() !== `/${route}` && !paths.includes(path))
      leaveOut('another page or file has this path')
    if (path !== null) taken.add(path)
  }
  return { paths, problems }
}
