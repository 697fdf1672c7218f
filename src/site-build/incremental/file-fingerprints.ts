import { readdirSync, type Stats } from 'node:fs'

/**
 * Size, times and number of files or folders, four numbers of each one after the other; `UNSURE`
 * (NaN, equal to nothing) where they tell nothing.
 */
export type Stamps = ArrayLike<number>

const NUMBERS = 4
/** The stamp of what is not there, or could change again without its time telling. */
export const UNSURE = [Number.NaN, Number.NaN, Number.NaN, Number.NaN] as const

/** Clocks of file systems tick in steps; some have only every second one. */
const TICK_MS = 2_000

/** @param now when it was looked at, in milliseconds since 1970. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats, now: number): readonly number[] {
  return Math.max(mtimeMs, ctimeMs) < now - TICK_MS ? [size, mtimeMs, ctimeMs, ino] : UNSURE
}

/** Whether anything is known of the one at a place. */
export function isSure(stamps: Stamps, place: number): boolean {
  return (stamps[place * NUMBERS] ?? Number.NaN) >= 0
}

/** The one at a place. */
export function stampAt(stamps: Stamps, place: number): readonly number[] {
  return UNSURE.map((unsure, number) => stamps[place * NUMBERS + number] ?? unsure)
}

/** Whether one is as another was; never where nothing is sure. */
export function isSameStamp(one: Stamps, place: number, other: Stamps, otherPlace: number): boolean {
  for (let number = 0; number < NUMBERS; number += 1)
    if (one[place * NUMBERS + number] !== other[otherPlace * NUMBERS + number]) return false
  return true
}

/** In base64: as decimals, the times of a large site would take longer than a look at its files. */
export function stampsText(stamps: Stamps): string {
  return Buffer.from(Float64Array.from(stamps).buffer).toString('base64')
}

export function stampsIn(text: string): Stamps {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT))
}

/** Beneath the folder that is built into: what builds keep for the next ones. Nothing a site is made of starts with a dot. */
export const KEPT_FOLDER = '.quoin'

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
    isBuiltInto: all.some(({ name }) => name === KEPT_FOLDER),
  }
}
