import { parseUrl } from './parse-url.ts'

/** Use of a URL: the target of a link, or the source of an image. */
export type UrlKind = 'link' | 'image'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const NEVER_IN_A_URL = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/** An entity in the position of a scheme, e.g. `java&#115;cript`: harmless if escaped, but only attackers write it. */
const ENTITY_FOR_SCHEME = /^[^/?]*&(#|[a-z][a-z0-9]*;)/i
const SCHEME = /^([^/?#]*?):/

/**
 * Sanitises a URL that an author wrote; null when it is unsafe or invalid. The result has the scheme `http`, `https`,
 * `mailto` or `tel`, or is relative to the author's site, and contains no spaces, quotes or angle brackets.
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

/** The scheme in lower case; null for a relative URL. */
export function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null
}

/** Encodes characters that browsers would encode. */
function escaped(url: string): string {
  return url.replace(/[\s"<>`]/g, (character) => encodeURIComponent(character))
}

function absoluteUrl(url: string): string | null {
  return /^https?:\/\/[^/?#]/i.test(url) && (parseUrl(url)?.host ?? '') !== '' ? url : null
}

/** Decodes the escapes of a path or fragment; returns it unchanged when they are malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

/** The end of a sentence about a text that is not `isWebAddress`. */
export const WEB_ADDRESS_RULE = 'must be an http or https URL, or start with "/".'

/** Reports whether a text is the address of a page or file: `https`, `http` or root-relative. */
export function isWebAddress(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text)) return false
  if (/^\/(?!\/)/.test(text)) return true
  return /^https?:\/\/[^/]/i.test(text) && parseUrl(text) !== null
}

/** The end of a sentence about a text that is not `isLinkAddress`. */
export const LINK_ADDRESS_RULE = 'must be an http, https, mailto or tel URL, or start with "/" or "#".'

/** Reports whether a text is the target of a link in a setting. */
export function isLinkAddress(text: string): boolean {
  if (/^(mailto|tel):/i.test(text)) return /^[a-z]+:\S+$/i.test(text) && parseUrl(text) !== null
  return isWebAddress(text) || /^#[^\s]*$/.test(text)
}
