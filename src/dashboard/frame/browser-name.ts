const BROWSERS = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\bChrom(e|ium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** The common name of a browser, such as `Firefox, Windows`; null for a `User-Agent` with neither. */
export function browserName(userAgent: string): string | null {
  const names = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [],
  )
  return names.length === 0 ? null : names.join(', ')
}
