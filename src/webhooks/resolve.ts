import { Resolver } from 'node:dns/promises'
import type { Resolve } from './target.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2

/**
 * Resolves names by DNS only. The system's own look-up (`getaddrinfo`) blocks one of the few threads for the database
 * and the disk, so an unresponsive name server could stop the service.
 */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (options.servers !== undefined) resolver.setServers(options.servers)
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
    let isUnclear = false
    /** No address in this family. If the name server did not answer, a delivery is retried later. */
    const noAddresses = (error: unknown): readonly string[] => {
      const hasNone = error instanceof Error && 'code' in error && NO_ADDRESS.has(String(error.code))
      if (!hasNone) isUnclear = true
      return []
    }
    const [v4, v6] = await Promise.all([
      resolver.resolve4(name).catch(noAddresses),
      resolver.resolve6(name).catch(noAddresses),
    ])
    const found = [...v4, ...v6]
    if (found.length === 0 && isUnclear && options.isStrict === true)
      throw new Error(`The name ${name} could not be looked up: the name server gave no answer.`)
    return found
  }
}

/** Answers of a name server, and not the lack of one. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])

export interface ResolveOptions {
  /** Addresses of name servers; absent: those of the system. */
  readonly servers?: readonly string[]
  /** Throws where it is unclear if a name has an address. */
  readonly isStrict?: boolean
}
