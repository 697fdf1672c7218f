import { Resolver } from 'node:dns/promises'
import type { Resolve } from './target.ts'

const PATIENCE_MS = 3_000
const TRIES = 2

/**
 * Names by the DNS alone. The system's own look-up blocks one of the few threads that also serve the
 * database and the disk: a name whose server does not answer would stop the service.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES })
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    const [v4, v6] = await Promise.all([
      resolver.resolve4(name).catch(noneFor),
      resolver.resolve6(name).catch(noneFor),
    ])
    return [...v4, ...v6]
  }
}

/** A name without addresses of one family has none; a server that does not answer is tried again with the delivery. */
function noneFor(): readonly string[] {
  return []
}
