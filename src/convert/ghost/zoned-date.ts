/** A time of Ghost, in milliseconds or as text in UTC, in the zone of the site: `2024-05-01T10:00:00+02:00`. */
export function zonedDate(value: unknown, zone: string): string | null {
  const written =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)
      ? `${value.slice(0, 19).replace(' ', 'T')}Z`
      : value
  const date = typeof written === 'string' || typeof written === 'number' ? new Date(written) : null
  if (date === null || Number.isNaN(date.getTime())) return null
  const minutes = offsetOf(date, zone)
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19)
  return minutes === 0 ? `${local}Z` : `${local}${offsetText(minutes)}`
}

/** Minutes by which a zone is ahead of UTC at a time. 0 for an unknown zone. */
function offsetOf(date: Date, zone: string): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
      date,
    )
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d{1,2})(?::?(\d{2}))?/.exec(name) ?? []
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

function offsetText(minutes: number): string {
  const [sign, ahead] = [minutes < 0 ? '-' : '+', Math.abs(minutes)]
  return `${sign}${String(Math.floor(ahead / 60)).padStart(2, '0')}:${String(ahead % 60).padStart(2, '0')}`
}
