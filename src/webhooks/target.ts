import { isIP } from 'node:net'
import { parseUrl } from '../domain/parse-url.ts'
import { isPublicAddress } from './addresses.ts'

/** Resolves a name to all its IPv4 and IPv6 addresses; empty if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface TargetRules {
  /** Allows plain HTTP. */
  readonly allowHttp: boolean
  /** Allows private and reserved addresses. */
  readonly allowPrivate: boolean
}

/** The webhook's target is not allowed, or not any more. The message is for its owner. */
class TargetRefused extends Error {}

const MAX_URL_LENGTH = 2048

/** Checks the text of a webhook's URL without using the network. Returns an error, or null. */
export function urlError(text: string, { allowHttp, allowPrivate }: TargetRules): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters.`
  const url = /^https?:\/\/[^/\\]/i.test(text) ? parseUrl(text) : null
  if (url === null || /[\s\p{Cc}]/u.test(text)) return 'must be a URL such as https://example.com/hooks.'
  if (url.protocol === 'http:' && !allowHttp) return 'must begin with https://.'
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user name or password; check the signature instead.'
  const literal = literalAddress(url)
  if (literal !== null && !allowPrivate && !isPublicAddress(literal)) return NOT_PUBLIC
  return null
}

/**
 * Resolves a webhook's URL. The caller must connect to one of these addresses and not resolve the name again,
 * because it could then get another one.
 *
 * @throws {TargetRefused} if there is no address, or one that is not public.
 */
export async function allowedAddresses(
  url: URL,
  { allowPrivate }: TargetRules,
  resolve: Resolve,
): Promise<readonly string[]> {
  const addresses = await addressesOf(url, resolve)
  if (addresses.length === 0) throw new TargetRefused(`${url.hostname} has no address.`)
  // One private address among several is enough for an attack, since any of them may be used.
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new TargetRefused(`${url.hostname} ${LEADS}`)
  return addresses
}

/** The address in the URL, or those of its name; empty for an unknown name. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const literal = literalAddress(url)
  return literal === null ? resolve(url.hostname) : [literal]
}

const LEADS = 'leads to an address that is private or reserved.'
export const NOT_PUBLIC = 'must not lead to an address that is private or reserved.'

/** Returns null for a name. The URL parser has normalised every spelling of an IPv4 address. */
function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}
