import type { IncomingMessage } from 'node:http'
import { requestTarget } from './public/request-target.ts'

/** Host of RFC 3986, a name or an IP address, with a port if wanted. No part of it is empty. */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** True when a request names one host. Only HTTP/1.0 may name none, in which case the service itself is meant. */
export function hasWellFormedHost(request: IncomingMessage): boolean {
  const { host } = request.headers
  if (host === undefined) return request.httpVersion === '1.0'
  return countHosts(request) === 1 && HOST.test(host) && HOST.test(requestTarget(request).host)
}

/** Node keeps the first line only in `headers`. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
}
