import { readdirSync, type Stats } from 'node:fs'

/** Size, times and number of a file or folder; null where it could change again without its time telling. */
export type Stamp = string | null

/** Clocks of file systems tick in steps; some have only every second one. */
const TICK_MS = 2_000

/** @param now when it was looked at, in milliseconds since 1970. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats, now: number): Stamp {
  return Math.max(mtimeMs, ctimeMs) < now - TICK_MS ? `${size} ${mtimeMs} ${ctimeMs} ${ino}` : null
}

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/** What a folder holds, in the order of its names; those that start with a dot are nobody's. */
export function entriesIn(folder: string): {
  readonly entries: readonly Entry[]
  /** Whether a site was built into it. */
  readonly isBuiltInto: boolean
} {
  const all = readdirSync(folder, { withFileTypes: true })
  const entries = all
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry): Entry => {
      const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
      return { name: entry.name, kind }
    })
  return {
    entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    isBuiltInto: all.some(({ name }) => name === '.quoin'),
  }
}
