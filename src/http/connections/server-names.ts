import { createSecureContext, type SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { hostName } from '../../domain/site-host.ts'
import type { CertificateService } from '../../services/certificates/certificates.ts'

/** Hosts whose certificates are in memory, about 20 KB each, and for how long: another process may renew one. */
const CACHED_HOSTS = 2_000
const CACHED_MS = 60_000
/** A host without a certificate may get one at any time; the limit is on how often the database is asked. */
const REFUSED_MS = 3_000

export interface ServerNamePorts {
  readonly find: CertificateService['find']
  readonly onError: (error: unknown, host: string) => void
}

type Callback = (error: Error | null, context?: SecureContext) => void

/** Chooses the certificate for the server name of a TLS handshake. Unknown names get none, and their handshake ends. */
export function createServerNames({ find, onError }: ServerNamePorts): {
  readonly choose: (serverName: string, done: Callback) => void
} {
  // The promise is cached, so that concurrent handshakes look up, and order, once.
  const cache = new LRUCache<string, Promise<SecureContext | null>>({ max: CACHED_HOSTS })

  return {
    choose(serverName, done) {
      const host = hostName(serverName)
      if (host === null) return done(new Error('A server name is needed.'))
      contextOf(host).then(
        (context) =>
          context === null ? done(new Error(`There is no certificate for ${host}.`)) : done(null, context),
        (error) => {
          onError(error, host)
          done(new Error(`The certificate of ${host} could not be read.`))
        },
      )
    },
  }

  function contextOf(host: string): Promise<SecureContext | null> {
    const cached = cache.get(host)
    if (cached !== undefined) return cached
    const found = load(host)
    cache.set(host, found, { ttl: CACHED_MS })
    const forget = () => {
      if (cache.peek(host) === found) cache.set(host, found, { ttl: REFUSED_MS })
    }
    found.then((context) => context === null && forget(), forget)
    return found
  }

  async function load(host: string): Promise<SecureContext | null> {
    const certificate = await find(host)
    return certificate && createSecureContext({ cert: certificate.chain, key: certificate.privateKey })
  }
}
