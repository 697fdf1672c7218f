/** The stored form of a site's URL: http or https, without a slash at its end. Null when the text is not such a URL. */
export function readSiteUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname, search, hash, username } = new URL(text)
  const isPlain = /^https?:$/.test(protocol) && search + hash + username === ''
  return isPlain ? `${protocol}//${host}${pathname.replace(/\/+$/, '')}` : null
}
