import { readdirSync, type Stats } from 'node:fs'
import { isSiteName } from '../../domain/site-names.ts'

/**
 * Fingerprints of files or folders, one after the other: size, mtime, ctime and inode. `UNKNOWN` (NaN, equal to
 * nothing) for a file that could change without a change of its times.
 */
export type Fingerprints = ArrayLike<number>

const NUMBERS = 4
export const UNKNOWN = [Number.NaN, Number.NaN, Number.NaN, Number.NaN] as const

/** File systems round times; the coarsest to whole two seconds. */
const TICK_MS = 2_000

/** @param now when the stats were read, in milliseconds since 1970. */
export function fingerprintOf({ size, mtimeMs, ctimeMs, ino }: Stats, now: number): readonly number[] {
  return Math.max(mtimeMs, ctimeMs) < now - TICK_MS ? [size, mtimeMs, ctimeMs, ino] : UNKNOWN
}

export function isKnown(fingerprints: Fingerprints, index: number): boolean {
  return (fingerprints[index * NUMBERS] ?? Number.NaN) >= 0
}

export function fingerprintAt(fingerprints: Fingerprints, index: number): readonly number[] {
  return UNKNOWN.map((unknown, number) => fingerprints[index * NUMBERS + number] ?? unknown)
}

/** Never true for an unknown fingerprint. */
export function isSameFingerprint(
  one: Fingerprints,
  index: number,
  other: Fingerprints,
  otherIndex: number,
): boolean {
  for (let number = 0; number < NUMBERS; number += 1)
    if (one[index * NUMBERS + number] !== other[otherIndex * NUMBERS + number]) return false
  return true
}

/** Base64: to parse the times of a large site as decimals takes longer than to read them from the file system. */
export function encodeFingerprints(fingerprints: Fingerprints): string {
  return Buffer.from(Float64Array.from(fingerprints).buffer).toString('base64')
}

export function decodeFingerprints(text: string): Fingerprints {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT))
}

/**
 * The folder in an output folder where builds store their state. No site has a name like it (`domain/site-names.ts`).
 */
export const STATE_FOLDER = '.quoin'

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/** All entries of a folder, sorted by name. */
export function entriesIn(folder: string): {
  readonly entries: readonly Entry[]
  /** True if a site was built into the folder. */
  readonly isOutputFolder: boolean
} {
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry): Entry => {
    const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
    return { name: entry.name, kind }
  })
  return {
    entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    isOutputFolder: entries.some(({ name }) => name === STATE_FOLDER),
  }
}

/** Reports whether the name is one that neither themes nor output folders use. */
export function isHidden({ name }: Pick<Entry, 'name'>): boolean {
  return !isSiteName(name)
}
