import { withoutEndSlashes } from './end-slashes.ts'
import { parseUrl } from './parse-url.ts'

/** The stored form of a site's URL: http or https, without a trailing slash. Null when the text is not such a URL. */
export function readSiteUrl(text: string): string | null {
  const url = parseUrl(text)
  if (url === null) return null
  const { protocol, host, pathname, search, hash, username } = url
  const isPlain = /^https?:$/.test(protocol) && search + hash + username === ''
  return isPlain ? `${protocol}//${host}${withoutEndSlashes(pathname)}` : null
}
