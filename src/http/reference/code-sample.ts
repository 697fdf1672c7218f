import { escapeHtml } from './inline-markdown.ts'

/** JSON as HTML, with markup for names, strings and other values. */
export function jsonSample(value: unknown): string {
  const json = JSON.stringify(value, null, 2)
  return json.replace(
    /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.e+-]*|[^"\w-]+/g,
    (token, text, colon) => {
      if (text === undefined) return /^[\s{}[\],]/.test(token) ? escapeHtml(token) : mark('value', token)
      return colon === undefined ? mark('text', text) : `${mark('name', text)}${colon}`
    },
  )
}

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly withKey: boolean
  /** Undefined sends none. */
  readonly body: unknown
}

/** The request as a `curl` command with the key in `$KEY`; HTML. */
export function curlSample({ method, url, withKey, body }: CurlRequest): string {
  const usual = body === undefined ? 'GET' : 'POST'
  const lines = [
    `curl ${method === usual ? '' : `-X ${method} `}${quoted(url)}`,
    ...(withKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${singleQuoted(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.map(escapeHtml).join(' \\\n  ')
}

function quoted(url: string): string {
  return /[?&*]/.test(url) ? singleQuoted(url) : url
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function mark(kind: string, text: string): string {
  return `<span class="${kind}">${escapeHtml(text)}</span>`
}
