import type { IncomingMessage } from 'node:http'

/** What a request is for, as the client sent it. */
export interface RequestTarget {
  /** With its port, if any; empty when the client named none. */
  readonly host: string
  /** Percent-encoded, without the query. */
  readonly path: string
}

/**
 * Where a request is meant to go. The absolute form (`GET http://host/path`) names the host itself,
 * and then wins over the `Host` header, as HTTP asks of every server.
 */
export function requestTarget({ url = '', headers }: IncomingMessage): RequestTarget {
  const [, authority, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  const [path = ''] = rest.split('?')
  return { host: authority ?? headers.host ?? '', path: path === '' ? '/' : path }
}
