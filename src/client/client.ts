import { apiErrorOf } from './api-error.ts'
import type { Api, Asset } from './api-types.ts'
import { contentOf } from './download.ts'
import { createMethods, type Methods } from './methods.ts'
import { prepareRequest, type RequestInput } from './request.ts'
import type { AnswerOf, InputOf, ItemOf, JsonRoute, ListRoute, Route, TextRoute } from './routes.ts'
import { type Exchange, openAnswer, sendRequest } from './send.ts'
import { withFile } from './upload.ts'

export interface ClientOptions {
  /** URL of the service, e.g. `https://api.example.com`. */
  readonly baseUrl: string
  readonly key: string
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Retries of a request that was rate-limited, refused for lack of room, or lost; 3 by default. */
  readonly retries?: number
  /** Longest wait that the service may ask for, in seconds; a longer one throws the error. 60 by default. */
  readonly longestWait?: number
  /** Longest time for the answer to one attempt, in seconds; after it the request counts as lost. 60 by default. */
  readonly timeLimit?: number
}

export interface Answer<R extends Route> {
  readonly status: Api[R]['status']
  readonly headers: Headers
  readonly body: AnswerOf<R>
}

/**
 * Calls the API with one key. Every method throws an `ApiError` for an unsuccessful answer, and what `fetch` throws,
 * such as a `TypeError`, when there is no answer.
 */
export interface Client extends Methods {
  /** The body of the answer: `client.request('GET /pages/{id}', { path: { id } })`. */
  request<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<AnswerOf<R>>
  /** The whole answer, e.g. for its `ETag`, which a later change may send as `ifMatch`. */
  send<R extends JsonRoute>(route: R, ...input: Args<R>): Promise<Answer<R>>
  /** The answer of an operation that answers with Markdown or HTML. */
  text<R extends TextRoute>(route: R, ...input: Args<R>): Promise<string>
  /**
   * Iterates over a list, page by page. No item is skipped while others write. One that is written meanwhile may be
   * returned twice, as it was and as it is.
   */
  items<R extends ListRoute>(route: R, ...input: Args<R>): AsyncGenerator<ItemOf<R>, void>
}

/** The input is optional when none of its fields is required. */
type Args<R extends Route> = object extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>]

/** Creates a client for Node and browsers. It retries requests that were rate-limited, refused for lack of room, or lost. */
export function createClient(options: ClientOptions): Client {
  const sending = {
    fetch: options.fetch ?? fetch,
    retries: options.retries ?? 3,
    longestWait: options.longestWait ?? 60,
    timeLimit: options.timeLimit ?? 60,
  }
  return {
    ...createMethods({
      data: async (route, input) => ((await json(route, input)).body as { readonly data: unknown }).data,
      text: async (route, input) => (await answered(route, input)).text,
      items,
      body: async (route, input) => (await json(route, input)).body,
      upload: async (route, input, content, onProgress) => {
        const request = withFile(prepareRequest(options, route, input), content, onProgress)
        return (parsed(await sendRequest(request, sending)).body as { readonly data: Asset }).data
      },
      download: async (route, input) =>
        contentOf(await openAnswer(prepareRequest(options, route, input), sending)),
    }),

    async request(route, ...[input]) {
      return (await json(route, inputOf(input))).body as AnswerOf<typeof route>
    },

    async send(route, ...[input]) {
      const { response, body } = await json(route, inputOf(input))
      const { status, headers } = response
      return { status, headers, body } as Answer<typeof route>
    },

    async text(route, ...[input]) {
      return (await answered(route, inputOf(input))).text
    },

    items(route, ...[input]) {
      return items(route, inputOf(input)) as AsyncGenerator<ItemOf<typeof route>, void>
    },
  }

  function answered(route: string, input: RequestInput): Promise<Exchange> {
    return sendRequest(prepareRequest(options, route, input), sending)
  }

  /** @throws {ApiError} `unexpected_answer` for an answer that is not JSON. */
  async function json(route: string, input: RequestInput): Promise<Exchange & { readonly body: unknown }> {
    return parsed(await answered(route, input))
  }

  /** @throws {ApiError} `unexpected_answer` for an answer that is not JSON. */
  function parsed(exchange: Exchange): Exchange & { readonly body: unknown } {
    try {
      return { ...exchange, body: JSON.parse(exchange.text) }
    } catch {
      throw apiErrorOf(exchange.response, exchange.text)
    }
  }

  async function* items(route: string, input: RequestInput): AsyncGenerator<unknown, void> {
    const isNew = createFilter()
    let { offset = 0, ...query } = { ...input.query } as Record<string, unknown>
    for (let start: object = { offset }; ; ) {
      const { body } = await json(route, { ...input, query: { ...query, ...start } })
      const list = body as List
      yield* list.data.filter(isNew)
      offset = Number(offset) + list.data.length
      const cursor = list.meta?.next_cursor ?? null
      if (cursor === null && !hasMore(list)) return
      // Lists of `/v1` have no cursors.
      start = cursor === null ? { offset } : { cursor }
    }
  }
}

/** Creates a filter against items seen in the same state, because the end of a list repeats recent ones. */
function createFilter(): (item: unknown) => boolean {
  const seen = new Map<unknown, unknown>()
  return (item) => {
    const { id, updated_at: writtenAt } = item as { readonly id?: unknown; readonly updated_at?: unknown }
    if (id === undefined || writtenAt === undefined) return true
    const isNew = seen.get(id) !== writtenAt
    seen.set(id, writtenAt)
    return isNew
  }
}

/** Widens the input of one route to that of all routes. */
function inputOf(input: object = {}): RequestInput {
  return input
}

/** A list of either surface. */
interface List {
  readonly data: readonly unknown[]
  readonly meta?: { readonly has_more: boolean; readonly next_cursor?: string | null }
  readonly has_more?: boolean
}

function hasMore({ data, meta, has_more: legacy }: List): boolean {
  return data.length > 0 && (meta?.has_more ?? legacy ?? false)
}
