import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messageOf } from '../domain/errors.ts'
import { allowedAddresses, type Resolve, type TargetRules } from './target.ts'

/** How long a receiver may take for everything: name, connection, request, answer. */
const PATIENCE_MS = 15_000
/** What is read of an answer. */
const ANSWER_BYTES = 64 * 1024
/** Lines of an answer's head, in bytes. */
const HEAD_BYTES = 16 * 1024

export interface SendPorts {
  readonly rules: TargetRules
  readonly resolve: Resolve
  /** Milliseconds; 15 s when absent. */
  readonly timeoutMs?: number
}

export interface Message {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a receiver said, or why nothing is known of that. */
export interface Reply {
  /** Null when there was no answer. */
  readonly status: number | null
  /** What was read of the body, at most 64 KB; as it came, since compression is neither asked for nor undone. */
  readonly answer: string
  readonly retryAfter: string | null
  /** Why there was no answer, or not all of it; null when it was read whole. */
  readonly failure: string | null
}

/**
 * POST a message once. Redirects are answers like any other. The connection goes to an address that was
 * checked: the name is looked up once only.
 *
 * @param stopping breaks it off.
 * @throws the reason of `stopping` once that is aborted; nothing else: trouble of any kind is an answer.
 */
export async function send(message: Message, ports: SendPorts, stopping: AbortSignal): Promise<Reply> {
  stopping.throwIfAborted()
  const { timeoutMs: patienceMs = PATIENCE_MS } = ports
  const attempt = new AbortController()
  const forward = () => attempt.abort(stopping.reason)
  stopping.addEventListener('abort', forward)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    attempt.abort()
  }, patienceMs)
  try {
    const received = await receive(message, ports, attempt.signal)
    stopping.throwIfAborted()
    // A body without a length that is broken off looks like one that has ended.
    return isLate
      ? { ...received, failure: `There was no whole answer within ${patienceMs / 1000} s.` }
      : received
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', forward)
  }
}

/** What came until the signal was aborted. */
async function receive(message: Message, { rules, resolve }: SendPorts, signal: AbortSignal): Promise<Reply> {
  const head: { status: number | null; retryAfter: string | null } = { status: null, retryAfter: null }
  const read: Buffer[] = []
  let trouble: string | null = null
  try {
    const addresses = await before(signal, allowedAddresses(message.url, rules, resolve))
    const response = await responseTo(message, addresses, signal)
    head.status = response.statusCode ?? null
    head.retryAfter = response.headers['retry-after'] ?? null
    if (!(await readStart(response, read)))
      trouble = `Of the answer only the first ${ANSWER_BYTES / 1024} KB were read.`
  } catch (error) {
    trouble = causeOf(error)
  }
  return { ...head, answer: Buffer.concat(read).toString('utf8'), failure: trouble }
}

async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

function responseTo(
  { url, headers, body }: Message,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
      // Each on a connection of its own: a kept one would lead to where the name led before.
      agent: false,
      lookup: pinnedTo(addresses),
      maxHeaderSize: HEAD_BYTES,
      signal,
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('The receiver wanted to speak another protocol.'))
    })
    sent.end(body)
  })
}

/** Answers every look-up with what was checked. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    const [first] = entries
    if (all) callback(null, entries)
    else if (first !== undefined) callback(null, first.address, first.family)
  }
}

/** The beginning of a body, into `read`; of one that is longer the connection is cut there. False then. */
async function readStart(response: IncomingMessage, read: Buffer[]): Promise<boolean> {
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read.push(chunk.subarray(0, ANSWER_BYTES - length))
    length += chunk.byteLength
    if (length > ANSWER_BYTES) break
  }
  response.destroy()
  return length <= ANSWER_BYTES
}

function causeOf(error: unknown): string {
  // Of several addresses none could be reached.
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  return messageOf(error)
}
