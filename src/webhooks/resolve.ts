import { Resolver } from 'node:dns/promises'
import type { Resolve } from './target.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/**
 * Resolves names by DNS only. The system's own look-up (`getaddrinfo`) blocks one of the few threads that also
 * serve the database and the disk, so a name server that does not answer could stop the service.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const [v4, v6] = await Promise.all([
      resolver.resolve4(name).catch(noAddresses),
      resolver.resolve6(name).catch(noAddresses),
    ])
    return [...v4, ...v6]
  }
}

/** No address in this family. If the name server did not answer, the delivery is retried later. */
function noAddresses(): readonly string[] {
  return []
}
