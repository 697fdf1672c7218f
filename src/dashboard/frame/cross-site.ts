import { createHmac, timingSafeEqual } from 'node:crypto'

/** Headers of a request about the page that sent it. */
export interface RequestOrigin {
  /** `Sec-Fetch-Site`; empty when absent. */
  readonly fetchSite: string
  /** `Origin`; empty when absent. */
  readonly origin: string
  /** The host of the request with its port. */
  readonly host: string
  /** Schemes over which the dashboard may have been opened, such as `https:`. */
  readonly schemes: readonly string[]
}

/**
 * Reports whether a page of the dashboard sent the form. Browsers say so in headers that no page can set. Without these
 * headers, the form must contain the token of its session.
 *
 * @param hasToken whether the form has the token.
 */
export function isOwnForm({ fetchSite, origin, host, schemes }: RequestOrigin, hasToken: boolean): boolean {
  if (fetchSite !== '' && fetchSite !== 'same-origin') return false
  if (origin !== '' && !schemes.some((scheme) => origin.toLowerCase() === `${scheme}//${host.toLowerCase()}`))
    return false
  return fetchSite !== '' || origin !== '' || hasToken
}

/** The token of a session's forms. */
export function formToken(sessionId: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(sessionId).digest('base64url')
}

export function isFormToken(given: string, sessionId: string, key: Uint8Array): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(formToken(sessionId, key))]
  return a.length === b.length && timingSafeEqual(a, b)
}
