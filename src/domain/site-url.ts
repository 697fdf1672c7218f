/** Where a site is read: an http or https URL, without the slash at its end; null for what is none. */
export function readSiteUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname, search, hash, username } = new URL(text)
  const isPlain = /^https?:$/.test(protocol) && search + hash + username === ''
  return isPlain ? `${protocol}//${host}${pathname.replace(/\/+$/, '')}` : null
}
