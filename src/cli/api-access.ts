import { isIP } from 'node:net'
import { ConfigError } from '../app/config.ts'
import { ApiError } from '../client/api-error.ts'
import { API_VERSION } from '../client/api-types.ts'
import { type Client, createClient } from '../client/client.ts'
import { withoutEndSlashes } from '../domain/end-slashes.ts'
import { type ErrorName, ServiceError } from '../domain/errors.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { readSecret } from './secret.ts'

/* Access to a server's API: address, key, retries. */

/** The longest wait for a rate limit. Longer waits end the command. */
const MAX_WAIT_SECONDS = 900
const RETRIES = 5

/** The address of the API, from the flag or QUOIN_URL. Plain HTTP is allowed on this machine only. @throws {ConfigError} */
export function serverArgument(flag: string | undefined): string {
  const text = flag ?? process.env['QUOIN_URL']
  if (!text) throw new ConfigError('--server: name the address of the API with this flag or in QUOIN_URL.')
  const url = parseUrl(text)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ConfigError('--server: must be an http or https URL, e.g. https://quoin.example.com.')
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw new ConfigError(
      '--server: must use https, because the API key is sent there. http works on this machine only.',
    )
  return withoutEndSlashes(text)
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** The API key from a file or QUOIN_KEY. Messages never contain it. @throws {ConfigError} */
export function readKey(file: string | undefined): string {
  const key = readSecret(file, 'QUOIN_KEY')
  if (key === '')
    throw new ConfigError('QUOIN_KEY: set it to the API key, or name a file with the key with --key-file.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError('QUOIN_KEY: is not an API key. Keys begin with qn_live_ and have no blanks.')
  return key
}

/** A client that waits when the server limits the rate, and prints the wait. */
export function openApi(server: string, key: string): Client {
  const fetchAndReportWaits: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    const wait = Number(response.headers.get('retry-after') ?? 0)
    if (response.status === 429 && wait <= MAX_WAIT_SECONDS)
      console.error(`${server} limits the rate of requests. Continuing in ${wait} s.`)
    return response
  }
  return createClient({
    baseUrl: server,
    key,
    fetch: fetchAndReportWaits,
    retries: RETRIES,
    longestWait: MAX_WAIT_SECONDS,
  })
}

/**
 * Sends one request without retries, so that a wrong address fails immediately.
 *
 * @throws {TypeError} without an answer.
 * @throws {ServiceError} when something else than a Quoin server of this version answers.
 */
export async function assertReachable(server: string): Promise<void> {
  const answer = await fetch(`${server}/healthz`, { redirect: 'manual' })
  const problem = problemOfAnswer(server, answer)
  if (problem !== null) throw new ServiceError('invalid_request', problem)
}

/** The reason why a server cannot be used, with advice; null if it can. */
export function problemOfAnswer(server: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
  const target = headers.get('location')
  if (status >= 300 && status < 400)
    return `${server} redirects to ${target}. Give that address with --server.`
  const version = headers.get('service-version')
  if (version === null)
    return `${server} answers (${status}), but is not a Quoin server. Check the address, and the proxy in front of the server.`
  if (version !== API_VERSION)
    return `${server} has version ${version} of the API, and this command ${API_VERSION}. Install the version of Quoin that the server runs.`
  return null
}

/**
 * Explains a failed connection.
 *
 * @param retry the advice, e.g. `push again`.
 * @throws {ServiceError} or the given error when it has another cause.
 */
export function throwUnreachable(server: string, error: unknown, retry: string): never {
  if (error instanceof ApiError && error.retryAfter !== null)
    throw new ServiceError(
      'rate_limit_exceeded',
      `${error.message} Then ${retry}: the command continues where it stopped.`,
    )
  if (error instanceof ApiError && KEY_ERRORS.has(error.name))
    throw new ServiceError(error.name as ErrorName, `${error.message} ${KEY_ADVICE}`, { cause: error })
  if (error instanceof ApiError && error.message === HTTPS_REFUSAL)
    throw new ServiceError('forbidden', `${error.message} ${HTTPS_ADVICE}`, { cause: error })
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  if (!isLate && !(error instanceof TypeError && error.message === 'fetch failed')) throw error
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  const advice = connectionAdvice(code)
  const next = advice === null ? `When it can, ${retry}` : `${advice} Then ${retry}`
  throw new ServiceError(
    'internal_error',
    `${server} cannot be reached (${cause.message}). ${next}: the command continues where it stopped.`,
    { cause: error },
  )
}

const KEY_ERRORS: ReadonlySet<string> = new Set(['missing_api_key', 'unauthorized', 'invalid_api_key'])
const KEY_ADVICE =
  'Set QUOIN_KEY to a valid key of this server; the operator creates one with quoin keys create.'

/** The message of a server that receives plain HTTP but does not accept it. */
const HTTPS_REFUSAL = 'HTTPS is required.'
const HTTPS_ADVICE =
  'Name the https address of the server with --server. For tests on this machine, start it with QUOIN_ALLOW_HTTP=true.'

/** Advice for a connection that failed with this code; null if only the reason can say. */
export function connectionAdvice(code: string): string | null {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'No host has this name: check --server for a typing error, and your network.'
  if (code === 'ECONNREFUSED') return 'No server listens there: start it with quoin serve, or check the port.'
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return 'Its certificate is not trusted: use the name that the certificate is for, or name its authority in NODE_EXTRA_CA_CERTS.'
  if (/^(EPROTO|ERR_SSL)/.test(code))
    return 'It does not speak HTTPS there: check the port, or use http on this machine.'
  return null
}
