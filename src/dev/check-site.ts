import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { contentDiagnostic, type PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { renderEverything, type WholeSite } from '../preview-site/render-everything.ts'
import { type LastRendered, renderPageFile } from '../preview-site/render-file.ts'
import type { RenderableSite } from '../preview-site/renderable-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { warningsOf } from '../site-build/diagnostics.ts'

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
  /** Null if there are errors. */
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
  for (const page of site.pages) {
    await ports.idle()
    await nextTurn()
    if (signal.aborted) return null
    const file = await renderPageFile('', page, null, { site, renderer }, ports.lastRendered)
    errors.push(...file.errors)
    if (errors.length >= MAX_ERRORS) break
  }
  if (errors.length > 0) return { errors, warnings: [], whole: null }
  const whole = await renderEverything(site, { ...ports, renderer })
  if (signal.aborted) return null
  if ('errors' in whole) {
    const framed = whole.errors.map((error) => contentDiagnostic(ports.folder, error))
    return { errors: await Promise.all(framed), warnings: [], whole: null }
  }
  return { errors: [], warnings: warningsOf(ports.folder, whole.state), whole }
}
