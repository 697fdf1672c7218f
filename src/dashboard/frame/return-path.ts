/** Default path after sign-in. */
export const HOME = '/dashboard/projects'

/**
 * The path to return to after sign-in. Only a path of the dashboard is followed: an address elsewhere would make the
 * sign-in page an open redirect.
 */
export function returnPath(wanted: string): string {
  if (wanted.length > 2_000 || !/^\/dashboard(\/[\w/.~%-]*)?(\?[\w=&%.~*+-]*)?$/.test(wanted)) return HOME
  // A browser resolves dot segments before it asks.
  const { pathname, search } = new URL(wanted, 'http://dashboard.invalid')
  const isInside = /^\/dashboard(\/|$)/.test(pathname) && !/^\/dashboard\/(sign-|set-up)/.test(pathname)
  return isInside ? pathname + search : HOME
}
