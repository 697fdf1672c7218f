import { hash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import { isJsonObject } from '../domain/json.ts'
import type { FieldDigests } from '../domain/source.ts'

/** Hex digits of the digest of one field. */
const FIELD_DIGITS = 16

/** The digests of fields by name. Fields that are null, undefined or empty count as absent. */
export function fieldDigests(values: Readonly<Record<string, unknown>>): FieldDigests {
  const stated = Object.fromEntries(Object.entries(values).filter(([, value]) => !isUnset(value)))
  return {
    digest: digestOf(stated),
    fields: Object.fromEntries(
      Object.entries(stated).map(([name, value]) => [name, digestOf(value).slice(0, FIELD_DIGITS)]),
    ),
  }
}

export function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

export function hasSameFields(
  { fields: a }: Pick<FieldDigests, 'fields'>,
  { fields: b }: Pick<FieldDigests, 'fields'>,
): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/**
 * The digests of a push that sent some fields of a record: of the others, those of the push before. They differ from the
 * stored record where a person has edited a field that the file did not change.
 *
 * @param former those of the last push of the same folder.
 * @param stored those of the record after this push.
 * @param written the digests of the fields that were sent; null for one that has no value.
 */
export function pushedDigests(
  former: FieldDigests,
  stored: FieldDigests,
  written: Readonly<Record<string, string | null>>,
): FieldDigests {
  const fields = Object.fromEntries(
    Object.entries({ ...former.fields, ...written }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  )
  if (hasSameFields({ fields }, stored)) return stored
  if (hasSameFields({ fields }, former)) return former
  // No record has had these values together, so the digest is one of the fields' digests.
  return { digest: digestOf(fields), fields }
}

/** The digests of some fields of a record; null for one that has no value. */
export function digestsOfFields(
  { fields }: FieldDigests,
  names: readonly string[],
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}

/** SHA-256 of the canonical JSON, hex. */
function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}

/** The digests of a record without values. */
export const NO_FIELDS: FieldDigests = fieldDigests({})
