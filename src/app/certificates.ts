import type { Logger } from 'pino'
import { createAcmeAuthority } from '../certificates/acme-authority.ts'
import type { Database } from '../db/repositories.ts'
import type { PublicAddresses } from '../domain/project.ts'
import { hostName } from '../domain/site-host.ts'
import type { Timers } from '../domain/timers.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { type CertificateService, createCertificateService } from '../services/certificates/certificates.ts'
import { findServedSite } from '../services/projects/served-hosts.ts'
import { acmeOf, type Config } from './config.ts'
import { ownHosts } from './domains.ts'

export interface CertificateSettings {
  readonly config: Config
  readonly baseUrl: string
  readonly addresses: PublicAddresses
  readonly db: Database
  readonly masterKey: MasterKey
  readonly now: () => string
  readonly timers: Timers
  readonly log: Logger
}

/** Certificates of the service's own hosts and of the sites that it serves; null where they come from elsewhere. */
export function openCertificates({
  config,
  baseUrl,
  addresses,
  db,
  ...ports
}: CertificateSettings): CertificateService | null {
  const acme = acmeOf(config)
  if (acme === null) return null
  const own = [...new Set([baseUrl, addresses.contentUrl].map((url) => new URL(url).hostname))]
  const known = { sitesDomain: addresses.sitesDomain, ownHosts: ownHosts(baseUrl, addresses) }
  return createCertificateService({
    ...ports,
    db,
    authority: createAcmeAuthority(acme),
    ownHosts: own.filter((host) => hostName(host) !== null),
    isSite: async (host) => (await findServedSite(db, known, host)) !== null,
  })
}
