import { parseUrl, readEndpoint } from '../domain/parse-url.ts'

/** CDN services with a supported API. */
export const CDN_SERVICES = ['cloudfront', 'fastly', 'cloudflare', 'bunny'] as const
export type CdnService = (typeof CDN_SERVICES)[number]

/** The CDN, or another HTTP cache, that is purged. */
export type PurgeTarget = CdnTarget | WebhookTarget

export interface CdnTarget {
  readonly service: CdnService
  /** Id of the distribution, service, zone or pull zone. */
  readonly id: string
  /** Unit of a purge: cache tags, or the addresses of changed objects where the CDN gets no tags. */
  readonly by: 'tags' | 'urls'
  /** Base URL of the API, without a trailing slash. */
  readonly endpoint: string
  /** The API token. CloudFront has none: requests are signed with the credentials of the AWS SDK. */
  readonly token: string | null
}

export interface WebhookTarget {
  readonly service: 'webhook'
  readonly url: string
  /** Sent as `Authorization: Bearer`; null sends none. */
  readonly token: string | null
}

const ENDPOINTS: Readonly<Record<CdnService, string>> = {
  cloudfront: 'https://cloudfront.amazonaws.com',
  fastly: 'https://api.fastly.com',
  cloudflare: 'https://api.cloudflare.com',
  bunny: 'https://api.bunny.net',
}

const PARAMETERS = ['by', 'endpoint']
const EXAMPLES =
  'fastly:SERVICE_ID, cloudflare:ZONE_ID, bunny:PULL_ZONE_ID, cloudfront:DISTRIBUTION_ID or https://cache.example.com/purge'

/**
 * @param text `fastly:<service>?by=&endpoint=`, or the URL of a webhook.
 * @param token null for none.
 * @throws {RangeError} with the reason, without a full stop. It never contains the token.
 */
export function parsePurgeUrl(text: string, token: string | null): PurgeTarget {
  if (token !== null && !/^[\x21-\x7e]{1,4096}$/.test(token))
    throw new RangeError('needs a token of visible ASCII characters in QUOIN_PURGE_TOKEN')
  if (/^https?:\/\//i.test(text)) return readWebhook(text, token)
  const [, name = '', id = '', query = ''] = /^([a-z]+):([A-Za-z0-9_-]{1,64})(?:\?(.*))?$/.exec(text) ?? []
  const service = CDN_SERVICES.find((known) => known === name)
  if (service === undefined) throw new RangeError(`must look like ${EXAMPLES}`)
  const parameters = new URLSearchParams(query)
  for (const parameter of parameters.keys())
    if (!PARAMETERS.includes(parameter))
      throw new RangeError(`knows the parameters ${PARAMETERS.join(', ')}, not ${JSON.stringify(parameter)}`)
  if (service === 'cloudfront' && token !== null)
    throw new RangeError(
      'is of CloudFront, which takes no QUOIN_PURGE_TOKEN; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or another source of the AWS SDK',
    )
  if (service !== 'cloudfront' && token === null)
    throw new RangeError('needs the API token of the CDN in QUOIN_PURGE_TOKEN')
  const by = readBy(service, parameters.get('by'))
  return {
    service,
    id,
    by,
    endpoint: readEndpoint(parameters.get('endpoint'), 'https://api.example.com') ?? ENDPOINTS[service],
    token,
  }
}

function readWebhook(text: string, token: string | null): WebhookTarget {
  const url = parseUrl(text)
  if (url === null || url.hash !== '') throw new RangeError(`must look like ${EXAMPLES}`)
  if (url.username !== '' || url.password !== '')
    throw new RangeError(
      'takes no user name or password; set QUOIN_PURGE_TOKEN, which is sent as a bearer token',
    )
  return { service: 'webhook', url: text, token }
}

function readBy(service: CdnService, text: string | null): 'tags' | 'urls' {
  if (!text || text === 'tags') return 'tags'
  if (text !== 'urls') throw new RangeError(`has by=${JSON.stringify(text)}; it must be tags or urls`)
  if (service === 'fastly')
    throw new RangeError('has by=urls, but Fastly cannot purge a whole site by its URLs; use tags')
  return 'urls'
}
