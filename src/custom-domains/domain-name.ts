import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { getPublicSuffix } from 'tldts'

/** Rules for domains that no project may take. */
export interface DomainRules {
  /** Hosts of the service itself, lower case. */
  readonly ownHosts: readonly string[]
  /** True when domains must be proved. If not, the installation has one owner, who may use internal names too. */
  readonly needsProof: boolean
}

/** Labels of letters, digits and inner hyphens; the last one, the top-level domain, begins with a letter. */
const NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** ASCII that has no place in a name: ports, paths, percent encoding, addresses in brackets. */
const FOREIGN = /[^a-z0-9.-]/i

/**
 * Top-level domains that are not part of the public DNS: IANA's special-use names, `.internal`, and `.arpa`, which
 * holds the reverse zones and `home.arpa`.
 */
const SPECIAL_USE = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
])

/**
 * The form in which a domain is stored and looked up: lower case, Punycode, without a dot at its end. Every spelling
 * of a name that browsers treat alike (full-width letters, `。`, soft hyphens) has the same form.
 *
 * @returns null for text that is no domain name: IP addresses in any notation, ports, paths, single labels.
 */
export function toDomainName(text: string): string | null {
  // Longer text is no name, and needs no conversion.
  if (text.length > 1024 || FOREIGN.test(text.replace(/\P{ASCII}/gu, ''))) return null
  const ascii = domainToASCII(text).toLowerCase().replace(/\.$/, '')
  return NAME.test(ascii) && isIP(ascii) === 0 ? ascii : null
}

/**
 * Returns why no project may take this domain, as the end of a sentence; null when one may.
 *
 * @param domain as `toDomainName` returns it.
 */
export function refusedDomain(domain: string, { ownHosts, needsProof }: DomainRules): string | null {
  if (ownHosts.some((host) => domain === host || domain.endsWith(`.${host}`)))
    return 'is a domain of this service and cannot be taken.'
  if (!needsProof) return null
  // A page there could set cookies for the service, and lend its name to a forgery of it.
  if (ownHosts.some((host) => isIP(host) === 0 && host.endsWith(`.${domain}`)))
    return 'is the parent of a domain of this service and cannot be taken.'
  if (SPECIAL_USE.has(domain.slice(domain.lastIndexOf('.') + 1)))
    return 'is a special-use name, which is not part of the public DNS.'
  if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    return 'is a public suffix, under which others register their own domains.'
  return null
}
