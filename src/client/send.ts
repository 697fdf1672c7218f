import { type ApiError, apiErrorOf } from './api-error.ts'
import type { PreparedRequest } from './request.ts'

export interface SendOptions {
  readonly fetch: typeof fetch
  /** Retries of a request that was limited, refused for lack of room, or lost. */
  readonly retries: number
  /** Longest wait that the service may ask for, in seconds. */
  readonly longestWait: number
  /** Longest time for the answer to one attempt, in seconds. */
  readonly timeLimit: number
}

/** A successful answer with its whole body. */
export interface Exchange {
  readonly response: Response
  readonly text: string
}

/**
 * Sends a request until it is answered. A rejection for lack of requests or of room comes before any effect of the
 * request. Without an answer, or when a proxy answers for the service, only a repeatable request is sent again.
 *
 * @throws {ApiError} for an unsuccessful answer.
 * @throws what `fetch` throws without an answer, and the reason of the caller's signal.
 */
export function sendRequest(request: PreparedRequest, options: SendOptions): Promise<Exchange> {
  return sendUntilAnswered(request, options, { isSuccess: ({ ok }) => ok, read: (answer) => answer.text() })
}

/** Rules for the success of an answer, and for reading its text. */
interface Reading {
  readonly isSuccess: (response: Response) => boolean
  readonly read: (response: Response) => Promise<string>
}

/**
 * Does the same as `sendRequest`, but leaves the body of a successful answer to the caller, who reads or cancels it. An
 * answer of 304 is successful too.
 */
export async function openAnswer(request: PreparedRequest, options: SendOptions): Promise<Response> {
  const isSuccess = ({ ok, status }: Response) => ok || status === 304
  const read = (response: Response) => (isSuccess(response) ? Promise.resolve('') : response.text())
  return (await sendUntilAnswered(request, options, { isSuccess, read })).response
}

async function sendUntilAnswered(
  request: PreparedRequest,
  options: SendOptions,
  reading: Reading,
): Promise<Exchange> {
  for (let sent = 1; ; sent++) {
    const isLast = sent > options.retries
    const outcome = await attempt(request, options, isLast, reading)
    if (outcome !== null && reading.isSuccess(outcome.response)) return outcome
    const error = outcome === null ? null : apiErrorOf(outcome.response, outcome.text)
    if (error !== null && (isLast || !mayPass(error, request, options))) throw error
    const wait = error?.retryAfter == null ? backoff(sent) : jittered(error.retryAfter * 1000)
    await pause(wait, request.init.signal)
  }
}

/** Sends a request once. Null when there was no answer and the request can be sent again. */
async function attempt(
  { url, init, repeatable, openBody }: PreparedRequest,
  { fetch, timeLimit }: SendOptions,
  isLast: boolean,
  { read }: Reading,
): Promise<Exchange | null> {
  const end = new AbortController()
  // A file takes as long as it takes; the service closes connections that stall.
  const late = openBody === undefined ? setTimeout(() => end.abort(timeout()), timeLimit * 1000) : undefined
  const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), end.signal])
  // A stream needs `duplex`.
  const body = openBody && ({ body: openBody(), duplex: 'half' } as const)
  try {
    const response = await fetch(url, { ...init, ...body, signal })
    return { response, text: await read(response) }
  } catch (error) {
    if (init.signal?.aborted || isLast || !repeatable) throw error
    return null
  } finally {
    clearTimeout(late)
    // Closes a file that the answer did not need to its end.
    if (openBody !== undefined) end.abort()
  }
}

/** The error of `AbortSignal.timeout`. */
function timeout(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}

/** Reports whether the same request may succeed after a wait that the caller accepts. */
function mayPass(
  { name, statusCode, retryAfter }: ApiError,
  { repeatable }: PreparedRequest,
  { longestWait }: SendOptions,
): boolean {
  if (statusCode !== 429 && statusCode !== 503) return false
  return (repeatable || name !== 'unexpected_answer') && (retryAfter ?? 0) <= longestWait
}

/** Exponential backoff from 500 ms. */
function backoff(sent: number): number {
  return jittered(250 * 2 ** sent, 0.5)
}

/** Lengthens a wait at random, so that clients rejected together come back apart. */
function jittered(milliseconds: number, share = 0.1): number {
  return milliseconds * (1 + Math.random() * share)
}

/** @throws the signal's reason when it is aborted meanwhile. */
export function pause(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()

    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
  })
}
