import { createRequire } from 'node:module'

/** Format: https://iconify.design/docs/types/iconify-json.html */
interface IconSet {
  /** SVG shapes by name, for a box of 24 by 24 and in `currentColor`. */
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  /** Former names. */
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>
}

let loaded: IconSet | null = null

/** The drawings of Lucide. Loading takes some milliseconds, and only pages with a named icon need it. */
function lucide(): IconSet {
  loaded ??= createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet
  return loaded
}

/**
 * An icon of Lucide as SVG, in the colour of the text around it; null when none has this name.
 *
 * @param written `rocket`, `ArrowRight`, `lucide:arrow-right`.
 */
export function lucideIcon(written: string): string | null {
  const { icons, aliases } = lucide()
  const name = lucideName(written)
  const known = Object.hasOwn(aliases, name) ? aliases[name]?.parent : name
  if (known === undefined || !Object.hasOwn(icons, known)) return null
  return `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">${icons[known]?.body}</svg>`
}

export function lucideNames(): readonly string[] {
  return Object.keys(lucide().icons)
}

/** In Lucide's spelling: `ArrowRight`, `arrow_right` and `lucide-arrow-right` are `arrow-right`. */
export function lucideName(written: string): string {
  return written
    .replace(/^lucide[:/-]/i, '')
    .replace(/([a-z])([A-Z\d])/g, '$1-$2')
    .replaceAll(/[_ ]/g, '-')
    .toLowerCase()
}
