import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { contrastOf, readColour } from './colours.ts'
import { type OwnFiles, placeOfProperty } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

/** Minimum contrast of text in normal size. Source: WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5

type Scheme = 'light' | 'dark'

/** Foreground properties, each with the backgrounds it is used on. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ['text', ['bg', 'soft', 'surface', 'code']],
  ['muted', ['bg', 'soft', 'surface', 'code', 'footer']],
  ['accent', ['bg', 'soft', 'surface']],
  ['note', ['bg', 'code']],
  ['tip', ['bg', 'code']],
  ['important', ['bg', 'code']],
  ['warning', ['bg', 'code']],
  ['caution', ['bg']],
  ['code-type', ['code']],
  ['on-brand', ['brand']],
]

/** Text on `night` always uses the colours of the dark scheme. */
const ON_NIGHT = ['text', 'muted', 'accent']

/**
 * Reports pairs of colours without enough contrast, if the theme itself sets one of the two.
 *
 * @param colorScheme the value of `color_scheme` in `theme.json`.
 */
export function checkContrast(
  properties: ReadonlyMap<string, string>,
  colorScheme: string,
  own: OwnFiles,
): readonly Diagnostic[] {
  const schemes = colorScheme.split(' ') as Scheme[]
  const pairs = schemes.flatMap((scheme) =>
    PAIRS.flatMap(([front, backs]) => backs.map((back) => ({ front, back, scheme }))),
  )
  const onNight = ON_NIGHT.map((front) => ({ front, back: 'night', scheme: 'dark' as const }))
  return [...pairs, ...onNight].flatMap(({ front, back, scheme }) => {
    const place = placeOf(front, own) ?? placeOf(back, own)
    const colours = [front, back].map((name) => colourOf(name, scheme, properties))
    const [one, other] = colours
    if (place === null || !one || !other || other[3] === 0) return []
    const contrast = contrastOf(one, other)
    if (contrast >= MIN_CONTRAST) return []
    const shown = Math.floor(contrast * 100) / 100
    const message = `${front} on ${back} has a contrast of ${shown}:1 in the ${scheme} scheme. Text needs at least ${MIN_CONTRAST}:1.`
    return [diagnostic('QN-LOW-CONTRAST', place.file, message, { line: place.line })]
  })
}

/** `accent` is derived from `brand` unless the theme sets it. */
function placeOf(name: string, own: OwnFiles) {
  return placeOfProperty(name, own) ?? (name === 'accent' ? placeOfProperty('brand', own) : null)
}

function colourOf(name: string, scheme: Scheme, properties: ReadonlyMap<string, string>) {
  const value = resolvedValue(`var(--${name})`, properties, scheme)
  return value === null ? null : readColour(value)
}
