import { createHash } from 'node:crypto'

/** A document as it is served: with a script that tells it when it is out of date. */
export interface DevDocument {
  readonly html: string
  /** Changes when anything in it does but for its style sheets. */
  readonly version: string
  /** Addresses of its style sheets, as they are written in it, in their order. */
  readonly styles: readonly string[]
}

export const TOOLS = '/__quoin/'

const STYLE = /<link rel="stylesheet" href="([^"]*)">/g

/** @param files other than itself that changed since the command was started, by their keys, with when. */
export function devDocument(html: string, files: ReadonlyMap<string, string>): DevDocument {
  const styles = [...html.matchAll(STYLE)].map(([, href = '']) => href)
  const shown = [...files].filter(([key]) => html.includes(key))
  const rest = html.replaceAll(STYLE, '<link>')
  const version = createHash('sha256')
    .update(JSON.stringify([rest, shown]))
    .digest('base64url')
    .slice(0, 16)
  return { html: withScript(html, version), version, styles }
}

/** Allowed by the policy of pages, as it is a file of their own origin. */
function withScript(html: string, version: string): string {
  const script = `<script src="${TOOLS}client.js" data-version="${version}"></script>\n`
  const end = html.lastIndexOf('</body>')
  return end === -1 ? html + script : html.slice(0, end) + script + html.slice(end)
}
