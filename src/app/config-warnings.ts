import { type Config, certificateFilesOf } from './config.ts'

/** Settings that can be used and are rarely meant, one sentence or more for each. */
export function configWarnings(config: Config): readonly string[] {
  return [plainHttp(config), unknownName(config)].filter((text) => text !== null)
}

function plainHttp({ tls, trustProxy, allowHttp }: Config): string | null {
  if (tls !== null || trustProxy.length > 0 || allowHttp) return null
  return 'every API request will be refused, because the server receives plain HTTP only. Set QUOIN_TLS=acme, QUOIN_TLS_CERT and QUOIN_TLS_KEY, or QUOIN_TRUST_PROXY. For tests, set QUOIN_TLS=self-signed or QUOIN_ALLOW_HTTP=true.'
}

/** Without a base URL, links in answers name the address of this machine, and the service does not know its own name. */
function unknownName(config: Config): string | null {
  const { trustProxy, baseUrl } = config
  if (baseUrl !== null || (trustProxy.length === 0 && certificateFilesOf(config) === null)) return null
  return 'set QUOIN_BASE_URL to the address that clients use. Links in answers begin with it, and no project may take its host as a custom domain.'
}
