import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** Every address of a name, of both families; empty when it has none. Asks the network. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface TargetRules {
  /** Take plain HTTP too. */
  readonly allowHttp: boolean
  /** Take addresses that are not public too. */
  readonly allowPrivate: boolean
}

/** An address of a webhook that is not, or not any more, sent to. The message is for its owner. */
class TargetRefused extends Error {}

const LONGEST_URL = 2048

/**
 * What is wrong with a webhook's URL as it is written; null when nothing is. The network is not asked.
 */
export function urlError(text: string, { allowHttp, allowPrivate }: TargetRules): string | null {
  if (text.length > LONGEST_URL) return `must have at most ${LONGEST_URL} characters.`
  const url = /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null || /[\s\p{Cc}]/u.test(text)) return 'must be a URL such as https://example.com/hooks.'
  if (url.protocol === 'http:' && !allowHttp) return 'must begin with https://.'
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user name or password; check the signature instead.'
  const literal = literalAddress(url)
  if (literal !== null && !allowPrivate && !isPublicAddress(literal)) return NOT_PUBLIC
  return null
}

/**
 * The addresses a webhook may be sent to now. Whoever connects has to connect to one of these, and not
 * look the name up again.
 *
 * @throws {TargetRefused} when it has none, or one that is not public.
 */
export async function allowedAddresses(
  url: URL,
  { allowPrivate }: TargetRules,
  resolve: Resolve,
): Promise<readonly string[]> {
  const addresses = await addressesOf(url, resolve)
  if (addresses.length === 0) throw new TargetRefused(`${url.hostname} has no address.`)
  // One of several would do for whoever means harm: which one is taken is chance.
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new TargetRefused(`${url.hostname} ${LEADS}`)
  return addresses
}

/** The address the URL names, or those of its name; none for a name that nobody knows. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const literal = literalAddress(url)
  return literal === null ? resolve(url.hostname) : [literal]
}

const LEADS = 'leads to an address that is private or reserved.'
export const NOT_PUBLIC = 'must not lead to an address that is private or reserved.'

/** The URL parser has made every spelling of an IPv4 address the usual one. */
function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}
