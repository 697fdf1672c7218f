/** What a URL is for: somewhere to go, or a picture to show. */
export type UrlKind = 'link' | 'image'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const NEVER_IN_A_URL = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/** Where a scheme would stand, e.g. `java&#115;cript`: harmless when escaped, but nobody means it well. */
const ENTITY_FOR_SCHEME = /^[^/?]*&(#|[a-z][a-z0-9]*;)/i
const SCHEME = /^([^/?#]*?):/

/**
 * The URL to write for one an author wrote, or null for one that is not safe or makes no sense.
 * Whatever is returned leads to `http`, `https`, `mailto`, `tel` or a place on the author's site, and
 * has no spaces, quotes or angle brackets.
 */
export function safeUrl(raw: string, kind: UrlKind): string | null {
  if (NEVER_IN_A_URL.test(raw)) return null
  const url = escaped(raw.trim())
  if (url === '' || ENTITY_FOR_SCHEME.test(url)) return null
  if (url.startsWith('//')) return absoluteUrl(`https:${url}`)

  const scheme = schemeOf(url)
  if (scheme === null) return kind === 'image' && url.startsWith('#') ? null : url
  if (scheme === 'http' || scheme === 'https') return absoluteUrl(url)
  return kind === 'link' && (scheme === 'mailto' || scheme === 'tel') ? url : null
}

/** In lower case; null for a URL that stays on its site. */
export function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null
}

/** What browsers and servers would have to encode anyway. */
function escaped(url: string): string {
  return url.replace(/[\s"<>`]/g, (character) => encodeURIComponent(character))
}

function absoluteUrl(url: string): string | null {
  return /^https?:\/\/[^/?#]/i.test(url) && parses(url) ? url : null
}

/** Not `URL.canParse`: once it is optimised, that of Node 20 refuses letters such as `é`. */
function parses(url: string): boolean {
  try {
    return new URL(url).host !== ''
  } catch {
    return false
  }
}

/** A path or a fragment without its escapes; as it is where those are none. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
