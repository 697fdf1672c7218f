import type { UrlKind } from '../../domain/author-url.ts'

/** In both the cases people write; any other scheme is dropped. */
export const SAFE_SCHEMES: Readonly<Record<UrlKind, readonly string[]>> = {
  link: ['http', 'https', 'mailto', 'tel', 'HTTP', 'HTTPS', 'MAILTO', 'TEL'],
  image: ['http', 'https', 'HTTP', 'HTTPS'],
}

const ANOTHER_SITE = /^(?:https?:)?\/\//i

export function isExternal(url: string): boolean {
  return ANOTHER_SITE.test(url)
}

/** True of a relative URL, too: what stands before the first colon is a scheme unless a `/`, `?` or `#` comes earlier. */
export function hasSafeScheme(url: string, kind: UrlKind): boolean {
  const [beforeColon = '', afterColon] = url.split(':', 2)
  return afterColon === undefined || /[/?#]/.test(beforeColon) || SAFE_SCHEMES[kind].includes(beforeColon)
}

/** What may not stand in a URL as it is; what looks encoded already is left alone. */
const NEEDS_ENCODING = /%(?![\dA-Za-z]{2})|[^!#$%&-;=?-Z_a-z~]/gu

/** A URL as it was written, with everything encoded that has to be. */
export function encodeUrl(written: string): string {
  return written.replace(NEEDS_ENCODING, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\uFFFD' : character),
  )
}
