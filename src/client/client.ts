import { type ApiError, apiErrorOf } from './api-error.ts'
import type { Api } from './api-types.ts'
import { type PreparedRequest, prepareRequest, type RequestInput, type RequestOptions } from './request.ts'

export interface ClientOptions {
  /** Where the service is reached, e.g. `https://api.example.com`. */
  readonly baseUrl: string
  readonly key: string
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How often a request is sent again that was limited or lost on the way; 3 unless told otherwise. */
  readonly retries?: number
  /** The longest wait a limit may ask for, in seconds; one that asks for more is thrown. 60 unless told otherwise. */
  readonly longestWait?: number
}

/** One operation of the API: its method and its path, as the documentation has them. */
export type Route = keyof Api

/** What an operation is given: the parts of its path, its query, its body. */
export type InputOf<R extends Route> = Pick<Api[R], Extract<keyof Api[R], 'path' | 'query' | 'body'>> &
  RequestOptions

/** What an operation answers. */
export type AnswerOf<R extends Route> = Api[R] extends { readonly answer: infer Answer } ? Answer : never

export interface Answer<R extends Route> {
  readonly status: number
  readonly headers: Headers
  readonly body: AnswerOf<R>
}

/** Operations that answer with JSON, those with text (Markdown or HTML), and those with a list. */
export type JsonRoute = RouteWhere<{ readonly answer: unknown }>
export type TextRoute = RouteWhere<{ readonly text: true }>
export type ListRoute = RouteWhere<{ readonly answer: { readonly data: readonly unknown[] } }>

export type ItemOf<R extends ListRoute> =
  AnswerOf<R> extends { readonly data: readonly (infer Item)[] } ? Item : never

/**
 * Calls the API of one service with one key. Every method throws an `ApiError` for an answer that is no
 * success, and a `TypeError`, as `fetch` does, when there was none.
 */
export interface Client {
  /** The body of the answer: `client.request('GET /pages/{id}', { path: { id } })`. */
  request<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<AnswerOf<R>>
  /** The whole answer, e.g. for its `ETag`, which a later PUT may send as `ifMatch`. */
  send<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<Answer<R>>
  /** The answer of an operation that answers with Markdown or HTML. */
  text<R extends TextRoute>(route: R, ...input: Args<R>): Promise<string>
  /**
   * Each item of a list, asked for page by page. Sort by `created_at` to walk a list that others write
   * to: what moves meanwhile may otherwise be seen twice or not at all.
   */
  items<R extends ListRoute>(route: R, ...input: Args<R>): AsyncGenerator<ItemOf<R>, void>
}

type RouteWhere<Shape> = { [R in Route]: Api[R] extends Shape ? R : never }[Route]

/** Nothing needs to be given where nothing is required. */
type Args<R extends Route> = object extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>]

/** A client for Node and for the browser. Requests that were limited, or lost on the way, are sent again. */
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

  /** @throws {ApiError} for an answer that is no success. */
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

  /** Null when there was no answer and the request may be sent again. */
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

/** What any route takes is a part of what all of them take together. */
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

/** Half a second, then twice as long each time, and by chance up to half as much again. */
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
