import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { framedText, type PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import type { WholeSite } from '../preview-site/render-everything.ts'
import type { Shown } from '../preview-site/shown-site.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { type Checked, checkSite } from './check-site.ts'
import type { Changes, DevSite, Standing } from './dev-site.ts'

export interface SessionPorts {
  readonly folder: string
  readonly masterKey: MasterKey
  /** ISO 8601 UTC. */
  readonly now: string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Says a line, or several, to who started the command. */
  readonly tell: (text: string) => void
  /** Called when something escaped that is a bug. */
  readonly onBug: (error: unknown) => void
}

export type DevSession = ReturnType<typeof createDevSession>

/** Nobody who writes or looks at pages is to wait for the check: it goes on when nothing was asked or saved for this long. */
const UNASKED_MS = 1000

/** One site while it is worked on: one look at its files at a time, who is told of it, and the check of all pages. */
export function createDevSession(dev: DevSite, ports: SessionPorts) {
  const listeners = new Set<(revision: number) => void>()
  /** Files of `static/` that changed since the start, by their keys, with how often. */
  const touched = new Map<string, string>()
  let pending: Changes | null = null
  let isLooking = false
  let askedAt = 0
  let pageFaults: readonly PreviewDiagnostic[] = []
  let complaints: readonly Diagnostic[] = []
  let told = { faults: new Set<string>(), complaints: new Set<string>() }
  let checking = new AbortController()
  let whole: { readonly of: Shown; readonly made: Promise<WholeSite | null> } | null = null
  let beats = 0

  return {
    standing: dev.standing,
    lastRendered: dev.lastRendered,
    touched,
    complaints: (source: string): readonly Diagnostic[] => complaints.filter(({ file }) => file === source),

    /** Look at the files again; what comes meanwhile is looked at together, after it. */
    changed(changes: Changes): void {
      pending = merged(pending, changes)
      if (!isLooking) lookWhilePending().catch(ports.onBug)
    },
    /** Resolves with the state after the first look. */
    async begin(): Promise<Standing> {
      await look({ content: { files: new Set(), isListDue: true }, themes: new Set() })
      return dev.standing()
    },
    /** Somebody waits for a page. */
    asked(): void {
      askedAt = ports.monotonic()
    },
    /** What making a page had against it. */
    note(faults: readonly PreviewDiagnostic[]): void {
      const known = new Set(pageFaults.map(framedText))
      pageFaults = [...pageFaults, ...faults.filter((fault) => !known.has(framedText(fault)))]
      tellFaults(dev.standing())
    },
    /** @returns a function that ends it. */
    listen(listener: (revision: number) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The files that take the whole site to make; null while a page cannot be rendered. */
    async whole(): Promise<WholeSite | null> {
      const { shown } = dev.standing()
      if (shown === null) return null
      if (whole?.of !== shown)
        whole = { of: shown, made: check(shown, async () => {}).then((done) => done?.whole ?? null) }
      return whole.made
    },
    stop(): void {
      checking.abort()
      listeners.clear()
    },
  }

  async function lookWhilePending(): Promise<void> {
    isLooking = true
    try {
      for (let next = pending; next !== null; next = pending) {
        pending = null
        await look(next)
      }
    } finally {
      isLooking = false
    }
  }

  async function look(changes: Changes): Promise<void> {
    checking.abort()
    const standing = await dev.update(changes)
    for (const key of changes.content.files) {
      if (key.startsWith('static/')) touched.set(key.slice('static/'.length), `${standing.revision}`)
    }
    pageFaults = []
    tellFaults(standing)
    tellListeners()
    checking = new AbortController()
    if (standing.shown !== null && standing.errors.length === 0)
      checkWhenQuiet(standing.shown, checking.signal).catch(ports.onBug)
  }

  async function checkWhenQuiet(shown: Shown, signal: AbortSignal): Promise<void> {
    const quiet = async () => {
      for (let rest = 1; rest > 0 && !signal.aborted; ) {
        rest = askedAt + UNASKED_MS - ports.monotonic()
        if (rest > 0) await pause(rest)
      }
    }
    askedAt = ports.monotonic()
    const done = await check(shown, quiet, signal)
    if (done === null) return
    whole = { of: shown, made: Promise.resolve(done.whole) }
    const before = JSON.stringify([complaints, pageFaults])
    complaints = done.warnings
    pageFaults = done.errors
    tellFaults(dev.standing())
    tellComplaints()
    if (JSON.stringify([complaints, pageFaults]) !== before) tellListeners()
  }

  function check(
    shown: Shown,
    quiet: () => Promise<void>,
    signal = new AbortController().signal,
  ): Promise<Checked | null> {
    return checkSite(shown, { ...ports, last: dev.lastRendered, quiet }, signal)
  }

  function tellListeners(): void {
    beats += 1
    for (const listener of listeners) listener(beats)
  }

  function tellFaults({ errors: faults }: Standing): void {
    const now = new Set<string>()
    for (const fault of [...faults, ...pageFaults]) {
      // A template that fails on one page fails on others too. The lines around a fault may change, or
      // be gone already, while it is the same.
      const place = framedText({ ...fault, page: null, frame: [] })
      if (!told.faults.has(place) && !now.has(place)) ports.tell(framedText(fault))
      now.add(place)
    }
    if (now.size === 0 && told.faults.size > 0) ports.tell('Mended.')
    told = { ...told, faults: now }
  }

  function tellComplaints(): void {
    const now = new Set(complaints.map(complaintText))
    for (const complaint of now) if (!told.complaints.has(complaint)) ports.tell(complaint)
    told = { ...told, complaints: now }
  }
}

function merged(before: Changes | null, now: Changes): Changes {
  if (before === null) return now
  return {
    content: {
      files: new Set([...before.content.files, ...now.content.files]),
      isListDue: before.content.isListDue || now.content.isListDue,
    },
    themes: new Set([...before.themes, ...now.themes]),
  }
}

function complaintText({ file, line, message }: Diagnostic): string {
  return `${line === null ? file : `${file}:${line}`}: warning: ${message}`
}
