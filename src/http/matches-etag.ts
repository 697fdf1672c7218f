/** Reports whether an `If-None-Match` names the tag, by weak comparison: a proxy that compresses weakens tags. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false
}
