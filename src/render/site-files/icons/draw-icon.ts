import { hexOf, mixed, type Rgb } from '../../../domain/colour.ts'
import { normalForm } from '../../../domain/normal-form.ts'
import { coverage, type Outline, outlineOf } from './coverage.ts'
import { LETTER_OUTLINES } from './letter-outlines.ts'

/** The icon of a site without a favicon: the first letter of its name on its colour. */
export interface IconDesign {
  readonly background: Rgb
  readonly foreground: Rgb
  /** The letter on the icon; null draws a sign. */
  readonly letter: string | null
}

/** Side of the square in which icons are designed. */
const SIDE = 64
/** Letters fit into it: circles that systems cut from an icon have 80 % of its side. */
const LETTER_SIDE = 34
/** Radius of the corners, where an icon has any. */
const RADIUS = 14
/** Sign in place of a letter. */
const SIGN = `M${SIDE / 2} 14L${SIDE - 14} ${SIDE / 2}L${SIDE / 2} ${SIDE - 14}L14 ${SIDE / 2}Z`
const ROUNDED = `M${RADIUS} 0L${SIDE - RADIUS} 0Q${SIDE} 0 ${SIDE} ${RADIUS}L${SIDE} ${SIDE - RADIUS}Q${SIDE} ${SIDE} ${SIDE - RADIUS} ${SIDE}L${RADIUS} ${SIDE}Q0 ${SIDE} 0 ${SIDE - RADIUS}L0 ${RADIUS}Q0 0 ${RADIUS} 0Z`

/**
 * The letter of a name that an icon can show: the first one, without its accents; null for scripts without outlines.
 */
export function iconLetter(name: string): string | null {
  const first = /[\p{L}\p{N}]/u.exec(normalForm(name, 'NFD'))?.[0].toUpperCase()[0]
  return first !== undefined && OUTLINES.has(first) ? first : null
}

export function svgIcon({ background, foreground, letter }: IconDesign): string {
  const [shape, place] = shapeOf(letter)
  const transform =
    place === null ? '' : ` transform="translate(${place.x} ${place.y}) scale(${place.scale})"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">`,
    `<path fill="${hexOf(background)}" d="${ROUNDED}"/>`,
    `<path fill="${hexOf(foreground)}" d="${shape}"${transform}/>`,
    '</svg>\n',
  ].join('')
}

/**
 * The pixels of an icon, in the colours of `iconColours`.
 *
 * @param form `rounded` has transparent corners; systems that cut shapes from icons need a `square`.
 */
export function iconPixels({ letter }: IconDesign, side: number, form: 'rounded' | 'square'): Uint8Array {
  const toPixels = side / SIDE
  const [shape, place] = shapeOf(letter)
  // A square covers each pixel.
  const around =
    form === 'square' ? null : coverage(outlineOf(ROUNDED), side, { scale: toPixels, x: 0, y: 0 })
  const { scale, x, y } = place ?? { scale: 1, x: 0, y: 0 }
  const inside = coverage(outlineOf(shape), side, {
    scale: scale * toPixels,
    x: x * toPixels,
    y: y * toPixels,
  })
  const pixels = new Uint8Array(side * side)
  for (let index = 0; index < pixels.length; index++) {
    const share = inside[index] ?? 0
    pixels[index] = Math.round(
      share > 0 ? SHADES + share * MOST : (around === null ? 1 : (around[index] ?? 0)) * MOST,
    )
  }
  return pixels
}

/** Colours of each of the two kinds: the eye sees no more at an edge, and small icons consist of little else. */
const SHADES = 32
const MOST = SHADES - 1

/** Opacities of the background, the last of them opaque, then colours from it to the foreground. */
export function iconColours({ background, foreground }: IconDesign): readonly IconColour[] {
  const shares = Array.from({ length: SHADES }, (_, index) => index / MOST)
  return [
    ...shares.map((share) => ({ colour: background, opacity: Math.round(255 * share) })),
    ...shares.map((share) => ({ colour: mixed(background, foreground, share), opacity: 255 })),
  ]
}

export interface IconColour {
  readonly colour: Rgb
  /** 255 is opaque. */
  readonly opacity: number
}

const OUTLINES: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTER_OUTLINES).flatMap(([letters, path]) =>
    [...letters].map((letter) => [letter, path] as const),
  ),
)

/** A path, and how it is put into the square; null where it is in place. */
function shapeOf(letter: string | null): readonly [string, { x: number; y: number; scale: number } | null] {
  const path = letter === null ? undefined : OUTLINES.get(letter)
  if (path === undefined) return [SIGN, null]
  const { left, top, right, bottom } = boundsOf(outlineOf(path))
  const [width, height] = [right - left, bottom - top]
  const scale = rounded(Math.min(LETTER_SIDE / width, LETTER_SIDE / height), 5)
  return [
    path,
    {
      x: rounded(SIDE / 2 - (left + width / 2) * scale, 2),
      y: rounded(SIDE / 2 - (top + height / 2) * scale, 2),
      scale,
    },
  ]
}

function boundsOf(outline: Outline) {
  const [xs, ys] = [0, 1].map((axis) => outline.flat().map((point) => point[axis] ?? 0)) as [
    number[],
    number[],
  ]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
