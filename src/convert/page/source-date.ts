import { readLocalDate } from '../../domain/date.ts'
import type { JsonValue } from '../../domain/json.ts'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Go prints the name of the zone after the offset. It is ignored. */
const ZONE = String.raw`(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?:\s+[a-z]{3,5})?`
const TIME = String.raw`(?:(?:T|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?(?:\s*${ZONE})?)?`
/** `2024-5-1 10:00:00 +0200` of Jekyll and Hugo. Everything after the day is optional. */
const IN_NUMBERS = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${TIME}$`, 'i')
/** `May 1, 2024`. */
const MONTH_FIRST = new RegExp(String.raw`^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})${TIME}$`, 'i')
/** `1 May 2024`, also with a day of the week as in e-mail. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:[a-z]{3,9},\s*)?(\d{1,2})\.?\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})${TIME}$`,
  'i',
)

/** Converts a date of another generator to ISO 8601 with its offset. A date without a zone is in UTC. Null when it cannot be read. */
export function readSourceDate(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  const [, year, month, day, ...time] = IN_NUMBERS.exec(text) ?? []
  if (year !== undefined) return dateOf([year, month, day], time)
  const [, named, dayAfter, yearAfter, ...timeAfter] = MONTH_FIRST.exec(text) ?? []
  if (named !== undefined) return dateOf([yearAfter, monthOf(named), dayAfter], timeAfter)
  const [, dayBefore, between, yearLast, ...timeLast] = DAY_FIRST.exec(text) ?? []
  return between === undefined ? null : dateOf([yearLast, monthOf(between), dayBefore], timeLast)
}

type Part = string | undefined

function dateOf(
  day: readonly Part[],
  [hour, minute, second = '00', half, zone = 'Z']: readonly Part[],
): string | null {
  const date = day.map(padded).join('-')
  if (hour === undefined) return readLocalDate(date)
  const offset = /^(Z|UTC|GMT)$/i.test(zone) ? 'Z' : zone.padEnd('+0200'.length, '0')
  return readLocalDate(`${date}T${padded(hourOf(hour, half))}:${minute}:${second}${offset}`)
}

/** Converts an hour with `am` or `pm` to a 24-hour clock. */
function hourOf(hour: Part, half: Part): Part {
  const isPm = half?.toLowerCase() === 'pm'
  if (half === undefined || Number(hour) > 12) return hour
  return String((Number(hour) % 12) + (isPm ? 12 : 0))
}

function padded(part: Part): string {
  return (part ?? '').padStart(2, '0')
}

/** `0` for an unknown month, which no date has. */
function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.toLowerCase()) + 1)
}
