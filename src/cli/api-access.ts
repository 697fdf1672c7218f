import { isIP } from 'node:net'
import { ConfigError } from '../app/config.ts'
import { ApiError } from '../client/api-error.ts'
import { type Client, createClient } from '../client/client.ts'
import { ServiceError } from '../domain/errors.ts'
import { readSecret } from './secret.ts'

/* How commands reach a server's API: its address, the key, patience. */

/** Longer than a minute's or an hour's limit mostly asks for. */
const MAX_WAIT_SECONDS = 900
const RETRIES = 5

/** A key goes over the network: in plain HTTP to this machine alone. @throws {ConfigError} */
export function serverArgument(flag: string | undefined): string {
  const text = flag ?? process.env['QUOIN_URL']
  if (!text) throw new ConfigError('--server: say where the API is reached, by the flag or as QUOIN_URL.')
  const url = URL.canParse(text) ? new URL(text) : null
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
      '--server: must be https, since the key is sent there; http is for this machine alone.',
    )
  return text.replace(/\/+$/, '')
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Never told again, not even in an error. @throws {ConfigError} */
export function readKey(file: string | undefined): string {
  const key = readSecret(file, 'QUOIN_KEY')
  if (key === '')
    throw new ConfigError('QUOIN_KEY: give the API key there, or in a file named by --key-file.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('QUOIN_KEY: holds no API key, but something else.')
  return key
}

/** Waits as long as limits ask for, and says so. */
export function openApi(server: string, key: string): Client {
  const telling: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    const wait = Number(response.headers.get('retry-after') ?? 0)
    if (response.status === 429 && wait <= MAX_WAIT_SECONDS)
      console.error(`${server} limits how fast it is asked; going on in ${wait} s.`)
    return response
  }
  return createClient({
    baseUrl: server,
    key,
    fetch: telling,
    retries: RETRIES,
    longestWait: MAX_WAIT_SECONDS,
  })
}

/** Uncounted, and tried once: a wrong address is told at once. @throws {TypeError} */
export async function assertReachable(server: string): Promise<void> {
  await fetch(`${server}/healthz`)
}

/** @param again what is to be done then, e.g. `Push again`. @throws */
export function throwUnreachable(server: string, error: unknown, again: string): never {
  if (error instanceof ApiError && error.retryAfter !== null)
    throw new ServiceError('rate_limit_exceeded', `${error.message} ${again} then: it goes on where it was.`)
  if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  throw new ServiceError(
    'internal_error',
    `${server} cannot be reached (${reason}). ${again} when it can: it goes on where it was.`,
    { cause: error },
  )
}
