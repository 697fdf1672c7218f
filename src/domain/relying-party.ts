import { hostName } from './site-host.ts'

/** The scope of passkeys: authenticators sign it, so that no other site can use them. */
export interface RelyingParty {
  /** The host of the dashboard, without a port. */
  readonly id: string
  /** The origin in the form of browsers. */
  readonly origin: string
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns the scope of the passkeys of a request: the host of the base URL. For an address of this machine, it is
 * `localhost` on the same port, because addresses cannot have passkeys.
 *
 * @param host of the request, with its port.
 * @returns null on any other host, where a browser would refuse the passkeys of this one.
 */
export function relyingParty(host: string, baseUrl: string): RelyingParty | null {
  const base = new URL(baseUrl)
  const name = hostName(host)
  if (name === null || portOf(host) !== base.port) return null
  const expected = LOOPBACK.test(base.hostname) ? 'localhost' : hostName(base.hostname)
  if (name !== expected) return null
  return { id: name, origin: `${base.protocol}//${name}${base.port === '' ? '' : `:${base.port}`}` }
}

function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? ''
}
