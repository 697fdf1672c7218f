/** What may be said about any request. */
export interface RequestOptions {
  /** The `ETag` that was read: a PUT is then refused (412) when somebody else has written since. */
  readonly ifMatch?: string
  /** Of a POST; made up for each call unless given. Give one to repeat a call of an earlier process. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** What any operation may be given; the types of the API say which of it. */
export interface RequestInput extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
}

export interface PreparedRequest {
  readonly url: string
  readonly init: RequestInit
  /** Whether sending it twice has the effect, and the answer, of sending it once. */
  readonly repeatable: boolean
}

/** @throws {RangeError} when a part of the path is missing or would lead to another path. */
export function prepareRequest(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  route: string,
  { path = {}, query = {}, body, ifMatch, idempotencyKey, signal }: RequestInput,
): PreparedRequest {
  const [method = '', template = ''] = route.split(' ')
  const headers = new Headers({ Authorization: `Bearer ${key}` })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  if (method === 'POST') headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID())
  return {
    url: `${baseUrl.replace(/\/+$/, '')}${fillPath(template, path)}${queryString(query)}`,
    init: {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    },
    // A DELETE would not find what it has deleted, and a condition that was met would be met no more.
    repeatable: method === 'GET' || method === 'POST' || (method === 'PUT' && ifMatch === undefined),
  }
}

function fillPath(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (/^\.{0,2}$/.test(part))
      throw new RangeError(`${name}: ${JSON.stringify(part)} cannot be part of a path.`)
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
