import { type ApiError, apiErrorOf } from './api-error.ts'
import type { Api } from './api-types.ts'
import { type PreparedRequest, prepareRequest, type RequestInput, type RequestOptions } from './request.ts'

export interface ClientOptions {
  /** URL of the service, e.g. `https://api.example.com`. */
  readonly baseUrl: string
  readonly key: string
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Retries of a request that was rate-limited or lost; 3 by default. */
  readonly retries?: number
  /** Longest wait for a rate limit in seconds; a longer one throws the error. 60 by default. */
  readonly longestWait?: number
}

/** One operation of the API, as method and path: `GET /pages/{id}`. */
export type Route = keyof Api

/** Input of an operation: path parameters, query and body. */
export type InputOf<R extends Route> = Pick<Api[R], Extract<keyof Api[R], 'path' | 'query' | 'body'>> &
  RequestOptions

/** The answer of an operation. */
export type AnswerOf<R extends Route> = Api[R] extends { readonly answer: infer Answer } ? Answer : never

export interface Answer<R extends Route> {
  readonly status: number
  readonly headers: Headers
  readonly body: AnswerOf<R>
}

/** Operations that answer with JSON, with text (Markdown or HTML), and with a list. */
export type JsonRoute = RouteWhere<{ readonly answer: unknown }>
export type TextRoute = RouteWhere<{ readonly text: true }>
export type ListRoute = RouteWhere<{ readonly answer: { readonly data: readonly unknown[] } }>

export type ItemOf<R extends ListRoute> =
  AnswerOf<R> extends { readonly data: readonly (infer Item)[] } ? Item : never

/**
 * Calls the API with one key. Every method throws an `ApiError` for an unsuccessful answer, and a `TypeError`, as
 * `fetch` does, when there is no answer.
 */
export interface Client {
  /** The body of the answer: `client.request('GET /pages/{id}', { path: { id } })`. */
  request<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<AnswerOf<R>>
  /** The whole answer, e.g. for its `ETag`, which a later change may send as `ifMatch`. */
  send<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<Answer<R>>
  /** The answer of an operation that answers with Markdown or HTML. */
  text<R extends TextRoute>(route: R, ...input: Args<R>): Promise<string>
  /**
   * Iterates over a list, page by page. Sort by `created_at` when others write to the list: otherwise items that move
   * may be returned twice or skipped.
   */
  items<R extends ListRoute>(route: R, ...input: Args<R>): AsyncGenerator<ItemOf<R>, void>
}

type RouteWhere<Shape> = { [R in Route]: Api[R] extends Shape ? R : never }[Route]

/** The input is optional when none of its fields is required. */
type Args<R extends Route> = object extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>]

/** Creates a client for Node and browsers. It retries requests that were rate-limited, refused for lack of room, or lost. */
export function createClient(options: ClientOptions): Client {
  const { fetch: transport = fetch, retries = 3, longestWait = 60 } = options

  return {
    async request(route, ...[input]) {
      const { text } = await answered(route, inputOf(input))
      return JSON.parse(text)
    },

    async send(route, ...[input]) {
      const { response, text } = await answered(route, inputOf(input))
      return { status: response.status, headers: response.headers, body: JSON.parse(text) }
    },

    async text(route, ...[input]) {
      return (await answered(route, inputOf(input))).text
    },

    async *items(route, ...[input]) {
      const given = inputOf(input)
      let offset = Number(given.query?.['offset'] ?? 0)
      for (;;) {
        const { text } = await answered(route, { ...given, query: { ...given.query, offset } })
        const list: List = JSON.parse(text)
        yield* list.data as ItemOf<typeof route>[]
        offset += list.data.length
        if (!hasMore(list)) return
      }
    },
  }

  /** @throws {ApiError} for an unsuccessful answer. */
  async function answered(route: Route, input: RequestInput): Promise<Exchange> {
    const request = prepareRequest(options, route, input)
    for (let sent = 1; ; sent++) {
      const mayRepeat = sent <= retries
      const outcome = await exchange(request, mayRepeat)
      if (outcome !== null) {
        if (outcome.response.ok) return outcome
        const error = apiErrorOf(outcome.response, outcome.text)
        if (!mayRepeat || !isShortLimit(error)) throw error
        await pause(error.retryAfter * 1000, request)
      } else {
        await pause(backoff(sent), request)
      }
    }
  }

  /** Null when there was no answer and the request can be retried. */
  async function exchange(
    { url, init, repeatable }: PreparedRequest,
    mayRepeat: boolean,
  ): Promise<Exchange | null> {
    try {
      const response = await transport(url, init)
      return { response, text: await response.text() }
    } catch (error) {
      if (!mayRepeat || !repeatable || init.signal?.aborted) throw error
      return null
    }
  }

  function isShortLimit(error: ApiError): error is ApiError & { retryAfter: number } {
    return error.retryAfter !== null && error.retryAfter <= longestWait
  }
}

/** Widens the input of one route to that of all routes. */
function inputOf(input: object = {}): RequestInput {
  return input
}

interface Exchange {
  readonly response: Response
  readonly text: string
}

/** A list of either surface. */
interface List {
  readonly data: readonly unknown[]
  readonly meta?: { readonly has_more: boolean }
  readonly has_more?: boolean
}

function hasMore({ data, meta, has_more: legacy }: List): boolean {
  return data.length > 0 && (meta?.has_more ?? legacy ?? false)
}

/** Exponential backoff from 500 ms, with up to 50 % jitter. */
function backoff(sent: number): number {
  return 250 * 2 ** sent * (1 + Math.random() / 2)
}

/** @throws the signal's reason when it is aborted meanwhile. */
function pause(milliseconds: number, { init: { signal } }: PreparedRequest): Promise<void> {
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
