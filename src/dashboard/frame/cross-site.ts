import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a request says about the page that sent it. */
export interface RequestOrigin {
  /** `Sec-Fetch-Site`; empty when absent. */
  readonly fetchSite: string
  /** `Origin`; empty when absent. */
  readonly origin: string
  /** The host of the request with its port. */
  readonly host: string
}

/**
 * Whether a form was sent by a page of the dashboard. Browsers say so in headers that no page can set. Of those that
 * send neither, the form has to have the token of its session.
 *
 * @param hasToken whether the form has it.
 */
export function isOwnForm({ fetchSite, origin, host }: RequestOrigin, hasToken: boolean): boolean {
  if (fetchSite !== '' && fetchSite !== 'same-origin') return false
  if (origin !== '' && hostOf(origin) !== host.toLowerCase()) return false
  return fetchSite !== '' || origin !== '' || hasToken
}

/** Null for the origin of a sandbox, which reads `null`. */
function hostOf(origin: string): string | null {
  return /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? null
}

/** The token of a session's forms. */
export function formToken(sessionId: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(sessionId).digest('base64url')
}

export function isFormToken(given: string, sessionId: string, key: Uint8Array): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(formToken(sessionId, key))]
  return a.length === b.length && timingSafeEqual(a, b)
}
