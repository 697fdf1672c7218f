import { isIP } from 'node:net'
import { hostName } from '../../domain/site-host.ts'

/**
 * Reports whether the dashboard answers on a host: the host of the base URL, and IP addresses and `localhost`, for
 * trials and operators. A customer's domain that leads here must not show a sign-in page.
 *
 * @param host with its port, as in the header.
 * @param baseUrl the URL at which users reach the service.
 */
export function isDashboardHost(host: string, baseUrl: string): boolean {
  const name = hostName(host)
  if (name === null) return isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) !== 0
  return name === 'localhost' || name === new URL(baseUrl).hostname.replace(/\.$/, '').toLowerCase()
}
