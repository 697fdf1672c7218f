const STEPS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const

/** Formats of times, numbers and sizes in a language. */
export function createFormats(
  lang: string,
  words: { readonly justNow: string; readonly inAMoment: string; readonly bytes: string },
) {
  const date = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const whole = new Intl.NumberFormat(lang)
  const oneDigit = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

  return {
    time: {
      full: (moment: string) => `${date.format(new Date(moment))} UTC`,
      day: (moment: string) => day.format(new Date(moment)),
      ago,
    },
    number: (amount: number) => whole.format(amount),
    bytes,
    count: (amount: number, one: string, many: string) =>
      `${whole.format(amount)} ${amount === 1 ? one : many}`,
  }

  function ago(moment: string, now: string): string {
    const seconds = Math.round((Date.parse(moment) - Date.parse(now)) / 1000)
    const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 0]
    if (length === 0) return seconds > 0 ? words.inAMoment : words.justNow
    return relative.format(Math.trunc(seconds / length), unit)
  }

  function bytes(amount: number): string {
    if (amount < 1000) return `${whole.format(amount)} ${words.bytes}`
    const power = Math.min(Math.floor(Math.log10(amount) / 3), UNITS.length)
    const value = amount / 1000 ** power
    return `${value < 10 ? oneDigit.format(value) : whole.format(Math.round(value))} ${UNITS[power - 1]}`
  }
}
