import { setTimeout as pause } from 'node:timers/promises'
import { assetKey, assetPath } from '../content-folder/asset-file.ts'
import { isMarkdownFile } from '../content-folder/page-name.ts'
import { byPosition, type Diagnostic } from '../domain/diagnostic.ts'
import { framedText, type PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import type { WholeSite } from '../preview-site/render-everything.ts'
import type { RenderableSite } from '../preview-site/renderable-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { type CheckResult, checkSite } from './check-site.ts'
import type { Changes, DevSite, SiteState } from './dev-site.ts'

export interface SessionPorts {
  readonly folder: string
  readonly masterKey: MasterKey
  /** ISO 8601 UTC. */
  readonly now: string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Prints one or more lines on the terminal. */
  readonly print: (text: string) => void
  /** Called with errors that only a bug can cause. */
  readonly onBug: (error: unknown) => void
}

export type DevSession = ReturnType<typeof createDevSession>

/**
 * The background check pauses until there was no request or change for this long, in ms: it shares the thread with
 * requests.
 */
const IDLE_MS = 1000

/**
 * Follows the changes of one site: updates its state one change at a time, notifies browsers, and checks all pages in
 * the background.
 */
export function createDevSession(dev: DevSite, ports: SessionPorts) {
  const listeners = new Set<(event: number) => void>()
  /** Assets that changed since the start: by their path as links write it, the revision of their last change. */
  const changedAssets = new Map<string, string>()
  let pending: Changes | null = null
  let isUpdating = false
  let lastActivity = 0
  let pageErrors: readonly PreviewDiagnostic[] = []
  let warnings: readonly Diagnostic[] = []
  let printed = { errors: new Set<string>(), warnings: new Set<string>() }
  let checking = new AbortController()
  let whole: { readonly renderable: RenderableSite; readonly site: Promise<WholeSite | null> } | null = null
  let events = 0

  return {
    state: dev.state,
    lastRendered: dev.lastRendered,
    changedAssets,
    /** Errors of pages that cannot be rendered, each kind once, without the errors shown in a document. */
    pageErrorsExcept(shown: readonly PreviewDiagnostic[]): readonly PreviewDiagnostic[] {
      const known = new Set(shown.map(identityOf))
      return [...new Map(pageErrors.map((error) => [identityOf(error), error]))]
        .filter(([identity]) => !known.has(identity))
        .map(([, error]) => error)
    },
    warningsOf: (source: string): readonly Diagnostic[] => warnings.filter(({ file }) => file === source),

    /** Applies changes. Further changes during an update are applied together after it. */
    change(changes: Changes): void {
      pending = merge(pending, changes)
      if (!isUpdating) updateWhilePending().catch(ports.onBug)
    },
    /** Resolves with the state after the first reading of all files. */
    async start(): Promise<SiteState> {
      await update({ content: { files: new Set(), isListDue: true }, themes: new Set() })
      return dev.state()
    },
    /** Postpones the background check, because a request waits for a page. */
    noteRequest(): void {
      lastActivity = ports.monotonic()
    },
    /** Adds errors that rendering a requested page caused. */
    addErrors(errors: readonly PreviewDiagnostic[]): void {
      const known = new Set(pageErrors.map(framedText))
      pageErrors = [...pageErrors, ...errors.filter((error) => !known.has(framedText(error)))]
      printErrors(dev.state())
    },
    /** @returns a function that removes the listener. */
    listen(listener: (event: number) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Files that depend on all pages, such as feeds; null while most pages cannot be rendered. */
    async whole(): Promise<WholeSite | null> {
      const { renderable } = dev.state()
      if (renderable === null) return null
      if (whole?.renderable !== renderable) {
        const site = check(renderable, async () => {}).then((result) => result?.whole ?? null)
        whole = { renderable, site }
      }
      return whole.site
    },
    stop(): void {
      checking.abort()
      listeners.clear()
    },
  }

  async function updateWhilePending(): Promise<void> {
    isUpdating = true
    try {
      for (let next = pending; next !== null; next = pending) {
        pending = null
        await update(next)
      }
    } finally {
      isUpdating = false
    }
  }

  async function update(changes: Changes): Promise<void> {
    checking.abort()
    const state = await dev.update(changes)
    for (const file of changes.content.files) {
      if (!isMarkdownFile(file)) changedAssets.set(assetPath(assetKey(file)).slice(1), `${state.revision}`)
    }
    pageErrors = []
    printErrors(state)
    notify()
    checking = new AbortController()
    if (state.renderable !== null && state.errors.length === 0)
      checkWhenIdle(state.renderable, checking.signal).catch(ports.onBug)
  }

  async function checkWhenIdle(renderable: RenderableSite, signal: AbortSignal): Promise<void> {
    const idle = async () => {
      for (let rest = 1; rest > 0 && !signal.aborted; ) {
        rest = lastActivity + IDLE_MS - ports.monotonic()
        if (rest > 0) await pause(rest)
      }
    }
    lastActivity = ports.monotonic()
    const result = await check(renderable, idle, signal)
    if (result === null) return
    whole = { renderable, site: Promise.resolve(result.whole) }
    const previous = JSON.stringify([warnings, pageErrors])
    warnings = [...dev.state().warnings, ...result.warnings].sort(byPosition)
    pageErrors = result.errors
    printErrors(dev.state())
    printWarnings()
    if (JSON.stringify([warnings, pageErrors]) !== previous) notify()
  }

  function check(
    renderable: RenderableSite,
    idle: () => Promise<void>,
    signal = new AbortController().signal,
  ): Promise<CheckResult | null> {
    return checkSite(renderable, { ...ports, lastRendered: dev.lastRendered, idle }, signal)
  }

  function notify(): void {
    events += 1
    for (const listener of listeners) listener(events)
  }

  /** Prints errors that are new since the last call. */
  function printErrors({ errors, faults }: SiteState): void {
    const current = new Set<string>()
    for (const error of [...errors, ...faults, ...pageErrors]) {
      const identity = identityOf(error)
      if (!printed.errors.has(identity) && !current.has(identity)) ports.print(framedText(error))
      current.add(identity)
    }
    if (current.size === 0 && printed.errors.size > 0) ports.print('Fixed.')
    printed = { ...printed, errors: current }
  }

  function printWarnings(): void {
    const current = new Set(warnings.map(identityOf))
    for (const text of current) if (!printed.warnings.has(text)) ports.print(text)
    printed = { ...printed, warnings: current }
  }
}

/**
 * Ignores the page, because a template that fails on one page fails on others too, and the frame, because the lines
 * around an unchanged error may change.
 */
function identityOf(error: Diagnostic): string {
  return framedText({ ...error, page: null, frame: [] })
}

function merge(earlier: Changes | null, later: Changes): Changes {
  if (earlier === null) return later
  return {
    content: {
      files: new Set([...earlier.content.files, ...later.content.files]),
      isListDue: earlier.content.isListDue || later.content.isListDue,
    },
    themes: new Set([...earlier.themes, ...later.themes]),
  }
}
