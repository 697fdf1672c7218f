import { createHash } from 'node:crypto'

/** A document with the script that reloads it when it is out of date. */
export interface DevDocument {
  readonly html: string
  /** Changes with everything in the document except the URLs of its style sheets. */
  readonly version: string
  /** URLs of the style sheets, as written in the document and in their order. */
  readonly styles: readonly string[]
}

export const TOOLS = '/__quoin/'

const STYLE = /<link rel="stylesheet" href="([^"]*)">/g

/** @param changedAssets files that changed since the command started, by path as links write it, with a revision. */
export function devDocument(html: string, changedAssets: ReadonlyMap<string, string>): DevDocument {
  const styles = [...html.matchAll(STYLE)].map(([, href = '']) => href)
  const used = [...changedAssets].filter(([key]) => html.includes(key))
  const rest = html.replaceAll(STYLE, '<link>')
  const version = createHash('sha256')
    .update(JSON.stringify([rest, used]))
    .digest('base64url')
    .slice(0, 16)
  return { html: withScript(html, version), version, styles }
}

/** The content security policy allows the script, because its origin is the page's own. */
function withScript(html: string, version: string): string {
  const script = `<script src="${TOOLS}client.js" data-version="${version}"></script>\n`
  const end = html.lastIndexOf('</body>')
  return end === -1 ? html + script : html.slice(0, end) + script + html.slice(end)
}
