import { normalForm } from './normal-form.ts'
import { SITE_ICON_KEYS } from './site-icons.ts'

/* The segments of addresses: which characters they may hold, and their one stored form. */

/** The characters that the addresses of a project may hold: its `hosting.slugs`. */
export const SLUG_ALPHABETS = ['standard', 'wide'] as const

/** `standard`: ASCII letters, digits and hyphens. `wide`: letters and digits of any script, `_` and `.` as well. */
export type SlugAlphabet = (typeof SLUG_ALPHABETS)[number]

const STANDARD = /^(?=.*[a-z0-9])[a-z0-9-]{1,100}$/
/** Neither starts nor ends with a dot, has no two dots in a row, and starts with no mark: it would join the slash. */
const WIDE =
  /^(?=.*[\p{L}\p{Nd}\p{Nl}])(?![\p{M}_.])(?!.*\.\.)[\p{L}\p{Nd}\p{Nl}\p{Mn}\p{Mc}_.-]{1,100}(?<!\.)$/u
/** Invisible letters and marks, and strokes that make a letter look like a slash. */
const CONFUSING = /\p{Default_Ignorable_Code_Point}|[\u0335-\u0338]/u

/**
 * The longest text that may be a slug, in UTF-16 code units: its 100 letters may be written with marks that Unicode
 * joins to them. Folding a text of 200 KB holds the main thread for 0.1 s.
 */
const MAX_WRITTEN = 1_000

/** The stored form of a slug or of a segment of a subroute. Null when the text is not a slug. */
export function readSlug(text: string, alphabet: SlugAlphabet): string | null {
  if (text.length > MAX_WRITTEN) return null
  if (!/[^\x20-\x7e]/.test(text) && STANDARD.test(text.toLowerCase())) return text.toLowerCase()
  if (alphabet === 'standard') return null
  const slug = foldedAddress(text)
  return WIDE.test(slug) && !CONFUSING.test(slug) && !/\.html$/.test(slug) && !isOwnFile(slug) ? slug : null
}

/** Reports whether a folder of this name would conflict with a file that Quoin writes. Others start with `_`. */
export function isOwnFile(name: string): boolean {
  return (
    SITE_ICON_KEYS.includes(name) ||
    /^(?:index\.md|index\.html|404\.html|feed\.xml|llms(?:-full)?\.txt|robots\.txt|sitemap(?:-\d+)?\.xml)$/.test(
      name,
    )
  )
}

/**
 * The one form of texts that differ only in case or in Unicode normalisation. Idempotent. Slashes stay, and no text
 * gets one.
 */
export function foldedAddress(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text.toLowerCase()
  // By way of upper case, in which forms of one letter are equal, such as `σ` and `ς`, or `s` and `ſ`. Lower case gives
  // `ς` back at the end of a word. `ß` has no upper case of one letter, and stays; `ı` is another letter than `i`.
  const upper = Array.from(normalForm(text), (letter) => {
    const [large = letter, ...more] = letter.toUpperCase()
    return more.length > 0 || letter === 'ı' ? letter : large
  })
  return normalForm(upper.join('').toLowerCase())
}
