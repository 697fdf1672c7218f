import type { UserId } from '../../src/domain/ids.ts'
import type { TestService } from './service.ts'

export const PASSWORD = 'four words of my own'

/** A page of the dashboard as a browser without scripts gets it. */
export interface DashboardAnswer {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** Where it redirects to; null for none. */
  readonly location: string | null
}

export type Fields = readonly (readonly [string, string])[] | Readonly<Record<string, string>>

/** A browser that is signed in to the dashboard, or not. */
export interface DashboardClient {
  readonly cookie: string | null
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<DashboardAnswer>
  /** Sends a form as a page of the dashboard does, without its token. */
  post(path: string, fields?: Fields, headers?: Readonly<Record<string, string>>): Promise<DashboardAnswer>
  /** Sends the form of a view as a browser does: what it shows, with these fields changed. */
  submit(view: string, action: string, fields: Readonly<Record<string, string>>): Promise<DashboardAnswer>
  upload(path: string, name: string, body: Uint8Array, fields?: Fields): Promise<DashboardAnswer>
}

/** Signs a user in: the first one, or another. */
export async function signedIn(
  service: TestService,
  user: UserId = service.userId,
): Promise<DashboardClient> {
  const link = await service.server.service.setUpLinks.issue(user)
  const answer = await visitor(service).post('/dashboard/set-up', {
    link,
    password: PASSWORD,
    again: PASSWORD,
  })
  const [cookie = null] = (answer.headers.get('set-cookie') ?? '').split(';')
  if (answer.status !== 303 || cookie === null) throw new Error(`The set-up link was refused: ${answer.html}`)
  return visitor(service, cookie)
}

/** @param cookie null for a browser without a session. */
export function visitor(service: Pick<TestService, 'url'>, cookie: string | null = null): DashboardClient {
  const client: DashboardClient = {
    cookie,
    get: (path, headers = {}) => send('GET', path, undefined, headers),

    post(path, fields = {}, headers = {}) {
      const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
      return send('POST', path, new URLSearchParams(pairs as [string, string][]), {
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      })
    },

    async submit(view, action, fields) {
      const { html } = await client.get(view)
      return client.post(action, { ...shownFields(html, action), ...fields })
    },

    async upload(path, name, body, fields = {}) {
      const form = new FormData()
      for (const [field, value] of Array.isArray(fields) ? fields : Object.entries(fields))
        form.append(field, value)
      form.append('file', new File([new Uint8Array(body)], name))
      return send('POST', path, form, { 'Sec-Fetch-Site': 'same-origin' })
    },
  }
  return client

  async function send(
    method: string,
    path: string,
    body: URLSearchParams | FormData | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<DashboardAnswer> {
    const response = await fetch(service.url + path, {
      method,
      headers: { ...(cookie !== null && { Cookie: cookie }), ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
    })
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location'),
    }
  }
}

/** The fields of a form and their values, as the page shows them. */
export function shownFields(html: string, action: string): Record<string, string> {
  const [, form = ''] =
    new RegExp(`<form[^>]*action="${action.replaceAll('.', '\\.')}"[^>]*>([\\s\\S]*?)</form>`).exec(html) ??
    []
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const name = attribute(attributes, 'name')
    const isBox = attribute(attributes, 'type') === 'checkbox'
    return name === null || isBox ? [] : [[name, attribute(attributes, 'value') ?? ''] as const]
  })
  const texts = [...form.matchAll(/<textarea([^>]*)>\n?([\s\S]*?)<\/textarea>/g)].flatMap(
    ([, attributes = '', text = '']) => {
      const name = attribute(attributes, 'name')
      return name === null ? [] : [[name, unescaped(text)] as const]
    },
  )
  const choices = [...form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)].flatMap(
    ([, attributes = '', options = '']) => {
      const name = attribute(attributes, 'name')
      const [, value = ''] =
        /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options) ?? []
      return name === null ? [] : [[name, unescaped(value)] as const]
    },
  )
  return Object.fromEntries([...inputs, ...texts, ...choices])
}

function attribute(attributes: string, name: string): string | null {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes) ?? []
  return value === undefined ? null : unescaped(value)
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
