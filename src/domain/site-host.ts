/** By which of its names a host is a project's. */
export type SiteHost = { readonly customDomain: string } | { readonly subdomain: string }

export interface KnownHosts {
  /** The domain whose subdomains are sites, if there is one; lower case. */
  readonly sitesDomain: string | null
  /** Hosts of the service itself, lower case. */
  readonly ownHosts: readonly string[]
}

/** No look-behind and no overlap, so that reading takes time linear in the length. */
const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d*)?$/

/** A name has at most 253 characters; a final dot and a port may follow. */
const MAX_LENGTH = 253 + '.:65535'.length

/**
 * The name in a `Host` header, in lower case, without port and final dot.
 *
 * @returns null for an IP address, for no host, and for what is none.
 */
export function hostName(host: string): string | null {
  if (host.length > MAX_LENGTH) return null
  const [, name] = HOST.exec(host.toLowerCase()) ?? []
  return name === undefined || /^[\d.]+$/.test(name) ? null : name
}

/**
 * How to look a project up by the name of the host.
 *
 * @returns null for the service's own hosts, which are nobody's site.
 */
export function siteHost(name: string, { sitesDomain, ownHosts }: KnownHosts): SiteHost | null {
  if (name === 'localhost' || ownHosts.includes(name)) return null
  const suffix = sitesDomain === null ? null : `.${sitesDomain}`
  if (suffix !== null && name.endsWith(suffix)) return { subdomain: name.slice(0, -suffix.length) }
  return { customDomain: name }
}
