import Router from '@koa/router'
import { z } from 'zod'
import { toDomainName } from '../custom-domains/domain-name.ts'
import type { Database } from '../db/repositories.ts'
import { ServiceError } from '../domain/errors.ts'
import type { PublicAddresses } from '../domain/project.ts'
import { parseIpRanges } from '../platform/ip-ranges.ts'
import { findServedSite } from '../services/projects/served-hosts.ts'
import { queryOf } from './api.ts'
import { isDirectRequest } from './direct-request.ts'

export interface InternalRoutePorts {
  readonly db: Pick<Database, 'read'>
  readonly addresses: PublicAddresses
  /** Hosts of the service itself, lower case. */
  readonly ownHosts: readonly string[]
  /** Addresses or CIDR ranges of the proxies that may ask. */
  readonly trustProxy: readonly string[]
}

export const AskTls = z.object({
  domain: z
    .string()
    .optional()
    .meta({ examples: ['www.example.com'] }),
})

/**
 * Answers a proxy on this machine, or a trusted one, whether to get a certificate for a host: 200 when a site is served
 * there. All other clients are answered that the route does not exist.
 */
export function internalRoutes({ db, addresses, ownHosts, trustProxy }: InternalRoutePorts): Router {
  const router = new Router()
  const allowed = parseIpRanges(['127.0.0.0/8', '::1', ...trustProxy])

  router.get('/internal/tls-ask', async (ctx) => {
    if (!isDirectRequest(ctx, allowed))
      throw new ServiceError('not_found', `${ctx.method} ${ctx.path} does not exist.`)
    const name = toDomainName(queryOf(ctx).get('domain') ?? '')
    const known = { sitesDomain: addresses.sitesDomain, ownHosts }
    if (name === null || (await findServedSite(db, known, name)) === null)
      throw new ServiceError('not_found', 'No site is served at this domain.')
    ctx.body = { domain: name }
  })

  return router
}
