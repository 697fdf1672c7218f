import { isIP } from 'node:net'
import { ConfigError } from '../app/config.ts'
import { ApiError } from '../client/api-error.ts'
import { type Client, createClient } from '../client/client.ts'
import { ServiceError } from '../domain/errors.ts'
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
  return text.replace(/\/+$/, '')
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** The API key from a file or QUOIN_KEY. Messages never contain it. @throws {ConfigError} */
export function readKey(file: string | undefined): string {
  const key = readSecret(file, 'QUOIN_KEY')
  if (key === '')
    throw new ConfigError('QUOIN_KEY: set it to the API key, or name a file with the key with --key-file.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('QUOIN_KEY: is not an API key.')
  return key
}

/** A client that waits when the server limits the rate, and prints that it does. */
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

/** Sends one request without retries, so that a wrong address fails immediately. @throws {TypeError} */
export async function assertReachable(server: string): Promise<void> {
  await fetch(`${server}/healthz`)
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
  if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  throw new ServiceError(
    'internal_error',
    `${server} cannot be reached (${reason}). When it can, ${retry}: the command continues where it stopped.`,
    { cause: error },
  )
}
