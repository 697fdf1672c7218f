/** A host of a project: its own domain, or a subdomain of the sites domain. */
export type SiteHost = { readonly customDomain: string } | { readonly subdomain: string }

export interface KnownHosts {
  /** The domain whose subdomains are sites, in lower case; null when none is configured. */
  readonly sitesDomain: string | null
  /** Hosts of the service itself, lower case. */
  readonly ownHosts: readonly string[]
}

/** No look-behind and no overlap, so that matching takes linear time. */
const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d*)?$/

/** A name has at most 253 characters; a final dot and a port may follow. */
const MAX_LENGTH = 253 + '.:65535'.length

/**
 * The name in a `Host` header, in lower case, without port and final dot.
 *
 * @returns null for an IP address, an empty header and an invalid host.
 */
export function hostName(host: string): string | null {
  if (host.length > MAX_LENGTH) return null
  const [, name] = HOST.exec(host.toLowerCase()) ?? []
  return name === undefined || /^[\d.]+$/.test(name) ? null : name
}

/**
 * The name by which a project is looked up for a host.
 *
 * @returns null for hosts of the service itself.
 */
export function siteHost(name: string, { sitesDomain, ownHosts }: KnownHosts): SiteHost | null {
  if (name === 'localhost' || ownHosts.includes(name)) return null
  const suffix = sitesDomain === null ? null : `.${sitesDomain}`
  if (suffix !== null && name.endsWith(suffix)) return { subdomain: name.slice(0, -suffix.length) }
  return { customDomain: name }
}
