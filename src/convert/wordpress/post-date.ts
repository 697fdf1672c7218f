const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/

/**
 * A time of WordPress with the zone of the site: `2024-05-01T10:00:00+02:00`. The zone is the difference between both
 * times. Null for a time that is not set.
 *
 * @param local in the zone of the site. @param utc the same in UTC, or zeros.
 */
export function postDate(local: string, utc: string): string | null {
  const [own, universal] = [read(local), read(utc)]
  if (own === null) return universal === null ? null : `${universal.text}Z`
  if (universal === null) return `${own.text}Z`
  const minutes = Math.round((own.time - universal.time) / 60_000)
  if (Math.abs(minutes) > 14 * 60) return `${universal.text}Z`
  if (minutes === 0) return `${own.text}Z`
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${own.text}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

function read(written: string): { readonly text: string; readonly time: number } | null {
  const [, day = '', clock = ''] = TIME.exec(written.trim()) ?? []
  const text = `${day}T${clock}`
  const time = Date.parse(`${text}Z`)
  return day === '' || day.startsWith('0000') || Number.isNaN(time) ? null : { text, time }
}
