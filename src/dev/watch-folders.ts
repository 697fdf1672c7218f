import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { IgnoreRules } from '../content-folder/ignored-files.ts'
import { siteIgnoreRules } from '../content-folder/list-files.ts'
import type { Changes } from './dev-site.ts'

export interface WatchedFolders {
  readonly content: string
  /** Folders of themes. */
  readonly themes: readonly string[]
}

export interface Watcher {
  /** Nothing is reported after the call. Resolves when no file is watched any more. */
  close(): Promise<void>
}

interface OpenWatcher {
  readonly watcher: FSWatcher
  /** The rules at its opening. */
  readonly rules: IgnoreRules
}

/**
 * Changes are reported together after a pause of this length, in ms: editors write in steps and save several files at
 * once.
 */
const DEBOUNCE_MS = 10
/** Maximum delay of a change in ms, while others keep arriving. */
const MAX_DELAY_MS = 250
/**
 * Delay before a changed file is checked again, in ms. chokidar drops a change within 50 ms of another one to the same
 * file.
 */
const RECHECK_MS = 60

/**
 * Watches folders and reports changes in batches. Resolves when the watcher is ready: no later change is missed.
 *
 * @param onError called with the system's error when it cannot watch a file.
 */
export async function watchFolders(
  { content, themes }: WatchedFolders,
  onChanges: (changes: Changes) => void,
  onError: (error: Error) => void,
): Promise<Watcher> {
  let files = new Set<string>()
  let isListDue = false
  let themeFiles = new Set<string>()
  let firstAt: number | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const rechecks = new Set<NodeJS.Timeout>()
  let rules = siteIgnoreRules(content)
  /** Number of watchers that are being opened as replacements. */
  let successors = 0

  let opening = open(rules)
  await opening
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const recheck of rechecks) clearTimeout(recheck)
      const { watcher } = await opening
      await watcher.close()
    },
  }

  /** Resolves when the watcher is ready. */
  async function open(rules: IgnoreRules): Promise<OpenWatcher> {
    const watcher = watch([content, ...themes], {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path, stats) => isIgnored(path, rules, stats),
    })
    watcher.on('all', (event, path, stats) => {
      // Many programs truncate a file before they write it.
      if (stats?.size === 0 && stats.isFile()) schedule(() => collect(event, path))
      else collect(event, path)
    })
    // A new file may change between its first stat and the start of its watch.
    watcher.on('add', recheck)
    watcher.on('change', recheck)
    watcher.on('error', reportError)
    await new Promise<void>((resolve) => watcher.once('ready', resolve))
    return { watcher, rules }
  }

  function collect(event: string, path: string): void {
    if (isClosed) return
    const inContent = pathInside(content, path)
    if (inContent === SITE_FILE) followRules()
    // The change is reported once the newly included files are watched, so that none of their changes is missed.
    if (inContent === SITE_FILE && successors > 0) return
    if (themes.some((folder) => pathInside(folder, path) !== null)) themeFiles.add(path)
    note(inContent, event !== 'change')
  }

  /** @param file of the content folder; null for another one. */
  function note(file: string | null, isOther: boolean): void {
    if (file !== null) files.add(file)
    isListDue ||= file !== null && isOther
    const now = performance.now()
    firstAt ??= now
    clearTimeout(timer)
    timer = setTimeout(report, Math.max(0, Math.min(DEBOUNCE_MS, firstAt + MAX_DELAY_MS - now)))
  }

  /** @param observed the file's stats when the change was reported. */
  function recheck(path: string, observed: Stats | undefined): void {
    schedule(async () => {
      // The watcher reports removed files itself.
      const current = await stat(path).catch(() => null)
      if (current === null || (observed !== undefined && isSame(observed, current))) return
      collect('change', path)
      recheck(path, current)
    })
  }

  function schedule(action: () => void): void {
    if (isClosed) return
    const timer = setTimeout(() => {
      rechecks.delete(timer)
      action()
    }, RECHECK_MS)
    rechecks.add(timer)
  }

  function reportError(error: unknown): void {
    if (!isClosed) onError(error instanceof Error ? error : new Error(String(error)))
  }

  function report(): void {
    const changes: Changes = { content: { files, isListDue }, themes: themeFiles }
    files = new Set()
    isListDue = false
    themeFiles = new Set()
    firstAt = null
    onChanges(changes)
  }

  /** Watches by the rules that `site.yaml` has now: chokidar reads a folder that it watches already only once. */
  function followRules(): void {
    const next = siteIgnoreRules(content)
    if (next.own.join('\n') === rules.own.join('\n')) return
    rules = next
    successors += 1
    opening = opening.then(async (previous) => {
      const current = isClosed ? previous : await successorOf(previous, next)
      successors -= 1
      if (successors === 0) {
        rules = current.rules
        if (!isClosed) note(SITE_FILE, true)
      }
      return current
    })
  }

  /** Opens a watcher with new rules. Returns the previous watcher if none can be opened. */
  async function successorOf(previous: OpenWatcher, rules: IgnoreRules): Promise<OpenWatcher> {
    try {
      const next = await open(rules)
      await previous.watcher.close().catch(reportError)
      return next
    } catch (error) {
      reportError(error)
      return previous
    }
  }

  /**
   * @param stats unknown when only the name was read yet. A path ignored then is never checked again, and some patterns
   *   match folders alone.
   */
  function isIgnored(path: string, rules: IgnoreRules, stats?: Stats): boolean {
    if (themes.some((theme) => isHiddenIn(theme, path))) return true
    const inContent = pathInside(content, path)
    if (inContent === null || inContent === '' || themes.some((theme) => pathInside(theme, path) !== null))
      return false
    if (stats === undefined) return rules.ignores(inContent, 'file') && rules.ignores(inContent, 'folder')
    return rules.ignores(inContent, stats.isDirectory() ? 'folder' : 'file')
  }
}

/** Editors and version control use such names; files of a theme do not. */
function isHiddenIn(theme: string, path: string): boolean {
  const inside = pathInside(theme, path)
  return inside !== null && inside !== '' && basename(path).startsWith('.')
}

function isSame(one: Stats, other: Stats): boolean {
  return one.mtimeMs === other.mtimeMs && one.ino === other.ino && one.size === other.size
}

/** The path relative to a folder, with forward slashes; null for a path outside of it. */
function pathInside(folder: string, path: string): string | null {
  const inside = relative(folder, path)
  return inside === '..' || inside.startsWith(`..${sep}`) ? null : inside.replaceAll(sep, '/')
}
