import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { watch } from 'chokidar'
import type { Changes } from './dev-site.ts'

export interface WatchedFolders {
  readonly content: string
  /** Folders whose files make themes. */
  readonly themes: readonly string[]
}

export interface Watching {
  close(): Promise<void>
}

/** Files are written in several steps, and many at once: they are taken together once nothing came for this long, in milliseconds. */
const QUIET_MS = 10
/** However much goes on, what came is taken after this long. */
const PATIENCE_MS = 250
/** chokidar says nothing of a change that follows another of the same file within 50 ms. */
const LOOK_AGAIN_MS = 60

/**
 * Tells of changes beneath the folders, those that come together as one. Resolves when nothing that
 * happens from now on is missed.
 *
 * @param onRefused called with what the system says when it watches no more.
 */
export async function watchFolders(
  { content, themes }: WatchedFolders,
  onChanges: (changes: Changes) => void,
  onRefused: (error: Error) => void,
): Promise<Watching> {
  let files = new Set<string>()
  let isListDue = false
  let themeFiles = new Set<string>()
  let first: number | null = null
  let timer: NodeJS.Timeout | undefined
  const lookingAgain = new Set<NodeJS.Timeout>()

  const watcher = watch([content, ...themes], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isHidden(path),
  })
  watcher.on('all', (event, path, seen) => {
    // Whoever writes a file anew empties it first; what is empty now is mostly not a moment later.
    if (seen?.size === 0 && seen.isFile()) later(() => note(event, path))
    else note(event, path)
  })
  // A new file may be written again between its first look and its watch.
  watcher.on('add', lookAgain)
  watcher.on('change', lookAgain)
  watcher.on('error', (error) => onRefused(error instanceof Error ? error : new Error(String(error))))
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
  return {
    async close() {
      clearTimeout(timer)
      for (const again of lookingAgain) clearTimeout(again)
      await watcher.close()
    },
  }

  function note(event: string, path: string): void {
    const inContent = beneath(content, path)
    if (inContent !== null) files.add(inContent)
    isListDue ||= inContent !== null && event !== 'change'
    if (themes.some((folder) => beneath(folder, path) !== null)) themeFiles.add(path)
    const now = performance.now()
    first ??= now
    clearTimeout(timer)
    timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, first + PATIENCE_MS - now)))
  }

  /** @param seen as the file was when it was told of. */
  function lookAgain(path: string, seen: Stats | undefined): void {
    later(async () => {
      // That a file has gone is told like any change.
      const now = await stat(path).catch(() => null)
      if (now === null || (seen !== undefined && isSame(seen, now))) return
      note('change', path)
      lookAgain(path, now)
    })
  }

  function later(look: () => void): void {
    const timer = setTimeout(() => {
      lookingAgain.delete(timer)
      look()
    }, LOOK_AGAIN_MS)
    lookingAgain.add(timer)
  }

  function tell(): void {
    const changes: Changes = { content: { files, isListDue }, themes: themeFiles }
    files = new Set()
    isListDue = false
    themeFiles = new Set()
    first = null
    onChanges(changes)
  }

  /** Editors and version control keep what is theirs in such files; nothing of a site has such a name. */
  function isHidden(path: string): boolean {
    const folder = [content, ...themes].find((folder) => beneath(folder, path) !== null)
    if (folder === undefined || path === folder) return false
    return basename(path).startsWith('.')
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.mtimeMs === other.mtimeMs && one.ino === other.ino && one.size === other.size
}

/** With forward slashes; null for what lies elsewhere. */
function beneath(folder: string, path: string): string | null {
  const inside = relative(folder, path)
  return inside === '..' || inside.startsWith(`..${sep}`) ? null : inside.replaceAll(sep, '/')
}
