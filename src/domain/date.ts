/*
 * Dates as authors write them: in front matter, in `config`, in requests. A text of this module is either UTC and sorts
 * as text, or has the offset with which it was written, because readers see the author's day.
 */

const WRITTEN =
  /^\d{4}-\d{2}-\d{2}(?:(?:T| +)\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: *(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?)?$/i
const ZONE = /(?:Z|UTC|GMT|([+-])(\d{2}):?(\d{2})?)$/i
const UTC_LENGTH = '2026-01-01T00:00:00.000Z'.length

/**
 * Converts a date or timestamp to ISO 8601 with the offset that it was written with: `2024-03-10T23:30:00.000-05:00`,
 * or `…Z` without one. A bare date is midnight UTC. Null when the value is neither.
 */
export function readLocalDate(value: unknown): string | null {
  if (typeof value !== 'string' || !WRITTEN.test(value)) return null
  const day = value.slice(0, 10)
  const zone = value.length === 10 ? null : ZONE.exec(value)
  const [, sign, hours = '00', minutes = '00'] = zone ?? []
  const clock = value.slice(10, zone?.index).replace(/^T/i, '').trim() || '00:00'
  const offset = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  const time = Date.parse(`${day}T${clock}${offset}`)
  if (Number.isNaN(time) || !isDay(day)) return null
  const isUtc = offset === 'Z' || offset.endsWith('00:00')
  const utc = new Date(time).toISOString()
  // An offset can lead to a year that does not sort as text.
  if (utc.length !== UTC_LENGTH) return null
  return isUtc ? utc : inOffset(time, offset)
}

/** Reads a date as `readLocalDate` does, in UTC. */
export function readDate(value: unknown): string | null {
  const date = readLocalDate(value)
  return date === null ? null : inUtc(date)
}

/** Converts a date of `readLocalDate` to UTC, which sorts as text. */
export function inUtc(date: string): string {
  return date.endsWith('Z') ? date : new Date(date).toISOString()
}

/** Negative when the first date is earlier. Zero for one time in two offsets. */
export function compareDates(a: string, b: string): number {
  if (a === b) return 0
  if (a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : 1
  return Date.parse(a) - Date.parse(b)
}

/** The day that the author wrote, e.g. `2024-03-10`. @param date of `readLocalDate`. */
export function dayOf(date: string): string {
  return date.slice(0, 'YYYY-MM-DD'.length)
}

/** @param offset e.g. `-05:00`. */
function inOffset(time: number, offset: string): string {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  const ms = (hours * 60 + minutes) * 60_000 * (offset.startsWith('-') ? -1 : 1)
  return new Date(time + ms).toISOString().replace('Z', offset)
}

/** False for the 30th of February, which `Date.parse` reads as the 2nd of March. */
function isDay(date: string): boolean {
  const time = Date.parse(date)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}
