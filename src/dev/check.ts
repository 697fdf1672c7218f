import { setImmediate as nextTurn } from 'node:timers/promises'
import { contentFault, type DevFault } from '../preview-site/preview-diagnostic.ts'
import { type WholeSite, wholeSite } from '../preview-site/render-everything.ts'
import { type LastRendered, pageFile } from '../preview-site/render-file.ts'
import type { Shown } from '../preview-site/shown-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { type Complaint, complaintsOf } from '../site-build/diagnostics.ts'

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
  readonly faults: readonly DevFault[]
  readonly complaints: readonly Complaint[]
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
  const faults: DevFault[] = []
  for (const page of site.pages) {
    await ports.quiet()
    await nextTurn()
    if (signal.aborted) return null
    const made = await pageFile('', page, null, { site, renderer }, ports.last)
    faults.push(...made.faults)
    if (faults.length >= ENOUGH) break
  }
  if (faults.length > 0) return { faults, complaints: [], whole: null }
  const whole = await wholeSite(site, { ...ports, renderer })
  if (signal.aborted) return null
  if ('faults' in whole) {
    const told = whole.faults.map((fault) => contentFault(ports.folder, fault))
    return { faults: await Promise.all(told), complaints: [], whole: null }
  }
  return { faults: [], complaints: complaintsOf(ports.folder, whole.state), whole }
}
