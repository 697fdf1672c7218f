import { certificateHosts } from '../custom-domains/certificate-hosts.ts'
import type { DomainRules } from '../custom-domains/domain-name.ts'
import { createProveDomain, type ProveDomain, proveNothing } from '../custom-domains/prove-domain.ts'
import type { PublicAddresses } from '../domain/project.ts'
import type { Resolve } from '../webhooks/target.ts'
import { type Config, certificateFilesOf, readCertificate } from './config.ts'

/* Which hosts belong to the service, and how the domains of projects are proved. */

/** Opens the proof of custom domains. Its requests to web servers may go to the same addresses as webhooks. */
export function openProveDomain(config: Config, resolve: Resolve): ProveDomain {
  if (!config.domainProof) return proveNothing
  const rules = { allowHttp: true, allowPrivate: config.webhookAllowPrivate }
  return createProveDomain({ targets: { rules, resolve } })
}

/** Hosts of the service itself, on which no site is served. */
export function ownHosts(baseUrl: string, { contentUrl, sitesDomain }: PublicAddresses): readonly string[] {
  const own = [baseUrl, contentUrl].map((url) => new URL(url).hostname.replace(/\.$/, ''))
  return sitesDomain === null ? own : [...own, sitesDomain]
}

/** Without a base URL, clients reach the service by the names of its certificate. */
export function domainRules(config: Config, baseUrl: string, addresses: PublicAddresses): DomainRules {
  const files = config.baseUrl === null ? certificateFilesOf(config) : null
  const own = [
    ...ownHosts(baseUrl, addresses),
    ...(files === null ? [] : certificateHosts(readCertificate(files).cert)),
  ]
  return { ownHosts: own, needsProof: config.domainProof }
}
