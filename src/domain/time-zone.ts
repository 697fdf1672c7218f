/** Checks the name of a time zone, e.g. `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    return text !== '' && new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * The start of a day in a time zone, ISO 8601 UTC. Where the clock skips midnight, the first instant of the day.
 *
 * @param day `2026-03-01`
 */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset at the guess may be that of the day before, when the clock changes in between.
  const first = midnight - offsetAt(midnight, timeZone)
  const second = midnight - offsetAt(first, timeZone)
  const start = offsetAt(second, timeZone) === midnight - second ? second : Math.max(first, second)
  return new Date(start).toISOString()
}

/** The offset of the zone from UTC, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parts.get(type))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
}
