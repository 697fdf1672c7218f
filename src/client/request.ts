/** Options of any request. */
export interface RequestOptions {
  /** The `ETag` of the version that was read: the service refuses a change (412) when the resource changed since. */
  readonly ifMatch?: string
  /** For a POST; random for each call by default. Pass one to repeat a call of an earlier process. */
  readonly idempotencyKey?: string
  /** Ends the call with all its retries, e.g. `AbortSignal.timeout(30_000)`. */
  readonly signal?: AbortSignal
}

/** Input of any operation; `Api` types what each one accepts. */
export interface RequestInput extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
  /** An entity tag: the answer is 304 while it is current. */
  readonly ifNoneMatch?: string
}

export interface PreparedRequest {
  readonly url: string
  readonly init: RequestInit
  /** Sending the request twice has the effect and the answer of sending it once. */
  readonly repeatable: boolean
  /** Opens the body of one attempt; absent where `init` has it. */
  readonly openBody?: () => NonNullable<RequestInit['body']>
}

/** @throws {RangeError} when a path parameter is missing or would change the path. */
export function prepareRequest(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  route: string,
  { path = {}, query = {}, body, ifMatch, ifNoneMatch, idempotencyKey, signal }: RequestInput,
): PreparedRequest {
  const [method = '', template = ''] = route.split(' ')
  // Errors then list each invalid field.
  const headers = new Headers({ Authorization: `Bearer ${key}`, Prefer: 'errors=fields' })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  if (ifNoneMatch !== undefined) headers.set('If-None-Match', ifNoneMatch)
  if (method === 'POST') headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID())
  return {
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${fillPath(template, path)}${queryString(query)}`,
    init: {
      method,
      headers,
      // The API never redirects. `fetch` would repeat a POST as a GET at the new address.
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    },
    // A second DELETE is answered with 404, and a second conditional PUT with 412.
    repeatable: method === 'GET' || method === 'POST' || (method === 'PUT' && ifMatch === undefined),
  }
}

function fillPath(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (/^\.{0,2}$/.test(part))
      throw new RangeError(`${name}: ${JSON.stringify(part)} cannot be a path parameter.`)
    return encodeURIComponent(part)
  })
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = String(
    new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])),
  )
  return text === '' ? '' : `?${text}`
}
