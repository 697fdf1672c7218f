import type { JsonValue } from './json.ts'
import { pathFolder } from './route.ts'

/*
 * A changelog is a blog whose list shows its articles in full, each with its version. An article
 * states `list: changelog`.
 */

/** The fields that make an article the entry of a changelog. */
export interface ChangelogEntry {
  /** The version in the author's spelling, e.g. `2.4.0`; null for none. */
  readonly version: string | null
}

/** In code points. */
export const MAX_ENTRY_VERSION = 40

/** @param list and `version`: fields of the article. Null for an article of a usual blog. */
export function readChangelogEntry(
  list: JsonValue | undefined,
  version: JsonValue | undefined,
): ChangelogEntry | null {
  return list === 'changelog' ? { version: readVersion(version) } : null
}

function readVersion(written: JsonValue | undefined): string | null {
  const text = typeof written === 'string' || typeof written === 'number' ? String(written).trim() : ''
  return text === '' || [...text].length > MAX_ENTRY_VERSION || /\p{Cc}/u.test(text) ? null : text
}

/** Kinds of changes by the addresses of tags that name them. */
const KINDS = {
  added: ['added', 'new', 'feature', 'features'],
  changed: ['changed', 'improved', 'better'],
  deprecated: ['deprecated'],
  removed: ['removed', 'gone'],
  fixed: ['fixed', 'fix', 'fixes'],
  security: ['security'],
} as const

export type ChangeKind = keyof typeof KINDS

/** The kind of change that a tag names; null for any other tag. @param address of the tag. */
export function changeKind(address: string): ChangeKind | null {
  const kinds = Object.entries(KINDS) as [ChangeKind, readonly string[]][]
  return kinds.find(([, names]) => names.includes(address))?.[0] ?? null
}

/**
 * The id of an entry on the pages of its list: its path below the folder, which no other entry has.
 *
 * @param reserved ids that layouts use.
 */
export function entryAnchor(path: string, folder: string, reserved: readonly string[]): string {
  const whole = path.slice(1)
  const below = whole.startsWith(pathFolder(`/${folder}`))
    ? whole.slice(pathFolder(`/${folder}`).length)
    : whole
  return below === '' || reserved.includes(below) ? `${whole}:` : below
}
