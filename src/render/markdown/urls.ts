import type { UrlKind } from '../../domain/author-url.ts'

/** Schemes in the two common spellings. All others are dropped. */
export const SAFE_SCHEMES: Readonly<Record<UrlKind, readonly string[]>> = {
  link: ['http', 'https', 'mailto', 'tel', 'HTTP', 'HTTPS', 'MAILTO', 'TEL'],
  image: ['http', 'https', 'HTTP', 'HTTPS'],
}

const ANOTHER_SITE = /^(?:https?:)?\/\//i

export function isExternal(url: string): boolean {
  return ANOTHER_SITE.test(url)
}

/**
 * True for relative URLs, too: text before the first colon is a scheme unless a `/`, `?` or `#` precedes it.
 */
export function hasSafeScheme(url: string, kind: UrlKind): boolean {
  const [beforeColon = '', afterColon] = url.split(':', 2)
  return afterColon === undefined || /[/?#]/.test(beforeColon) || SAFE_SCHEMES[kind].includes(beforeColon)
}

/** Characters to percent-encode. Existing percent-encodings are left alone. */
const NEEDS_ENCODING = /%(?![\dA-Za-z]{2})|[^!#$%&-;=?-Z_a-z~]/gu

/** Percent-encodes a URL as remark-rehype does. */
export function encodeUrl(written: string): string {
  return written.replace(NEEDS_ENCODING, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\uFFFD' : character),
  )
}
