import type { IncomingMessage } from 'node:http'

/** Target of a request, as the client sent it. */
export interface RequestTarget {
  /** With its port, if any; empty when the client named none. */
  readonly host: string
  /** Percent-encoded, without the query. */
  readonly path: string
}

/**
 * Reads the target of a request. In the absolute form (`GET http://host/path`) its host takes precedence over the
 * `Host` header (RFC 9112, section 3.2.2).
 */
export function requestTarget({ url = '', headers }: IncomingMessage): RequestTarget {
  const [, authority, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  const [path = ''] = rest.split('?')
  return { host: authority ?? headers.host ?? '', path: path === '' ? '/' : path }
}
