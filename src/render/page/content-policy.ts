import { createHash } from 'node:crypto'

/** What a document brings along besides the files of its own site. */
export interface PolicyNeeds {
  /** The text of each `<style>` in it; null for one that is left out. */
  readonly styles: readonly (string | null)[]
  /** The text of each `<script>` in it. */
  readonly scripts?: readonly string[]
  /** Google Analytics is loaded. */
  readonly hasAnalytics: boolean
}

/** Where Google Analytics lies and reports to. Source: developers.google.com/tag-platform/security/guides/csp */
const TAG_MANAGER = 'https://*.googletagmanager.com'
const REPORTED_TO = ['https://*.google-analytics.com', 'https://*.analytics.google.com', TAG_MANAGER]

/**
 * The Content-Security-Policy of a document: scripts and styles are the site's own files, so that
 * whatever got past the sanitiser would still not run. Pictures and films may come from anywhere, and
 * a form may be sent anywhere, as their addresses are the author's. It holds from any folder, in the
 * sandbox of previews too.
 */
export function contentPolicy({ styles, scripts = [], hasAnalytics }: PolicyNeeds): string {
  const directives = [
    ["default-src 'none'"],
    ["script-src 'self'", ...scripts.map(hashSource), ...(hasAnalytics ? [TAG_MANAGER] : [])],
    ["style-src 'self'", ...styles.filter((text) => text !== null).map(hashSource)],
    ["img-src 'self' http: https: data:"],
    ["media-src 'self' http: https:"],
    ["font-src 'self' https: data:"],
    ["connect-src 'self'", ...(hasAnalytics ? REPORTED_TO : [])],
    ["form-action 'self' http: https: mailto:"],
    ["base-uri 'none'"],
  ]
  return directives.map((parts) => parts.join(' ')).join('; ')
}

/** How a policy names the text of a `<style>` or a `<script>`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
