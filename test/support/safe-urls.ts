const URL_KEYS = new Set([
  ...[
    'href',
    'src',
    'dark',
    'logo',
    'favicon',
    'avatar',
    'video',
    'backgroundImage',
    'homeHref',
    'canonical',
  ],
  ...['ogImage', 'themeStyle', 'customStyle', 'script', 'style', 'navFile', 'navPage'],
])
const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:']

/** All URLs in the fields and the HTML of a view whose scheme is not `http`, `https`, `mailto` or `tel`. */
export function unsafeUrls(view: unknown): string[] {
  return urlsIn(view).filter((url) => !isSafe(url))
}

function urlsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    if (URL_KEYS.has(key)) return [value]
    return key.toLowerCase().endsWith('html') && key !== 'customHeadHtml' ? urlsInHtml(value) : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => urlsIn(inner, Array.isArray(value) ? key : name))
}

/** Parses attributes as a browser does: quoted, with character references. */
function urlsInHtml(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url = '']) => unescaped(url))
}

function unescaped(text: string): string {
  return text
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&colon;/g, ':')
    .replace(/&amp;/g, '&')
}

function isSafe(url: string): boolean {
  const base = 'https://acme.example/a/page/'
  try {
    return SAFE_PROTOCOLS.includes(new URL(url, base).protocol)
  } catch {
    return false
  }
}
