import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostic.ts'
import type { InMemorySite } from '../preview-site/in-memory-site.ts'
import { contentDiagnostic, type PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { renderEverything, type WholeSite } from '../preview-site/render-everything.ts'
import { type LastRendered, renderPageFile } from '../preview-site/render-file.ts'
import type { RenderableSite } from '../preview-site/renderable-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { warningsOf } from '../site-build/diagnostics.ts'
import { deadRedirects } from '../site-build/redirect-files.ts'

export interface CheckPorts {
  readonly folder: string
  readonly masterKey: MasterKey
  /** ISO 8601 UTC. */
  readonly now: string
  readonly lastRendered: LastRendered
  /** Resolves when no request is waiting for a page. */
  readonly idle: () => Promise<void>
}

export interface CheckResult {
  /** Errors of pages that cannot be rendered. */
  readonly errors: readonly PreviewDiagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** Without the pages that cannot be rendered. Null if most pages cannot be, or an error concerns all of them. */
  readonly whole: WholeSite | null
}

/** The check stops after this many errors: a broken template fails on every page. */
const MAX_ERRORS = 10

/**
 * Renders all pages in the background, one at a time, and collects their errors and warnings.
 *
 * @param signal aborts the check when files change.
 * @returns null if the check was aborted.
 */
export async function checkSite(
  { site, renderer }: RenderableSite,
  ports: CheckPorts,
  signal: AbortSignal,
): Promise<CheckResult | null> {
  const errors: PreviewDiagnostic[] = []
  const failed = new Set<string>()
  for (const page of site.pages) {
    await ports.idle()
    await nextTurn()
    if (signal.aborted) return null
    const file = await renderPageFile('', page, null, { site, renderer }, ports.lastRendered)
    errors.push(...file.errors)
    if (file.errors.length > 0) failed.add(page.written.source)
    if (errors.length >= MAX_ERRORS) return { errors, warnings: [], whole: null }
  }
  const whole = await renderEverything(withoutPages(site, failed), { ...ports, renderer })
  if (signal.aborted) return null
  if ('errors' in whole) {
    const framed = whole.errors.map((error) => contentDiagnostic(ports.folder, error))
    return { errors: [...errors, ...(await Promise.all(framed))], warnings: [], whole: null }
  }
  // Links to pages that cannot be rendered are not dead.
  const found = [
    ...warningsOf(ports.folder, whole.state),
    ...deadRedirects(site.content.redirects ?? [], whole.state),
  ]
  const warnings = found.filter(
    ({ code }) => failed.size === 0 || (code !== 'QN-DEADLINK' && code !== 'QN-DEAD-REDIRECT'),
  )
  return { errors, warnings, whole }
}

function withoutPages(site: InMemorySite, sources: ReadonlySet<string>): InMemorySite {
  if (sources.size === 0) return site
  const pages = site.content.pages.filter(({ source }) => !sources.has(source))
  return { ...site, content: { ...site.content, pages } }
}
