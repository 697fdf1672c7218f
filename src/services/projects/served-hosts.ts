import type { HostedProject } from '../../db/repositories/projects.ts'
import type { Database } from '../../db/repositories.ts'
import { type KnownHosts, siteHost } from '../../domain/site-host.ts'

/**
 * Finds the project whose site a host serves: the host may have a certificate. Null for hosts of the service itself,
 * and for domains that are not proved.
 *
 * @param name lower case, without port and final dot.
 */
export async function findServedSite(
  db: Pick<Database, 'read'>,
  known: KnownHosts,
  name: string,
): Promise<HostedProject | null> {
  const host = siteHost(name, known)
  return host === null ? null : db.read.projects.findByHost(host)
}
