import { didYouMean } from '../../domain/nearest-name.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { BRANDS } from './brands.ts'
import { lucideIcon, lucideName, lucideNames } from './lucide.ts'

/** A service that a link leads to. */
export interface Service {
  readonly title: string
  readonly iconHtml: string
}

/**
 * An icon as SVG, in the colour of the text around it; null when none has this name. Lucide's drawings are preferred to
 * the marks of brands, because they look alike.
 *
 * @param written a name of Lucide (`rocket`, `ArrowRight`, `lucide:arrow-right`) or of a brand (`mastodon`).
 */
export function drawnIcon(written: string): string | null {
  return lucideIcon(written) ?? brandIcon(lucideName(written))
}

/** A question with the name of the icon that the author may have meant; empty when no name is near. */
export function nearestIcon(written: string): string {
  return didYouMean(lucideName(written), [...lucideNames(), ...Object.keys(BRANDS)])
}

/** The service that an address belongs to, with its mark; null for an unknown one. */
export function serviceOf(href: string): Service | null {
  const url = parseUrl(href)
  if (url === null) return null
  if (url.protocol === 'mailto:') return drawn('E-mail', 'mail')
  const name = brandOfHost(url.hostname) ?? (url.pathname.startsWith('/@') ? 'mastodon' : null)
  if (name === null) return null
  if (Object.hasOwn(MARKS_OF_LUCIDE, name)) return drawn(MARKS_OF_LUCIDE[name] ?? name, name)
  return { title: BRANDS[name]?.title ?? name, iconHtml: brandIcon(name) ?? '' }
}

/** Marks that Simple Icons no longer has, by the host of their services. */
const MARKS_OF_LUCIDE: Readonly<Record<string, string>> = { linkedin: 'LinkedIn', slack: 'Slack' }

const BRANDS_BY_HOST: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BRANDS).flatMap(([name, { hosts }]) => hosts.map((host) => [host, name] as const)),
  ...Object.keys(MARKS_OF_LUCIDE).map((name) => [`${name}.com`, name] as const),
])

/** The host itself or a parent of it, so that `acme.substack.com` has the mark of `substack.com`. */
function brandOfHost(host: string): string | null {
  const labels = host.split('.')
  const parents = labels.map((_, index) => labels.slice(index).join('.'))
  return parents.map((parent) => BRANDS_BY_HOST.get(parent)).find((name) => name !== undefined) ?? null
}

function brandIcon(name: string): string | null {
  if (!Object.hasOwn(BRANDS, name)) return null
  return `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true"><path d="${BRANDS[name]?.path}"/></svg>`
}

function drawn(title: string, icon: string): Service {
  return { title, iconHtml: drawnIcon(icon) ?? '' }
}
