/** Names with a dot that belong to a site: web servers, hosts and well-known URIs (RFC 8615) ask for them. */
export const DOT_NAMES: ReadonlySet<string> = new Set(['.well-known', '.nojekyll', '.htaccess', '.domains'])

/**
 * Reports whether a file or folder of this name may be part of a site. All other names that start with a dot belong to
 * systems, editors, version control and Quoin itself.
 */
export function isSiteName(name: string): boolean {
  return !name.startsWith('.') || DOT_NAMES.has(name)
}
