import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { messageOf } from '../../domain/errors.ts'
import type { Resolve } from '../../webhooks/target.ts'
import { type Config, localUrl } from '../config.ts'
import { examineServedCertificates } from './certificates.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const ANSWER_MS = 10_000
/** A name that no site has: it resolves only where the domain has a wildcard record. */
const UNUSED_NAME = 'quoin-doctor-check'

export interface NetworkPorts {
  readonly resolve: Resolve
  readonly now: number
}

/** Checks whether clients reach the service at the addresses of its settings, and with which certificate. */
export async function* examineAddresses(
  config: Config,
  { resolve, now }: NetworkPorts,
): AsyncGenerator<Finding> {
  yield await examineAnswer(config)
  const { baseUrl, contentUrl, sitesDomain } = config
  const secure = [baseUrl, contentUrl].flatMap((url) =>
    url?.startsWith('https:') ? [new URL(url).host] : [],
  )
  yield* await examineServedCertificates('certificate', [...new Set(secure)], now)
  if (sitesDomain === null) return
  const [address] = await resolve(`${UNUSED_NAME}.${sitesDomain}`)
  yield address === undefined
    ? failure(
        'address',
        `*.${sitesDomain} (QUOIN_SITES_DOMAIN) has no address.`,
        `Enter a wildcard record *.${sitesDomain} at the DNS that leads to this service.`,
      )
    : ok('address', `*.${sitesDomain} leads to ${address}.`)
}

/** Asks the running service whether it can work. */
async function examineAnswer(config: Config): Promise<Finding> {
  const url = `${config.baseUrl ?? localUrl(config)}/readyz`
  try {
    const status = await statusOf(new URL(url))
    if (status === 200) return ok('address', `The service is ready at ${url}.`)
    if (status === 503) return failure('address', `The service at ${url} is not ready.`, 'Its log says why.')
    return failure(
      'address',
      `${url} answers ${status}, which is no answer of Quoin.`,
      'Check QUOIN_BASE_URL and the proxy in front of the service.',
    )
  } catch (error) {
    return warning(
      'address',
      `No service answers at ${url} (${messageOf(error)}).`,
      'Start it with quoin serve, or correct QUOIN_BASE_URL.',
    )
  }
}

/** The certificate is another check: a self-signed one is no reason for no answer. */
function statusOf(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(ANSWER_MS), rejectUnauthorized: false }
    const request = url.protocol === 'https:' ? requestTls(url, options) : requestPlain(url, options)
    request.on('response', (answer) => {
      answer.destroy()
      resolve(answer.statusCode ?? 0)
    })
    request.on('error', (error) => reject(reasonOf(error)))
    request.end()
  })
}

/** Returns the error of the first address of a host with several: an `AggregateError` has no message. */
function reasonOf(error: Error): Error {
  return error instanceof AggregateError ? error.errors[0] : error
}
