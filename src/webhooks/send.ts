import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messageOf } from '../domain/errors.ts'
import { allowedAddresses, type Resolve, type TargetRules } from './target.ts'

/** Time limit of one attempt: name, connection, request and reply. */
const TIMEOUT_MS = 15_000
/** Bytes of a reply's body that are read. */
const MAX_REPLY_BYTES = 64 * 1024
/** Bytes of a reply's headers. */
const MAX_HEADER_BYTES = 16 * 1024

export interface SendPorts {
  readonly rules: TargetRules
  readonly resolve: Resolve
  /** Milliseconds; 15 s when absent. */
  readonly timeoutMs?: number
}

export interface Message {
  /** POST when absent. Others have no body. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The reply of a receiver, or why there is none. */
export interface Reply {
  /** HTTP status; null if there was no reply. */
  readonly status: number | null
  /** Up to 64 KB of the body, as received: compression is neither requested nor undone. */
  readonly answer: string
  readonly retryAfter: string | null
  /** Target of a redirect, as written; absent for none. */
  readonly location?: string
  /** Reason why there was no reply, or only a part of it; null if it was read whole. */
  readonly failure: string | null
}

/**
 * Sends a message once. Does not follow redirects. The name is resolved once, and the connection goes to
 * one of the addresses that were checked.
 *
 * @param stopping aborts the attempt.
 * @throws the reason of `stopping` once it is aborted, and nothing else: every other failure is a `Reply`.
 */
export async function send(message: Message, ports: SendPorts, stopping: AbortSignal): Promise<Reply> {
  stopping.throwIfAborted()
  const { timeoutMs = TIMEOUT_MS } = ports
  const attempt = new AbortController()
  const forward = () => attempt.abort(stopping.reason)
  stopping.addEventListener('abort', forward)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    attempt.abort()
  }, timeoutMs)
  try {
    const received = await receive(message, ports, attempt.signal)
    stopping.throwIfAborted()
    // A body without a length that was cut off by the time limit looks complete.
    return isLate
      ? { ...received, failure: `The receiver did not reply completely within ${timeoutMs / 1000} s.` }
      : received
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', forward)
  }
}

/** Returns what was received before the signal was aborted. */
async function receive(message: Message, ports: SendPorts, signal: AbortSignal): Promise<Reply> {
  const head: { status: number | null; retryAfter: string | null; location?: string } = {
    status: null,
    retryAfter: null,
  }
  const read: Buffer[] = []
  let failure: string | null = null
  try {
    const response = await openReply(message, ports, signal)
    head.status = response.statusCode ?? null
    head.retryAfter = response.headers['retry-after'] ?? null
    if (response.headers.location !== undefined) head.location = response.headers.location
    if (!(await readStart(response, read)))
      failure = `Only the first ${MAX_REPLY_BYTES / 1024} KB of the reply were read.`
  } catch (error) {
    failure = causeOf(error)
  }
  return { ...head, answer: Buffer.concat(read).toString('utf8'), failure }
}

/**
 * Sends a message once, and returns the reply before its body. The caller reads the body, or destroys the reply.
 *
 * @throws {Error} without a reply, for an address that the rules do not allow, and when the signal is aborted.
 */
export async function openReply(
  message: Message,
  { rules, resolve }: Pick<SendPorts, 'rules' | 'resolve'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const addresses = await unlessAborted(signal, allowedAddresses(message.url, rules, resolve))
  return responseTo(message, addresses, signal)
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

function responseTo(
  { method = 'POST', url, headers, body }: Message,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, {
      method,
      headers: {
        ...headers,
        ...(method === 'POST' && { 'Content-Length': Buffer.byteLength(body) }),
        Connection: 'close',
      },
      // A new connection each time: a pooled one would go to an address that was checked earlier.
      agent: false,
      lookup: pinnedTo(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('The receiver asked to switch to another protocol.'))
    })
    sent.end(body)
  })
}

/** A look-up that returns the checked addresses for every name. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    const [first] = entries
    if (all) callback(null, entries)
    else if (first !== undefined) callback(null, first.address, first.family)
  }
}

/** Reads the start of a body into `read`. Closes the connection of a longer body and returns false. */
async function readStart(response: IncomingMessage, read: Buffer[]): Promise<boolean> {
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read.push(chunk.subarray(0, MAX_REPLY_BYTES - length))
    length += chunk.byteLength
    if (length > MAX_REPLY_BYTES) break
  }
  response.destroy()
  return length <= MAX_REPLY_BYTES
}

function causeOf(error: unknown): string {
  // None of several addresses could be reached.
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  return messageOf(error)
}
