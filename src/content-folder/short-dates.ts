import type { JsonValue } from '../domain/json.ts'

const SHORT = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(T| +)(\d{1,2})(:.*))?$/i
const SHORT_OFFSET = /([+-])(\d)(:?\d{2})?$/

/** A timestamp with the zeros that YAML lets authors leave out: `2024-1-10`, `2024-01-01 9:30:00 -5`. Other values stay. */
export function withWholeDigits(value: JsonValue): JsonValue {
  const [, year, month = '', day = '', between, hours = '', rest = ''] =
    typeof value === 'string' ? (SHORT.exec(value) ?? []) : []
  if (year === undefined) return value
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (between === undefined) return date
  const clock = rest.replace(
    SHORT_OFFSET,
    (_, sign: string, hour: string, minutes = '') => `${sign}0${hour}${minutes}`,
  )
  return `${date}${between}${hours.padStart(2, '0')}${clock}`
}
