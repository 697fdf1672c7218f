import { hash } from 'node:crypto'

/** Inline content of a document that its policy must allow. */
export interface PolicyNeeds {
  /** Text of each `<style>`; null for one that the document omits. */
  readonly styles: readonly (string | null)[]
  /** Text of each `<script>`. */
  readonly scripts?: readonly string[]
  /** True when the document loads Google Analytics. */
  readonly hasAnalytics: boolean
  /** Origins of the pages that the document shows in frames. */
  readonly frames?: Iterable<string>
  /**
   * Origins and schemes that forms of the document may be sent to. The site itself is always allowed. A scheme if an
   * author chose the address: Chromium applies the list to redirects too, and form services redirect to another origin.
   */
  readonly forms?: Iterable<string>
}

/**
 * Hosts that Google Analytics loads from and reports to. Source:
 * developers.google.com/tag-platform/security/guides/csp
 */
const TAG_MANAGER = 'https://*.googletagmanager.com'
const ANALYTICS_HOSTS = ['https://*.google-analytics.com', 'https://*.analytics.google.com', TAG_MANAGER]

/**
 * Content-Security-Policy of a document. Scripts and styles must be files of the site: markup that passed the sanitiser
 * still could not run. Documents without a form of their author or theme send none. Images and media are not
 * restricted, because authors choose them. Valid at any path and in the sandbox of previews.
 */
export function contentPolicy({
  styles,
  scripts = [],
  hasAnalytics,
  frames = [],
  forms = [],
}: PolicyNeeds): string {
  const framed = [...frames].sort()
  const sentTo = [...new Set(forms)].sort()
  const directives = [
    ["default-src 'none'"],
    ["script-src 'self'", ...scripts.map(hashSource), ...(hasAnalytics ? [TAG_MANAGER] : [])],
    ["style-src 'self'", ...styles.filter((text) => text !== null).map(hashSource)],
    ["img-src 'self' http: https: data:"],
    ["media-src 'self' http: https:"],
    ["font-src 'self' https: data:"],
    ["connect-src 'self'", ...(hasAnalytics ? ANALYTICS_HOSTS : [])],
    ["manifest-src 'self'"],
    ...(framed.length === 0 ? [] : [['frame-src', ...framed]]),
    ["form-action 'self'", ...sentTo],
    ["base-uri 'none'"],
  ]
  return directives.map((parts) => parts.join(' ')).join('; ')
}

/** Policy source that allows a `<style>` or `<script>` with this text. */
export function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
