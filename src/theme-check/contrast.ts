import { contrastOf, readColour } from './colours.ts'
import type { Finding } from './finding.ts'
import { type OwnFiles, placeOfProperty } from './own-files.ts'
import { resolvedValue } from './root-properties.ts'

/** Of text that is not large. Source: WCAG 2.2, 1.4.3. */
const ENOUGH = 4.5

type Scheme = 'light' | 'dark'

/** Which properties stand on which. */
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

/** What stands on `night` is as readers on dark get it, whatever they prefer. */
const ON_NIGHT = ['text', 'muted', 'accent']

/**
 * Pairs of colours that are too close to read, where the theme itself sets one of them, and colours that are none.
 *
 * @param colorScheme as `theme.json` has it.
 */
export function contrastFindings(
  properties: ReadonlyMap<string, string>,
  colorScheme: string,
  own: OwnFiles,
): readonly Finding[] {
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
    const found = contrastOf(one, other)
    if (found >= ENOUGH) return []
    const shown = Math.floor(found * 100) / 100
    const message = `${front} on ${back} has a contrast of ${shown}:1 for readers on ${scheme}; text needs ${ENOUGH}:1.`
    return [{ severity: 'error', rule: 'contrast', ...place, message, on: null }]
  })
}

/** `accent` is worked out from `brand` where nobody sets it. */
function placeOf(name: string, own: OwnFiles) {
  return placeOfProperty(name, own) ?? (name === 'accent' ? placeOfProperty('brand', own) : null)
}

function colourOf(name: string, scheme: Scheme, properties: ReadonlyMap<string, string>) {
  const value = resolvedValue(`var(--${name})`, properties, scheme)
  return value === null ? null : readColour(value)
}
