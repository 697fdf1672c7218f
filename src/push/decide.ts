import type { FieldDigests } from '../domain/source.ts'

type Fields = FieldDigests['fields']

/** The action of a push on a record. */
export type Decision =
  /** File, last push and server agree. */
  | { readonly action: 'unchanged' }
  /** The server has what the file has, but other than the last push sent: only that is recorded. */
  | { readonly action: 'adopt' }
  /** The record was edited on the server alone, and stays. */
  | { readonly action: 'keep' }
  /** These fields of the file are sent. Others may have been edited on the server, and stay. */
  | { readonly action: 'send'; readonly fields: readonly string[] }
  /** These fields were changed in both places, to different values. Nothing is sent. */
  | { readonly action: 'conflict'; readonly fields: readonly string[] }

/**
 * Compares a record in three places, field by field: a field that was changed in one place only counts.
 *
 * @param file the fields of the file.
 * @param pushed those of the last push; null for a record that the folder did not push.
 * @param stored those on the server.
 * @param overwrite whether the file wins over edits on the server.
 */
export function decide(file: Fields, pushed: Fields | null, stored: Fields, overwrite: boolean): Decision {
  const names = [...new Set([file, pushed ?? {}, stored].flatMap(Object.keys))].sort()
  const different = names.filter((name) => file[name] !== stored[name])
  const changed = pushed === null ? names : names.filter((name) => file[name] !== pushed[name])
  if (different.length === 0) return { action: changed.length === 0 ? 'unchanged' : 'adopt' }
  if (overwrite) return { action: 'send', fields: names }
  const conflicts = changed.filter(
    (name) => file[name] !== stored[name] && (pushed === null || stored[name] !== pushed[name]),
  )
  if (conflicts.length > 0) return { action: 'conflict', fields: conflicts }
  // Fields with equal values on the server are sent too, so that they count as pushed.
  return changed.length > 0 ? { action: 'send', fields: changed } : { action: 'keep' }
}
