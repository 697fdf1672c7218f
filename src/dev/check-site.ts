import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { contentDiagnostic, type PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { type WholeSite, wholeSite } from '../preview-site/render-everything.ts'
import { type LastRendered, pageFile } from '../preview-site/render-file.ts'
import type { Shown } from '../preview-site/shown-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { warningsOf } from '../site-build/diagnostics.ts'

export interface CheckPorts {
  readonly folder: string
  readonly masterKey: MasterKey
  /** ISO 8601 UTC. */
  readonly now: string
  readonly last: LastRendered
  /** Resolves when nobody waits for a page. */
  readonly quiet: () => Promise<void>
}

export interface Checked {
  /** Of pages that cannot be rendered. */
  readonly errors: readonly PreviewDiagnostic[]
  readonly warnings: readonly Diagnostic[]
  /** Null when there are faults. */
  readonly whole: WholeSite | null
}

/** A template that fails fails on every page. */
const ENOUGH = 10

/**
 * Render all that nobody has looked at yet, a page at a time.
 *
 * @param signal called off when something changed meanwhile.
 * @returns null when it was called off.
 */
export async function checkSite(
  { site, renderer }: Shown,
  ports: CheckPorts,
  signal: AbortSignal,
): Promise<Checked | null> {
  const faults: PreviewDiagnostic[] = []
  for (const page of site.pages) {
    await ports.quiet()
    await nextTurn()
    if (signal.aborted) return null
    const made = await pageFile('', page, null, { site, renderer }, ports.last)
    faults.push(...made.errors)
    if (faults.length >= ENOUGH) break
  }
  if (faults.length > 0) return { errors: faults, warnings: [], whole: null }
  const whole = await wholeSite(site, { ...ports, renderer })
  if (signal.aborted) return null
  if ('errors' in whole) {
    const told = whole.errors.map((error) => contentDiagnostic(ports.folder, error))
    return { errors: await Promise.all(told), warnings: [], whole: null }
  }
  return { errors: [], warnings: warningsOf(ports.folder, whole.state), whole }
}
